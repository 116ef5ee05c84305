// SPDX-License-Identifier: MIT
// The two render passes of the scene: the sun's shadow map, and the picture with its attachments.
#ifndef SAMPLE_PASSES_H
#define SAMPLE_PASSES_H

#include "gpu.h"

#define SHADOW_SIDE 1536

// Usage of `depth_texture` below.
#define PASSES_DEPTH_TEXTURE_USAGE                                                                 \
    (VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT)

// The images that the picture is drawn to.
struct passes_params {
    VkFormat format;
    VkImageLayout final_layout; // the layout in which the pass leaves them
    // Compute and fragment shaders read the picture, and its depth from `depth_texture`; else it is
    // presented, copied or handed to another queue.
    bool shaded_later;
    // The floor mirrors nothing, and alpha is 1 less the share of what it is to mirror. Else the
    // scene is drawn upside down below the floor.
    bool bare_floor;
};

struct passes {
    struct passes_params params;
    VkFormat depth_format;
    VkSampleCountFlagBits samples; // samples of the picture: 4, or 1 if the device cannot have 4
    VkRenderPass shadow, picture;

    struct gpu_image shadow_map;
    VkFramebuffer shadow_framebuffer;
    VkSampler shadow_sampler;

    uint32_t width, height; // size of the attachments below; 0 before passes_resize()
    struct gpu_image depth, color;
    struct gpu_image depth_texture; // with params.shaded_later; DEPTH_STENCIL_READ_ONLY_OPTIMAL
};

bool passes_init(const struct gpu *gpu, const struct passes_params *params, struct passes *passes);
void passes_finish(const struct gpu *gpu, struct passes *passes);

// Make the attachments for pictures of this size. The GPU must not be using them.
bool passes_resize(const struct gpu *gpu, uint32_t width, uint32_t height, struct passes *passes);

// Make a framebuffer that renders the picture to `view`, an image of the size of passes_resize().
bool passes_framebuffer(const struct gpu *gpu, const struct passes *passes, VkImageView view,
                        VkFramebuffer *out);

#endif
