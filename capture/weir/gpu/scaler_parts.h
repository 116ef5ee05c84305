// SPDX-License-Identifier: MIT
// What the two files of the scaler share.
#ifndef WEIR_CAPTURE_WEIR_GPU_SCALER_PARTS_H
#define WEIR_CAPTURE_WEIR_GPU_SCALER_PARTS_H

#include "capture/weir/gpu/scaler.h"

// The push constants of kernels/shorten.comp.
struct cli_scaler_push {
    uint32_t width, height, num_taps;
};

struct cli_scaler_view {
    VkImage image;
    VkFormat format;
    uint32_t level;
};
enum weir_result cli_scaler_make_view(struct cli_gpu *gpu, const struct cli_scaler_view *params,
                                      VkImageView *view);

#endif
