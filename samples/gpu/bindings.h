// SPDX-License-Identifier: MIT
// What a pipeline reads and writes: the layout of its descriptors and constants, and sets.
#ifndef SAMPLE_BINDINGS_H
#define SAMPLE_BINDINGS_H

#include "gpu.h"

#define BINDINGS_MAX 6

struct bindings_params {
    VkShaderStageFlags stages;
    // Bindings 0, 1, ...: textures, clamped at the edges, then storage images, then storage
    // buffers. Together 1 .. BINDINGS_MAX.
    uint32_t num_textures, num_images, num_buffers;
    VkFilter filter;         // of texels, and of levels
    VkCompareOp compare;     // of textures of depth, with which they are compared; 0 = none
    uint32_t constants_size; // size of the push constants [bytes]
    uint32_t max_sets;       // 0 = 1
};

struct bindings {
    struct bindings_params params;
    VkSampler sampler;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
};

bool bindings_init(const struct gpu *gpu, const struct bindings_params *params,
                   struct bindings *bindings);
// The GPU must not be using the sets during this call or during bindings_reset().
void bindings_finish(const struct gpu *gpu, struct bindings *bindings);

// Forget all sets, as when the images are made anew.
bool bindings_reset(const struct gpu *gpu, const struct bindings *bindings);

// A texture or a storage image, and the layout in which it is then.
struct bindings_image {
    VkImageView view;
    VkImageLayout layout; // 0 = VK_IMAGE_LAYOUT_GENERAL
};
// Make a set, of the images and the buffers in the order of the bindings. An array of which there
// are none may be NULL.
bool bindings_make_set(const struct gpu *gpu, const struct bindings *bindings,
                       const struct bindings_image *images, const VkBuffer *buffers,
                       VkDescriptorSet *set);

// Record the use of a set, and of constants, which may be NULL where there are none.
void bindings_use(const struct bindings *bindings, VkCommandBuffer cmd, VkDescriptorSet set,
                  const void *constants);

#endif
