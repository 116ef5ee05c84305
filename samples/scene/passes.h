// SPDX-License-Identifier: MIT
// The two render passes of the scene, and their images: the sun's shadow map, and the picture.
#ifndef SAMPLE_PASSES_H
#define SAMPLE_PASSES_H

#include "render_pass.h"

#define SHADOW_SIDE 1536

// Usage of `depth_texture` below.
#define PASSES_DEPTH_TEXTURE_USAGE                                                                 \
    (VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT)

// The images that the picture is drawn to.
struct passes_params {
    VkFormat format;
    VkImageLayout final_layout; // the layout in which the pass leaves them
    bool keeps_depth;           // shaders read the picture's depth from `depth_texture`
    // The floor mirrors nothing, and alpha is 1 less the share of what it is to mirror. Else the
    // scene is drawn upside down below the floor.
    bool bare_floor;
};

struct passes {
    struct passes_params params;
    VkFormat depth_format;
    VkFilter shadow_filter;
    struct render_pass shadow, picture;
    struct gpu_image shadow_map; // DEPTH_STENCIL_READ_ONLY_OPTIMAL after its pass
    VkFramebuffer shadow_framebuffer;

    uint32_t width, height; // size of the attachments below; 0 before passes_resize()
    struct gpu_image depth, color;
    struct gpu_image depth_texture; // with params.keeps_depth; DEPTH_STENCIL_READ_ONLY_OPTIMAL
};

// The picture has four samples, or one if the device cannot have four.
bool passes_init(const struct gpu *gpu, const struct passes_params *params, struct passes *passes);
void passes_finish(const struct gpu *gpu, struct passes *passes);

// Make the attachments for pictures of this size. The GPU must not be using them.
bool passes_resize(const struct gpu *gpu, uint32_t width, uint32_t height, struct passes *passes);

// Make a framebuffer that renders the picture to `view`, an image of the size of passes_resize().
bool passes_framebuffer(const struct gpu *gpu, const struct passes *passes, VkImageView view,
                        VkFramebuffer *out);

#endif
