// SPDX-License-Identifier: MIT
// A graphics pipeline of a vertex and a fragment shader that read no vertex buffers.
#ifndef SAMPLE_GRAPHICS_H
#define SAMPLE_GRAPHICS_H

#include "gpu.h"

struct graphics_params {
    const uint32_t *vert, *frag;
    size_t vert_size, frag_size; // [bytes]
    uint32_t film; // constant 0 of the fragment shader: enum film of film.h, or unused
    VkPipelineLayout layout;
    VkRenderPass pass;      // one subpass and one image, of one sample
    VkCompareOp depth_test; // 0 = none, and no depth is written
};

bool graphics_init(const struct gpu *gpu, const struct graphics_params *params, VkPipeline *out);

#endif
