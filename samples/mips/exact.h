// SPDX-License-Identifier: MIT
// The exact means: the same levels in 32-bit floats, by a kernel that does as the definition says.
#ifndef SAMPLE_EXACT_H
#define SAMPLE_EXACT_H

#include "pass.h"

struct exact {
    const struct gpu *gpu;
    struct pass mean;
    struct gpu_image levels; // level k is as large as level k + 1 of the picture
    VkDescriptorSet sets[GPU_MAX_LEVELS];
};

bool exact_init(const struct gpu *gpu, struct exact *exact);
void exact_finish(struct exact *exact);

// Set the picture, whose `level0` is in VK_IMAGE_LAYOUT_GENERAL. The GPU must not be using it.
bool exact_bind(struct exact *exact, VkImageView level0, uint32_t width, uint32_t height);

// Record the bringing of the levels into the layout in which they are read, each frame once.
void exact_discard(const struct exact *exact, VkCommandBuffer cmd);

// Record the means of a level of the picture, 1 or more, which fragment shaders can then read in
// VK_IMAGE_LAYOUT_GENERAL.
void exact_record(const struct exact *exact, VkCommandBuffer cmd, uint32_t level);

#endif
