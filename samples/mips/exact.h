// SPDX-License-Identifier: MIT
// The exact means: the same levels in 32-bit floats, by a kernel that does as the definition says.
#ifndef SAMPLE_EXACT_H
#define SAMPLE_EXACT_H

#include "pass.h"

struct exact {
    struct gpu *gpu;
    struct pass mean;
    struct gpu_image levels; // level k is as large as level k + 1 of the picture
};

// Make the kernel, and the levels of a picture of this size. The device owns them.
bool exact_init(struct gpu *gpu, struct exact *exact);
bool exact_make(struct exact *exact, uint32_t width, uint32_t height);

// Record the means of a level of the picture, 1 or more, of which `level0` is the first. Both are
// in VK_IMAGE_LAYOUT_GENERAL. Fragment shaders can then read them. Each frame begins with
// gpu_image_discard() of the levels.
void exact_record(const struct exact *exact, VkCommandBuffer cmd, VkImageView level0,
                  uint32_t level);

#endif
