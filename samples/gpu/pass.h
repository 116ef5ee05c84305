// SPDX-License-Identifier: MIT
// A pass: a kernel or another pipeline, what it reads and writes, and its constants.
#ifndef SAMPLE_PASS_H
#define SAMPLE_PASS_H

#include "gpu.h"

#define PASS_MAX_BINDINGS 6

struct pass_params {
    struct shader code; // the kernel of a compute pass; pipelines that draw are made by graphics.h
    // Bindings 0, 1, ...: textures, textures of depth, storage images, storage buffers. Together
    // 1 .. PASS_MAX_BINDINGS. Textures are clamped at the edges.
    uint32_t num_textures, num_images, num_buffers;
    uint32_t constants_size; // size of the push constants [bytes]
    uint32_t max_sets;       // 0 = 1
    uint32_t num_depths;
    VkShaderStageFlags stages; // 0 = COMPUTE
    bool nearest;              // texels and levels are not filtered
    VkCompareOp compare;       // of textures of depth, with which they are compared; 0 = none
};

struct pass {
    struct pass_params params;
    VkSampler sampler;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkPipeline pipeline; // of `code`, or the caller's for drawing; null: the caller binds several
};

bool pass_init(const struct gpu *gpu, const struct pass_params *params, struct pass *pass);
// Destroy all, with the pipeline. The GPU must not be using the pass during this call or during
// pass_reset().
void pass_finish(const struct gpu *gpu, struct pass *pass);

// Forget all sets, as when the images are made anew.
bool pass_reset(const struct gpu *gpu, const struct pass *pass);
// Make a set of images and buffers, in the order of the bindings. Depth is in
// DEPTH_STENCIL_READ_ONLY_OPTIMAL, other images in GENERAL. An array of which there are none may be
// NULL.
bool pass_make_set(const struct gpu *gpu, const struct pass *pass, const VkImageView *views,
                   const VkBuffer *buffers, VkDescriptorSet *set);

// Record the use of the pipeline, a set, and constants, which may be NULL where there are none.
void pass_use(const struct pass *pass, VkCommandBuffer cmd, VkDescriptorSet set,
              const void *constants);
// Do the same for a kernel of 8x8 invocations a workgroup, and run it on `size` of them.
void pass_run(const struct pass *pass, VkCommandBuffer cmd, VkDescriptorSet set,
              const void *constants, const uint32_t size[3]);
// Record that what kernels have written is read by these stages, shaders, indirect draws or the
// host, or is written again.
void pass_barrier(VkCommandBuffer cmd, VkPipelineStageFlags readers);

#endif
