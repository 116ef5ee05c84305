// SPDX-License-Identifier: MIT
// Graphics pipelines, and drawing with them.
#pragma once

#include "gpu.h"

struct graphics_params {
    struct shader vert, frag;              // without `frag` only depth is drawn
    const VkSpecializationInfo *constants; // of both shaders; may be NULL
    VkPipelineLayout layout;
    // What the pipeline draws to. UNDEFINED: depth alone, or no depth.
    VkFormat color_format, depth_format;
    VkSampleCountFlagBits samples;                        // 0 = 1
    const VkPipelineVertexInputStateCreateInfo *vertices; // NULL: shaders read no vertex buffers
    bool is_strip;                                        // else a list of triangles
    VkCullModeFlags cull;
    VkCompareOp depth_test; // 0 = none, and no depth is written
    bool no_depth_write;
    bool depth_bias; // for shadows
    // NULL: what is drawn covers what was there.
    const VkPipelineColorBlendAttachmentState *blend;
};

// Make a pipeline, which the device owns.
bool graphics_init(struct gpu *gpu, const struct graphics_params *params, VkPipeline *out);

// Drawing to an image, to depth, or to both (VK_KHR_dynamic_rendering).
struct rendering {
    const struct gpu_image *color; // NULL: depth alone
    VkImageLayout color_layout;    // the layout in which the image is left
    const struct gpu_image *depth; // NULL: none
    // Shaders read the depth afterwards; it is left in DEPTH_STENCIL_READ_ONLY_OPTIMAL.
    bool keeps_depth;
    // With several samples: images of one, to which these are resolved. Light becomes its mean,
    // depth that of sample 0, which is the depth of something. NULL: `color` and `depth` have one.
    const struct gpu_image *resolved_color, *resolved_depth;
    // Begin with what the images hold, both in the layouts in which they are left. Else depth is
    // cleared, and what is in the image is lost unless `clears_color`.
    bool loads, clears_color;
    float clear_depth;
};

// Record the begin, with a viewport and a scissor of the whole image. It waits for all that drew to
// the images or read them in shaders before.
void rendering_begin(const struct gpu *gpu, VkCommandBuffer cmd, const struct rendering *rendering);
// Record the end, of the same. All that draws to the images, reads them in shaders or copies them
// later waits for it.
void rendering_end(const struct gpu *gpu, VkCommandBuffer cmd, const struct rendering *rendering);
