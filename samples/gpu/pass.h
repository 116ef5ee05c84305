// SPDX-License-Identifier: MIT
// A pass: a kernel or another pipeline, what it reads and writes, and its constants.
#pragma once

#include "gpu.h"

#define PASS_MAX_BINDINGS 6

struct pass_params {
    struct shader code; // the kernel of a compute pass; pipelines that draw are made by graphics.h
    // Bindings 0, 1, ...: textures, textures of depth, storage images, storage buffers. Together
    // 1 .. PASS_MAX_BINDINGS. Textures are clamped at the edges.
    uint32_t num_textures, num_images, num_buffers;
    uint32_t constants_size; // size of the push constants [bytes]
    uint32_t num_depths;
    VkShaderStageFlags stages; // 0 = COMPUTE
    bool nearest;              // texels and levels are not filtered
    VkCompareOp compare;       // of textures of depth, with which they are compared; 0 = none
};

struct pass {
    const struct gpu *gpu;
    struct pass_params params;
    struct weir_gpu_layout layout;
    VkPipeline pipeline; // of `code`, or the caller's for drawing; null: the caller binds several
};

// Make a pass, which the device owns.
bool pass_init(struct gpu *gpu, const struct pass_params *params, struct pass *pass);

// What a pass reads and writes, in the order of the bindings, and its constants, all of which live
// until the call returns. Depth is in DEPTH_STENCIL_READ_ONLY_OPTIMAL, other images in GENERAL.
struct bindings {
    const VkImageView *views;
    const VkBuffer *buffers;
    const void *constants;
};
// Record the use of the pipeline.
void pass_use(const struct pass *pass, VkCommandBuffer cmd, struct bindings bindings);
// Do the same for a kernel of 8x8 invocations a workgroup, and run it on so many of them.
void pass_run(const struct pass *pass, VkCommandBuffer cmd, struct bindings bindings,
              uint32_t width, uint32_t height, uint32_t depth);
// Record that what kernels have written is read by these stages, shaders, indirect draws or the
// host, or is written again.
void pass_barrier(VkCommandBuffer cmd, VkPipelineStageFlags readers);
