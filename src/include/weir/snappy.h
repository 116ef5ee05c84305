// SPDX-License-Identifier: MIT
// Snappy on the GPU: packs the blocks of a texture into fewer bytes, in chunks that are streams of
// their own, one behind the other.
//
// Only the packed bytes then cross the bus to the host, and no processor compresses. What comes out
// is plain Snappy, which every reader of the format decompresses. docs/rate.md says how it is made.
#ifndef WEIR_SNAPPY_H
#define WEIR_SNAPPY_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/frame.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

// A packer of textures of one size: pipelines, and memory for one run at a time. Runs on one queue
// follow each other by themselves. Immutable: several threads may record with it at a time, each
// into its own command buffer.
typedef struct weir_snappy weir_snappy;

// All pointers are read during weir_snappy_create() only.
struct weir_snappy_params {
    const char *debug_tag;
    // Of the bytes to pack [bytes]. Required: a multiple of 8 * num_chunks, at most
    // WEIR_SNAPPY_MAX_SIZE.
    uint64_t size;
    // Chunks of equal size, which are packed and decompressed each on its own, 1 ..
    // WEIR_SNAPPY_MAX_CHUNKS. 0 = 1.
    uint32_t num_chunks;
    // All chunks are stored where packing saves less than this in all, such as what a table of
    // chunks takes [bytes]. 0 = 1. Chunks that do not get smaller are stored in any case.
    uint32_t least_saved;
};
#define weir_snappy_params(...) WEIR_PARAMS(weir_snappy_params, __VA_ARGS__)

#define WEIR_SNAPPY_MAX_SIZE (UINT32_C(1) << 29) // [bytes]
#define WEIR_SNAPPY_MAX_CHUNKS 1024u

// True if a packer of these params can be made, as far as they and the device's limits go, and the
// device does not compute on the host's processor, which packs faster by itself. False for NULL.
// Logs nothing. Thread-safe.
WEIR_API bool weir_snappy_is_advised(const weir_context *context,
                                     const struct weir_snappy_params *params);

// Make a packer. Compiles its pipelines and allocates its memory on the device: 16,408 bytes for
// every 16 KiB of a chunk, the last ones as well.
// Requires 32 KiB of shared memory a workgroup (maxComputeSharedMemorySize).
// Errors: WEIR_ERROR_INVALID (NULL, a size that is not allowed, too many chunks),
// WEIR_ERROR_UNSUPPORTED (a limit of the device, by name), WEIR_ERROR_OUT_OF_MEMORY,
// WEIR_ERROR_VULKAN. Thread safety: any thread.
WEIR_API enum weir_result weir_snappy_create(weir_context *context,
                                             const struct weir_snappy_params *params,
                                             weir_snappy **out);
// Destroy a packer, which the GPU must not be using. NULL is allowed; sets `*snappy` to NULL.
WEIR_API void weir_snappy_destroy(weir_snappy **snappy);

// Get the params that the packer was made with, defaults filled in; debug_tag is NULL. All fields
// are zero for NULL. Thread-safe.
WEIR_API struct weir_snappy_params weir_snappy_get_params(const weir_snappy *snappy);

// The compressed result has, in this order:
// - the size of each chunk: num_chunks numbers of 32 bits in the byte order of the device;
// - from weir_snappy_data_offset() on the chunks, one behind the other. One of size / num_chunks
//   bytes is stored as it was, since Snappy would not make it smaller. All others are streams of
//   Snappy.
// Bytes behind the last chunk, up to a multiple of 16 bytes, are undefined.
// weir_snappy_destination_size() is the most that all of it takes [bytes]. Both calls are pure, and
// 0 for sizes and numbers of chunks that are not allowed.
WEIR_API uint64_t weir_snappy_data_offset(uint32_t num_chunks);
WEIR_API uint64_t weir_snappy_destination_size(uint64_t size, uint32_t num_chunks);

// The input and the destination: two buffers, or parts of one that do not overlap.
struct weir_snappy_run {
    const weir_buffer *source; // required
    uint64_t source_offset;    // of the first byte, a multiple of 16 [bytes]
    // Required: weir_snappy_destination_size() bytes. Memory of the host is as good as that of the
    // device: it is written once, 16 bytes an invocation, and never read.
    const weir_buffer *destination;
    uint64_t destination_offset; // a multiple of 16 [bytes]
};

// Record the packing. Record it behind what writes the source, in the same command buffer or behind
// it on the same queue.
//
// Handles: its pipelines, descriptors and push constants; the barriers after what wrote the source
// in compute shaders or transfers, between its dispatches, and after an earlier run.
// Caller: a barrier after (SHADER_WRITE in COMPUTE_SHADER); no other run of the packer at the same
// time on another queue. The bytes are the same on every device.
// Borrows everything until `cmd` has finished executing. Allocates nothing.
// Errors: WEIR_ERROR_INVALID (NULL, a buffer of another context or without room, an offset that is
// not allowed, a source and a destination that overlap). Thread safety: per command buffer.
WEIR_API enum weir_result weir_cmd_snappy(const weir_snappy *snappy, VkCommandBuffer cmd,
                                          const struct weir_snappy_run *run);

#ifdef __cplusplus
}
#endif
#endif
