// SPDX-License-Identifier: MIT
// The two render passes of a frame: the sun's shadow map, and the picture with its attachments.
#ifndef SAMPLE_CAPTURE_PASSES_H
#define SAMPLE_CAPTURE_PASSES_H

#include "gpu.h"

#define SHADOW_SIDE 1536

struct passes {
    VkFormat format, depth_format;
    VkSampleCountFlagBits samples; // of the picture: 4, or 1 where the device has no 4
    VkRenderPass shadow, picture;

    struct gpu_image shadow_map;
    VkFramebuffer shadow_framebuffer;
    VkSampler shadow_sampler;

    uint32_t width, height; // of the attachments below; 0 before passes_resize()
    struct gpu_image depth, color;
};

// `format` is of the images that will be rendered to, `final_layout` what a frame leaves them in.
bool passes_init(const struct gpu *gpu, VkFormat format, VkImageLayout final_layout,
                 struct passes *passes);
void passes_finish(const struct gpu *gpu, struct passes *passes);

// Make the attachments for pictures of this size. The GPU must not be using them.
bool passes_resize(const struct gpu *gpu, uint32_t width, uint32_t height, struct passes *passes);

// A framebuffer that renders the picture to `view`, an image of the size of passes_resize().
bool passes_framebuffer(const struct gpu *gpu, const struct passes *passes, VkImageView view,
                        VkFramebuffer *out);

#endif
