// SPDX-License-Identifier: MIT
// The colours of a picture, found on the GPU, in a row from dark to light.
#ifndef SAMPLE_STRIP_H
#define SAMPLE_STRIP_H

#include "pass.h"

struct strip {
    struct gpu *gpu;
    struct pass find, sort;
    struct gpu_image table;  // a hash table of the colours that were found
    struct gpu_image colors; // the row: 256 texels, in which each colour has about as many
};

// Make the strip, which the device owns.
bool strip_init(struct gpu *gpu, struct strip *strip);

// Record the row of the picture, in VK_IMAGE_LAYOUT_GENERAL, which compute shaders have written.
// The row can then be read by fragment shaders, in that layout too.
void strip_record(const struct strip *strip, VkCommandBuffer cmd, const struct gpu_image *picture);

#endif
