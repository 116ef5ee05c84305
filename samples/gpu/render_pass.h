// SPDX-License-Identifier: MIT
// A render pass of one subpass, which draws to an image, to depth, or to both.
#ifndef SAMPLE_RENDER_PASS_H
#define SAMPLE_RENDER_PASS_H

#include "gpu.h"

struct render_pass_params {
    VkFormat color;             // UNDEFINED: depth alone
    VkImageLayout color_layout; // the layout in which the pass leaves the image
    VkFormat depth;             // UNDEFINED: none
    // Shaders read the depth after the pass, which leaves it in DEPTH_STENCIL_READ_ONLY_OPTIMAL.
    bool keeps_depth;
    // Begin with what the images hold, both in the layouts in which a pass leaves them. Else depth
    // is cleared, and what is in the image is lost unless `clears_color`.
    bool loads, clears_color;
    float clear_depth;
    // With several samples the pass draws to images of that many, and resolves them at its end:
    // light to its mean, depth to sample 0, which is the depth of something.
    VkSampleCountFlagBits samples; // 0 = 1
};

struct render_pass {
    struct render_pass_params params;
    VkRenderPass pass;
};

// The pass waits for all that drew to its images or read them in shaders before, and all that draws
// to them, reads them in shaders or copies them later waits for the pass.
bool render_pass_init(const struct gpu *gpu, const struct render_pass_params *params,
                      struct render_pass *pass);
void render_pass_finish(const struct gpu *gpu, struct render_pass *pass);

// The images of a framebuffer; null where the params have none.
struct render_pass_views {
    VkImageView color, depth;
    VkImageView resolved_color, resolved_depth; // with several samples, the latter if it is kept
};
bool render_pass_framebuffer(const struct gpu *gpu, const struct render_pass *pass,
                             const struct render_pass_views *views, uint32_t width, uint32_t height,
                             VkFramebuffer *out);

// Begin the pass, with a viewport and a scissor of this size. vkCmdEndRenderPass() ends it.
void render_pass_begin(const struct render_pass *pass, VkCommandBuffer cmd,
                       VkFramebuffer framebuffer, uint32_t width, uint32_t height);

#endif
