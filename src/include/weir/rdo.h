// SPDX-License-Identifier: MIT
// Rate-distortion optimisation: makes an encoder's blocks compress better, at a loss of quality.
//
// Blocks hardly compress, because hardly two of them are equal. This stage, behind the encoder,
// replaces blocks (or halves of blocks of 16 bytes) by earlier ones where that costs little
// quality. Snappy writes eight bytes that are repeated in two or three. Size and format of the
// blocks stay the same, and every decoder reads them.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/encode.h>
#include <weir/frame.h>
#include <weir/image.h>
#include <weir/result.h>

// An optimiser of the blocks of one codec, for source images of one format. Immutable: several
// threads may record with it at a time, each into its own command buffer.
typedef struct weir_rdo weir_rdo;

// All pointers are read during weir_rdo_create() only.
struct weir_rdo_params {
    const char *debug_tag;
    enum weir_codec codec; // one with weir_codec_info.has_rdo
    // 1 .. 100, 0 = 80; 100 changes nothing. Less quality gives fewer bytes (docs/rate.md has
    // figures). Of the candidates for a block the one with the least D + lambda * R is chosen. D is
    // the squared error of the block's channels, with equal weights [8-bit codes]. R is the number
    // of bytes that Snappy needs. lambda is (100 - quality)^2 / 40, less in smooth blocks. The
    // squared error of a block grows by at most three times the squared deviation of its texels
    // from their mean, so areas of one colour never change. In BC3 and BC5 this holds for each
    // half, in BC7 for colour and for alpha.
    uint32_t quality;
    // Required: as weir_encoder_params.like of the encoder.
    const weir_image *like;
    // As in weir_encoder_params of the encoder. Its bc1_dither counts as an error.
    bool no_dither, bc4_alpha, bc7_alpha_unread;
    // For movies: still parts of the picture keep their bytes. A block keeps those of the frame
    // before if D is then at most 12 * lambda above that of the encoder's block, and its squared
    // error at most five times the squared deviation; copies of other blocks count 8 bytes more.
    // The limit is 8 * lambda for blocks of 8 bytes and for each half of BC3 and BC5. In BC7 it is
    // 8 * lambda for colour and for alpha, and both must keep it; other copies count 16 bytes more.
    // If the encoder is steady too, a still picture with noise flickers less than without
    // optimisation. Requires weir_rdo_run.history.
    bool steady;
    // For textures, which Zstandard or Deflate compress, not Snappy. This changes only BC1 without
    // `steady`: R is the number of bits of such a coder, so lambda weighs eight times as much, and
    // a block may also take the endpoints of an earlier block, with codes of its own.
    bool texture;
    // The kernel reads lambda from weir_rdo_run.control (required then) when it runs, and writes
    // its result there; `quality` is not used. So commands recorded once serve any quality.
    bool control;
};
#define weir_rdo_params(...) WEIR_PARAMS(weir_rdo_params, __VA_ARGS__)

// Make an optimiser. Compiles its kernel, as weir_encoder_create() does.
// Requires 32 KiB of shared memory a workgroup (maxComputeSharedMemorySize).
// Errors: WEIR_ERROR_INVALID (NULL, an unknown value, a quality above 100), WEIR_ERROR_UNSUPPORTED
// (that limit, a codec without has_rdo, a format or transfer that its encoder does not read),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. Thread safety: any thread.
WEIR_API enum weir_result weir_rdo_create(weir_context *context,
                                          const struct weir_rdo_params *params, weir_rdo **out);
// Destroy an optimiser, which the GPU must not be using. NULL is allowed; sets `*rdo` to NULL.
WEIR_API void weir_rdo_destroy(weir_rdo **rdo);

// Get the params that the optimiser was made with, defaults filled in; debug_tag and like are NULL.
// All fields are zero for NULL. Thread-safe.
WEIR_API struct weir_rdo_params weir_rdo_get_params(const weir_rdo *rdo);

