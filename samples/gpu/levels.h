// SPDX-License-Identifier: MIT
// An image with mip levels, and a view of each.
#ifndef SAMPLE_LEVELS_H
#define SAMPLE_LEVELS_H

#include <weir/image.h>

#include "gpu.h"

#define LEVELS_MAX 16

struct levels_params {
    VkFormat format;
    uint32_t width, height; // size of level 0 [texels]
    uint32_t num_levels;    // 0 = 1
    uint32_t num_layers;    // 0 = 1; with 2 or more the views are of arrays
    VkImageUsageFlags usage;
    VkImageCreateFlags flags; // with EXTENDED_USAGE the views are not for storage
};

struct levels {
    struct levels_params params;
    struct gpu_image image; // with a view of all levels
    VkImageView views[LEVELS_MAX];
    weir_image *weir; // Weir's handle of the same image
};

bool levels_init(const struct gpu *gpu, const struct levels_params *wanted, struct levels *levels);
// The GPU must not be using the image.
void levels_finish(const struct gpu *gpu, struct levels *levels);

// Record the change to VK_IMAGE_LAYOUT_GENERAL for shaders, after all uses by the frame before. The
// contents are lost.
void levels_discard(const struct levels *levels, VkCommandBuffer cmd);

#endif
