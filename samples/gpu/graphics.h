// SPDX-License-Identifier: MIT
// Graphics pipelines.
#ifndef SAMPLE_GRAPHICS_H
#define SAMPLE_GRAPHICS_H

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

#endif
