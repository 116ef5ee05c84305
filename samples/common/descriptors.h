// SPDX-License-Identifier: MIT
// Layouts, pools and sets of descriptors. Each call reports what fails.
#ifndef SAMPLES_COMMON_DESCRIPTORS_H
#define SAMPLES_COMMON_DESCRIPTORS_H

#include "gpu.h"

// The layout of a set, and of pipelines that have that set and `constants`, which may be NULL.
bool descriptors_make_layouts(const struct gpu *gpu, const VkDescriptorSetLayoutBinding *bindings,
                              uint32_t num_bindings, const VkPushConstantRange *constants,
                              VkDescriptorSetLayout *set_layout, VkPipelineLayout *layout);

bool descriptors_make_pool(const struct gpu *gpu, const VkDescriptorPoolSize *sizes,
                           uint32_t num_sizes, uint32_t max_sets, VkDescriptorPool *pool);

bool descriptors_make_set(const struct gpu *gpu, VkDescriptorPool pool,
                          VkDescriptorSetLayout layout, VkDescriptorSet *set);

#endif
