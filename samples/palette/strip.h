// SPDX-License-Identifier: MIT
// The colours of a picture, found on the GPU, in a row from dark to light.
#ifndef SAMPLE_STRIP_H
#define SAMPLE_STRIP_H

#include "pass.h"

struct strip {
    const struct gpu *gpu;
    struct pass find, sort;
    struct gpu_image table;  // a hash table of the colours that were found
    struct gpu_image colors; // the row: 256 texels, in which each colour has about as many
    VkDescriptorSet find_set, sort_set;
};

bool strip_init(const struct gpu *gpu, struct strip *strip);
void strip_finish(struct strip *strip);

// Set the picture, in VK_IMAGE_LAYOUT_GENERAL. The GPU must not be using it.
bool strip_bind(struct strip *strip, VkImageView picture);

// Record the row of the picture, which compute shaders have written. The row can then be read by
// fragment shaders, in VK_IMAGE_LAYOUT_GENERAL.
void strip_record(const struct strip *strip, VkCommandBuffer cmd, uint32_t width, uint32_t height);

#endif
