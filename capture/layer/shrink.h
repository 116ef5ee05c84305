// SPDX-License-Identifier: MIT
// Makes frames smaller before they are encoded: a level of a pyramid of the swapchain's image.
#ifndef WEIR_CAPTURE_LAYER_SHRINK_H
#define WEIR_CAPTURE_LAYER_SHRINK_H

#include <stdbool.h>
#include <stdint.h>
#include <weir/image.h>
#include <weir/pyramid.h>

#include "capture/layer/host.h"

// The levels of one frame, which each frame makes anew, on one queue. Level 1 of the pyramid is
// level 0 of the image.
struct layer_shrink {
    weir_gpu *gpu;
    uint32_t level; // that is recorded, from 1 on
    struct weir_gpu_image levels;
    weir_image *image; // the wrapper of `levels`
    weir_pyramid *pyramid;
    weir_pyramid_target **targets; // one for each image of the swapchain
    uint32_t num_targets;
};

// Make it for images of a swapchain, which are `width` x `height`. False: it cannot be; the log
// says why, or there is no memory.
bool layer_shrink_init(struct layer_shrink *shrink, const struct layer_host *host,
                       weir_image *const *images, uint32_t num_images, uint32_t level);
// The GPU has done what was recorded. All zero is allowed.
void layer_shrink_finish(struct layer_shrink *shrink);

// Record the levels of an image, which kernels can read. Those of shrink->image can be read behind
// it.
enum weir_result layer_cmd_shrink(const struct layer_shrink *shrink, VkCommandBuffer cmd,
                                  uint32_t image);

#endif
