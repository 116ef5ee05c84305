// SPDX-License-Identifier: MIT
// Frames become smaller on the device, as light: by a filter along rows, and one along columns.
#pragma once

#include "capture/weir/common/options.h"
#include "capture/weir/gpu/gpu.h"
#include "capture/weir/gpu/taps.h"

struct cli_scaler_params {
    // Of the frames and of the results: RGBA of 8 or 16 bits, which are display codes, or of
    // halves, which are light.
    VkFormat format;
    struct cli_size from, to; // no side of `to` is above that of `from`
    bool has_alpha;           // straight. Else alpha is not read
    bool multiplies;          // the codes of the results, by alpha
};

// A pass over one axis, with its taps.
struct cli_scaler_pass {
    VkPipeline pipeline;
    struct weir_gpu_buffer taps;
    VkExtent2D size; // of its result [texels]
    uint32_t num_taps;
};

// The push constants of a pass (kernels/shorten.comp).
struct cli_scaler_push {
    uint32_t width, height, num_taps;
};

// What frames of one size share. It is for the calls of one thread, and a zeroed one may be
// finished.
struct cli_scaler {
    struct cli_scaler_params params;
    struct cli_gpu *gpu;
    struct weir_gpu_layout layout;
    struct cli_scaler_pass across; // without a pipeline where the width stays
    struct cli_scaler_pass down;
    struct weir_gpu_image middle; // between the two: light, multiplied by alpha
    VkImageView middle_view;
};

// A frame and its result. A zeroed one may be finished.
struct cli_scaled {
    struct cli_image result; // in SHADER_READ_ONLY_OPTIMAL after a run
    VkImageView source_view, result_view;
    VkDescriptorPool pool;
    VkDescriptorSet across, down;
    VkCommandBuffer commands; // of the last run
};

// True if the device can write such frames.
bool cli_scaler_writes(const struct cli_gpu *gpu, VkFormat format);

// Print the reason of a failure. Finish it in every case, after its frames.
enum weir_result cli_scaler_init(struct cli_scaler *scaler, struct cli_gpu *gpu,
                                 const struct cli_scaler_params *params);
void cli_scaler_finish(struct cli_scaler *scaler);

// The same for a frame, which is in SHADER_READ_ONLY_OPTIMAL in each run.
enum weir_result cli_scaled_init(struct cli_scaled *scaled, const struct cli_scaler *scaler,
                                 const weir_image *source);
void cli_scaled_finish(struct cli_scaled *scaled, const struct cli_scaler *scaler);

// Make the result of what the frame holds when what was submitted before is done; the last run of
// it is done. `*done` becomes the point of completion. Prints the reason of a failure.
enum weir_result cli_scaled_run(struct cli_scaled *scaled, const struct cli_scaler *scaler,
                                struct weir_point *done);
