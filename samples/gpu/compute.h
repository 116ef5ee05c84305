// SPDX-License-Identifier: MIT
// A compute pass: a kernel, the images and buffers that it reads and writes, and its constants.
#ifndef SAMPLE_COMPUTE_H
#define SAMPLE_COMPUTE_H

#include "bindings.h"

struct compute_params {
    struct shader code;
    // Bindings 0, 1, ...: textures, filtered and clamped at the edges, then storage images, then
    // storage buffers.
    uint32_t num_textures, num_images, num_buffers; // together 1 .. BINDINGS_MAX
    uint32_t constants_size;                        // size of the push constants [bytes]
    uint32_t max_sets;                              // most sets on which the kernel runs; 0 = 1
};

struct compute {
    struct bindings bindings;
    VkPipeline pipeline;
};

bool compute_init(const struct gpu *gpu, const struct compute_params *params,
                  struct compute *compute);
// The GPU must not be using the pass during this call or during compute_reset().
void compute_finish(const struct gpu *gpu, struct compute *compute);

// Forget all sets, as when the images are made anew.
bool compute_reset(const struct gpu *gpu, struct compute *compute);
// Make a set of images and buffers, in the order of the bindings. The images are in
// VK_IMAGE_LAYOUT_GENERAL. An array of which there are none may be NULL.
bool compute_bind(const struct gpu *gpu, const struct compute *compute, const VkImageView *views,
                  const VkBuffer *buffers, VkDescriptorSet *set);

// Record a dispatch of width x height x depth invocations, in workgroups of 8x8x1.
void compute_run(const struct compute *compute, VkCommandBuffer cmd, VkDescriptorSet set,
                 const void *constants, const uint32_t size[3]);

// Record a barrier: the stages `readers` may then read and overwrite the writes of compute shaders.
void compute_barrier(VkCommandBuffer cmd, VkPipelineStageFlags readers);

#endif
