// SPDX-License-Identifier: MIT
// Snappy on the GPU: compresses the blocks of a texture, as one Snappy stream or as several chunks.
//
// Only the packed bytes then cross the bus to the host, and no processor compresses. The output is
// plain Snappy, which every decompressor reads. docs/rate.md explains the method.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/frame.h>
#include <weir/result.h>

// A packer of textures of one size: pipelines, and memory for one run at a time. Runs on one queue
// wait for each other without the caller's barriers. Immutable: several threads may record with it
// at a time, each into its own command buffer.
typedef struct weir_snappy weir_snappy;

// All pointers are read during weir_snappy_create() only.
struct weir_snappy_params {
    const char *debug_tag;
    // Size of the input [bytes]. Required: a multiple of 8 * num_chunks, at most
    // WEIR_SNAPPY_MAX_SIZE.
    uint64_t size;
    // Chunks of equal size, each a stream of its own, 1 .. WEIR_SNAPPY_MAX_CHUNKS. 0 = 1.
    uint32_t num_chunks;
    // If packing saves less than this in total, all chunks are stored uncompressed: for example,
    // the size of the table of chunks in the caller's format [bytes]. 0 = 1. A chunk that does not
    // get smaller is always stored uncompressed.
    uint32_t least_saved;
};
#define weir_snappy_params(...) WEIR_PARAMS(weir_snappy_params, __VA_ARGS__)

#define WEIR_SNAPPY_MAX_SIZE (UINT32_C(1) << 29) // [bytes]
#define WEIR_SNAPPY_MAX_CHUNKS 1024u

// True if the params and the device's limits allow a packer, and the device is no software device
// (there, packing on the processor is faster). False for NULL. Logs nothing. Thread-safe.
WEIR_API bool weir_snappy_is_advised(const weir_context *context,
                                     const struct weir_snappy_params *params);

// Make a packer. Compiles its three kernels side by side, and allocates its memory on the device:
// 16,408 bytes for every 16 KiB of a chunk, rounded up.
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
// - from weir_snappy_data_offset() on the chunks, without gaps. A chunk of size / num_chunks bytes
//   is stored uncompressed; every other one is a stream of Snappy.
// Bytes behind the last chunk, up to a multiple of 16 bytes, are undefined.
// weir_snappy_destination_size() is the largest size of the whole result [bytes]. Both calls return
// 0 for sizes and numbers of chunks that are not allowed. Thread-safe. Pure.
WEIR_API uint64_t weir_snappy_data_offset(uint32_t num_chunks);
WEIR_API uint64_t weir_snappy_destination_size(uint64_t size, uint32_t num_chunks);

// The input and the destination: two buffers, or parts of one that do not overlap.
struct weir_snappy_run {
    const weir_buffer *source; // required
    uint64_t source_offset;    // of the first byte, a multiple of 16 [bytes]
    // Required: weir_snappy_destination_size() bytes. Host memory is as fast as device memory: it
    // is written once, 16 bytes an invocation, and never read.
    const weir_buffer *destination;
    uint64_t destination_offset; // a multiple of 16 [bytes]
};

// Record the packing, after the commands that write the source, in the same command buffer or a
// later one of the same queue.
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
