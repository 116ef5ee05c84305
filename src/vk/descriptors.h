// SPDX-License-Identifier: MIT
// The descriptor sets that kernels use. Most hold one image that is read, or one buffer that is
// written.
#pragma once

#include "vk/context.h"

// Make a sampler that repeats edges, of level 0 alone or of all levels, which it filters between
// too. It compares unless `compare` is NEVER.
enum weir_result weir_vk_sampler_init(weir_context *context, VkFilter filter, VkCompareOp compare,
                                      bool has_levels, VkSampler *out);

enum weir_result weir_vk_descriptor_layouts_init(weir_context *context);
void weir_vk_descriptor_layouts_finish(weir_context *context);

// Make a layout. After a failure `*out` is a null handle.
enum weir_result weir_vk_set_layout_init(weir_context *context,
                                         VkDescriptorSetLayoutCreateFlags flags,
                                         const VkDescriptorSetLayoutBinding *bindings,
                                         uint32_t num_bindings, VkDescriptorSetLayout *out);
// Make a pool, and a set in it. After a failure `*out` is a null handle.
enum weir_result weir_vk_descriptor_pool_init(weir_context *context,
                                              const VkDescriptorPoolSize *sizes, uint32_t num_sizes,
                                              uint32_t max_sets, VkDescriptorPool *out);
enum weir_result weir_vk_descriptor_set_allocate(weir_context *context, VkDescriptorPool pool,
                                                 VkDescriptorSetLayout layout,
                                                 VkDescriptorSet *out);

// A set in a pool of its own: made once with its object, never updated on the frame path.
struct weir_vk_descriptor_set {
    VkDescriptorPool pool;
    VkDescriptorSet set;
};

// Make a set of `layout` in a pool of its own. All its descriptors have one type; the caller writes
// them.
enum weir_result weir_vk_descriptor_set_init(weir_context *context, VkDescriptorType type,
                                             uint32_t num_descriptors, VkDescriptorSetLayout layout,
                                             struct weir_vk_descriptor_set *out);
// Write `num` descriptors of one type, from `binding` on: images, or else ranges of buffers.
void weir_vk_descriptor_set_write(const weir_context *context, VkDescriptorSet set,
                                  VkDescriptorType type, uint32_t binding, uint32_t num,
                                  const VkDescriptorImageInfo *images,
                                  const VkDescriptorBufferInfo *ranges);
// Make the set for an image that is read in SHADER_READ_ONLY_OPTIMAL.
enum weir_result weir_vk_image_set_init(weir_context *context, VkImageView view,
                                        struct weir_vk_descriptor_set *out);
// Make the set for an image that is written in GENERAL.
enum weir_result weir_vk_storage_set_init(weir_context *context, VkImageView view,
                                          struct weir_vk_descriptor_set *out);
// Make the set for a range of `buffer` [bytes].
enum weir_result weir_vk_buffer_set_init(weir_context *context, VkBuffer buffer, uint64_t offset,
                                         uint64_t size, struct weir_vk_descriptor_set *out);
void weir_vk_descriptor_set_finish(weir_context *context, struct weir_vk_descriptor_set *set);
