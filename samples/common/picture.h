// SPDX-License-Identifier: MIT
// A frame to draw: what it shows and where.
#ifndef SAMPLE_PICTURE_H
#define SAMPLE_PICTURE_H

#include <stdint.h>
#include <vulkan/vulkan_core.h>

struct progress;

struct picture {
    VkFramebuffer framebuffer;
    uint64_t number;
    double seconds;
    struct progress *progress; // to mark the passes in; NULL but in the first frame of a size
};

#endif