// An image, of which all of level 0 of layer 0 was encoded, and its blocks.
struct weir_rdo_run {
    const weir_image *source;  // required, as the encoder read it
    const weir_buffer *buffer; // required: the blocks are read and replaced there
    uint64_t offset;           // of the first block in `buffer` [bytes], a multiple of block_size
    // Required with weir_rdo_params.steady, else not read: the blocks of the frame before, which
    // are replaced by those of this frame. Another buffer than `buffer`, with room for as many
    // bytes. It may be that of weir_encode.history, behind the blocks there. Zeros before the first
    // frame.
    const weir_buffer *history;
    uint64_t history_offset; // of the first block in `history` [bytes], a multiple of block_size
    // Required with weir_rdo_params.control, else not read: weir_rdo_control_size() bytes, outside
    // of `buffer` and `history`. The host writes a struct weir_rdo_control to their beginning
    // before the commands run, and calls weir_rdo_get_result() afterwards. weir_slot_get_control()
    // has such memory.
    const weir_buffer *control;
    uint64_t control_offset; // of these bytes in `control`, a multiple of 16
    // Record no barrier, so that this run and an earlier one in the same command buffer can
    // overlap. The inputs of both must have been written before the earlier run, neither may use
    // what the other writes, and the earlier run must have a quality below 100 or `control`
    // (without these it records nothing, not even a barrier).
    bool no_barrier;
};

// The input of the kernel that the host writes.
struct weir_rdo_control {
    // The weight of a byte: weir_rdo_lambda() of a quality [squared codes, in 1/16]. Values above
    // that of quality 1 count as quality 1; 0 changes no block.
    uint32_t lambda;
    uint32_t reserved[3];
};

// The result of a frame, which is the same on every device.
struct weir_rdo_result {
    // The squared error of the blocks against the codes that the encoder read: the sum over all
    // texels and all channels of the codec, with `bc7_alpha_unread` without alpha [squared codes,
    // in 1/16]. Blocks are decoded by exact fractions. For YCOCG_BC3 Y, Co and Cg are rounded to a
    // quarter of a code; for other codecs each channel is rounded to a code.
    uint64_t squared_error;
    uint64_t num_bytes; // estimate of Snappy's bytes, a few percent off; of a texture Zstandard's
};

// Get the weight of a byte at a quality: (100 - quality)^2 / 40 [squared codes, in 1/16, rounded
// down]. The quality is clamped to 1 .. 100. Thread-safe.
WEIR_API uint32_t weir_rdo_lambda(double quality);

// Get the size of weir_rdo_run.control for an image of width x height texels [bytes]. 0 if a side
// is 0. Thread-safe.
WEIR_API uint64_t weir_rdo_control_size(uint32_t width, uint32_t height);

// Get the result of a frame from the bytes of weir_rdo_run.control, after the commands have run.
// All fields are zero for NULL. Thread safety: nothing may write the control meanwhile.
WEIR_API struct weir_rdo_result weir_rdo_get_result(const void *control, uint32_t width,
                                                    uint32_t height);

// Get the PSNR of a result, with the peak 255, at most 100 [dB]. `num_samples` is the number of
// texels times weir_codec_info.num_channels (with `bc7_alpha_unread` times 3). Results and numbers
// of samples of several frames may be added up. 100 for NULL. Thread-safe.
WEIR_API double weir_rdo_psnr(const struct weir_rdo_result *result, uint64_t num_samples);

// Record the optimisation of an image's blocks, after weir_cmd_encode() in the same command buffer
// or a later one of the same queue.
//
// Handles: its pipeline, descriptors and push constants; unless `no_barrier`, the barrier after the
// encoding, and after what wrote the history on the same queue.
// Caller: the image as for weir_cmd_encode(); a barrier after (SHADER_WRITE in COMPUTE_SHADER),
// also for a control that the host reads. The bytes are the same on every device. Borrows
// everything until `cmd` has finished executing. Allocates nothing.
// Errors: WEIR_ERROR_INVALID (NULL, a source that is not like weir_rdo_params.like, a buffer
// without room for the image's blocks, a history or control that is missing, too small or `buffer`
// itself). Thread safety: per command buffer.
WEIR_API enum weir_result weir_cmd_rdo(const weir_rdo *rdo, VkCommandBuffer cmd,
                                       const struct weir_rdo_run *run);
