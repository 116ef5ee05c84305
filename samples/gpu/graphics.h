// SPDX-License-Identifier: MIT
// Graphics pipelines.
#ifndef SAMPLE_GRAPHICS_H
#define SAMPLE_GRAPHICS_H

#include "render_pass.h"

struct graphics_code {
    const uint32_t *words;
    size_t size; // [bytes]
};

struct graphics_params {
    struct graphics_code vert, frag;       // without `frag` only depth is drawn
    const VkSpecializationInfo *constants; // of both shaders; may be NULL
    VkPipelineLayout layout;
    const struct render_pass *pass;                       // in which the pipeline draws
    const VkPipelineVertexInputStateCreateInfo *vertices; // NULL: shaders read no vertex buffers
    bool is_strip;                                        // else a list of triangles
    VkCullModeFlags cull;
    VkCompareOp depth_test; // 0 = none, and no depth is written
    bool no_depth_write;
    bool depth_bias; // for shadows
    // NULL: what is drawn covers what was there.
    const VkPipelineColorBlendAttachmentState *blend;
};

bool graphics_init(const struct gpu *gpu, const struct graphics_params *params, VkPipeline *out);

#endif
