// SPDX-License-Identifier: MIT
// The descriptor sets of pyramid kernels: shaders/pyramid/interface.glsl and single.glsl.
#ifndef WEIR_PYRAMID_BINDINGS_H
#define WEIR_PYRAMID_BINDINGS_H

#include "vk/context.h"

struct weir_pyramid_bindings {
    VkSampler sampler;             // averages pairs of texels, clamped to the edge
    VkDescriptorSetLayout images;  // set 0: bases, levels and the sampler
    VkDescriptorSetLayout scratch; // set 1: texels and counters of the one-dispatch kernel
    uint32_t num_images;           // images of a batch that one set holds
};

enum weir_result weir_pyramid_bindings_init(weir_context *context, uint32_t num_images,
                                            VkFilter filter, struct weir_pyramid_bindings *out);
void weir_pyramid_bindings_finish(weir_context *context, struct weir_pyramid_bindings *bindings);

#endif
