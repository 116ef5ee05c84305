// SPDX-License-Identifier: MIT
// Rate-distortion optimisation: makes the blocks of an encoder compress better, for less quality.
//
// Blocks of textures hardly compress, because hardly two of them are equal. Between the encoder and
// whatever reads its blocks, this stage replaces blocks, or halves of those of 16 bytes, by earlier
// ones, where that costs little. Snappy writes eight such bytes in two or three. The blocks have
// the same size and format as before, and every decoder reads them.
#ifndef WEIR_RDO_H
#define WEIR_RDO_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/encode.h>
#include <weir/frame.h>
#include <weir/image.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

// The optimiser of the blocks of one codec, for one kind of source image. Immutable: several
// threads may record with it at a time, each into its own command buffer.
typedef struct weir_rdo weir_rdo;

// All pointers are read during weir_rdo_create() only.
struct weir_rdo_params {
    const char *debug_tag;
    enum weir_codec codec; // one with weir_codec_info.has_rdo
    // How much quality is given for bytes, 1 .. 100; 0 = 80. A block takes what has the least
    // D + lambda * R, where D is the squared error of the channels that it holds [codes of 8 bits],
    // each of the same weight, R the bytes that Snappy needs for it, and lambda
    // (100 - quality)^2 / 40, less where the block is smooth. 100 changes nothing. At every
    // quality, a block's squared error grows by at most three times the squared deviation of its
    // texels from their mean, so what has one colour stays as it is; in BC3 and BC5 this holds for
    // either half, in BC7 for colour and for alpha, so alpha of one value stays too. docs/rate.md
    // has what each quality gives.
    uint32_t quality;
    // Required: an image of the kind that was encoded, as weir_encoder_params.like.
    const weir_image *like;
    // As weir_encoder_params of the encoder has them. What its bc1_dither adds counts as an error.
    bool no_dither, bc4_alpha, bc7_alpha_unread;
    // Still parts of the picture keep their bytes: a block takes those that it had in the frame
    // before, where D is then no more than 12 * lambda above that of the encoder's block, and its
    // squared error no more than five times the squared deviation. Other copies count 8 bytes more.
    // Blocks of 8 bytes, and halves of BC3 and BC5, each by itself, are judged by 8 * lambda; so
    // are alpha and colours of BC7, of which both must be that near, and other copies count 16
    // bytes more. With an encoder that is steady too, a still picture with noise then flickers less
    // than without optimisation. weir_rdo_run.history is required then.
    bool steady;
    // Lambda is read from memory when the kernel runs, and `quality` is not used: recorded commands
    // then serve frames of any quality. The result of a frame is written there.
    // weir_rdo_run.control is required then.
    bool control;
};
#define weir_rdo_params(...) WEIR_PARAMS(weir_rdo_params, __VA_ARGS__)

// Make an optimiser. Compiles its pipeline.
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

// An image, and where its blocks are: level 0 of layer 0, encoded whole.
struct weir_rdo_run {
    const weir_image *source;  // required, as the encoder read it
    const weir_buffer *buffer; // required: the blocks are read and replaced there
    uint64_t offset;           // of the first block in `buffer` [bytes], a multiple of block_size
    // Required by an optimiser with `steady`, and not read by others: the blocks of the frame
    // before, which become those of this one. Another buffer than `buffer`, with as many bytes of
    // blocks. It may be that of weir_encode.history, behind the blocks there. Zeros before the
    // first frame.
    const weir_buffer *history;
    uint64_t history_offset; // of the first block in `history` [bytes], a multiple of block_size
    // Required by an optimiser with `control`, and not read by others: weir_rdo_control_size()
    // bytes, neither in `buffer` nor in `history`. The host writes a struct weir_rdo_control to
    // their beginning before the commands run, and reads them by weir_rdo_get_result() after that.
    // They may be those of a readback's slot, weir_slot_get_control().
    const weir_buffer *control;
    uint64_t control_offset; // of these bytes in `control`, a multiple of 16
    // No barrier is recorded: that of an earlier run in the same command buffer serves this one
    // too, since all that it reads was written before that, and neither uses what the other writes.
    // Both may then run at once. The earlier one has a quality below 100 or `control`, as without
    // these nothing is recorded.
    bool no_barrier;
};

// The input of the kernel that the host writes.
struct weir_rdo_control {
    // The weight of a byte, weir_rdo_lambda() of a quality [squared codes, in 1/16]. More than that
    // of quality 1 counts as that, and 0 changes no block.
    uint32_t lambda;
    uint32_t reserved[3];
};

// The result of a frame, which is the same on every device.
struct weir_rdo_result {
    // The squared error of the blocks against the codes of the source that the encoder read, the
    // sum over the channels that the codec holds, with `bc7_alpha_unread` without alpha, of all
    // texels of the image [squared codes, in 1/16]. Blocks are decoded by exact fractions. Those of
    // YCOCG_BC3 round Y, Co and Cg to a quarter of a code, and R, G and B not; those of others
    // round each channel to a code.
    uint64_t squared_error;
    uint64_t num_bytes; // that it counted on for Snappy: a few percent off
};

// Get the weight of a byte at a quality: (100 - quality)^2 / 40, for 1 .. 100; outside of these as
// at the nearest [squared codes, in 1/16, rounded down]. Thread-safe.
WEIR_API uint32_t weir_rdo_lambda(double quality);

// Get the size of the control of an image of that size [bytes]. 0 for an image without texels.
// Thread-safe.
WEIR_API uint64_t weir_rdo_control_size(uint32_t width, uint32_t height);

// Get what a frame has come to from `control`, which has the bytes of weir_rdo_run.control. All
// fields are zero for NULL. Thread safety: nothing else writes the control.
WEIR_API struct weir_rdo_result weir_rdo_get_result(const void *control, uint32_t width,
                                                    uint32_t height);

// Get the PSNR of an image with this squared error, with the peak 255 [dB]; 100 where it would be
// more, or there is no error. `num_samples`: of the image, its texels times
// weir_codec_info.num_channels, with `bc7_alpha_unread` times 3; of results that were added up, the
// samples of all. Thread-safe.
WEIR_API double weir_rdo_psnr(const struct weir_rdo_result *result, uint64_t num_samples);

// Record the optimisation of an image's blocks. Record it behind weir_cmd_encode(), in the same
// command buffer or behind it on the same queue.
//
// Handles: its pipeline, descriptors and push constants; unless `no_barrier`, the barrier after the
// encoding, and after what wrote the history on the same queue.
// Caller: the image as for weir_cmd_encode(); a barrier after, as there (SHADER_WRITE in
// COMPUTE_SHADER), also for a control that the host reads. The bytes are the same on every device.
// Borrows everything until `cmd` has finished executing. Allocates nothing.
// Errors: WEIR_ERROR_INVALID (NULL, a source of another kind, a buffer without room for the
// image's blocks, a history that is missing, too small or the buffer itself, a control likewise).
// Thread safety: per command buffer.
WEIR_API enum weir_result weir_cmd_rdo(const weir_rdo *rdo, VkCommandBuffer cmd,
                                       const struct weir_rdo_run *run);

#ifdef __cplusplus
}
#endif
#endif
