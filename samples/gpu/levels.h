// SPDX-License-Identifier: MIT
// An image with mip levels, and a view of each.
#ifndef SAMPLE_LEVELS_H
#define SAMPLE_LEVELS_H

#include <weir/image.h>

#include "gpu.h"

#define LEVELS_MAX 16

struct levels {
    struct weir_image_params params;
    struct gpu_image image; // with a view of all levels
    VkImageView views[LEVELS_MAX];
    weir_image *weir; // Weir's handle of the same image
};

// With several layers the views are of arrays; with EXTENDED_USAGE they are not for storage.
bool levels_init(const struct gpu *gpu, const struct weir_image_params *params,
                 struct levels *levels);
// The GPU must not be using the image.
void levels_finish(const struct gpu *gpu, struct levels *levels);

// Record the change to VK_IMAGE_LAYOUT_GENERAL for shaders, after all uses by the frame before. The
// contents are lost.
void levels_discard(const struct gpu *gpu, const struct levels *levels, VkCommandBuffer cmd);

#endif
