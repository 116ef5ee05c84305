// SPDX-License-Identifier: MIT
// An image with mip levels, and a view of each.
#ifndef SAMPLE_LEVELS_H
#define SAMPLE_LEVELS_H

#include <weir/image.h>

#include "gpu.h"

#define LEVELS_MAX 16

struct levels_params {
    VkFormat format;
    uint32_t width, height; // of level 0 [texels]
    uint32_t num_levels;
    uint32_t num_layers; // 2 and more: its views are of arrays
    VkImageUsageFlags usage;
};

struct levels {
    struct levels_params params;
    struct gpu_image image; // with a view of all levels
    VkImageView views[LEVELS_MAX];
    weir_image *weir; // the same
};

bool levels_init(const struct gpu *gpu, const struct levels_params *params, struct levels *levels);
// The GPU must not be using it.
void levels_finish(const struct gpu *gpu, struct levels *levels);

// Record: the image in VK_IMAGE_LAYOUT_GENERAL for shaders, after all that the frame before
// did with it. What it held is lost.
void levels_discard(const struct levels *levels, VkCommandBuffer cmd);

#endif
