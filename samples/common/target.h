// SPDX-License-Identifier: MIT
// An image that frames are rendered to and that Weir reads: of a swapchain, or offscreen.
#ifndef SAMPLE_TARGET_H
#define SAMPLE_TARGET_H

#include <weir/frame.h>

#include "gpu.h"
#include "sample.h"

struct target {
    VkImage image; // borrowed
    VkImageView view;
    VkFramebuffer framebuffer;
    weir_image *captured; // Weir's handle of the same image
};

// Make a target. `params` describes the image to Weir. The sample makes the framebuffer.
bool target_init(const struct gpu *gpu, const struct sample *sample,
                 const struct weir_image_params *params, struct target *target);
// The GPU must not be using the image.
void target_finish(const struct gpu *gpu, struct target *target);

#endif
