// SPDX-License-Identifier: MIT
// Layouts and sets of the descriptors that kernels use.
#include "vk/descriptors.h"

enum weir_result weir_vk_set_layout_init(weir_context *context,
                                         VkDescriptorSetLayoutCreateFlags flags,
                                         const VkDescriptorSetLayoutBinding *bindings,
                                         uint32_t num_bindings, VkDescriptorSetLayout *out)
{
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = flags,
        .bindingCount = num_bindings,
        .pBindings = bindings,
    };
    return WEIR_VK_MAKE(context, DescriptorSetLayout, &info, out);
}

enum weir_result weir_vk_sampler_init(weir_context *context, VkFilter filter, VkCompareOp compare,
                                      bool has_levels, VkSampler *out)
{
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = filter,
        .minFilter = filter,
        .mipmapMode = has_levels ? (VkSamplerMipmapMode)filter : VK_SAMPLER_MIPMAP_MODE_NEAREST,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .compareEnable = compare != VK_COMPARE_OP_NEVER,
        .compareOp = compare,
        .maxLod = has_levels ? VK_LOD_CLAMP_NONE : 0.0f,
    };
    return WEIR_VK_MAKE(context, Sampler, &info, out);
}

// Make a layout with one descriptor, at binding 0.
static enum weir_result layout_init(weir_context *context, VkDescriptorType type,
                                    const VkSampler *sampler, VkDescriptorSetLayout *out)
{
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = type,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        .pImmutableSamplers = sampler,
    };
    return weir_vk_set_layout_init(context, 0, &binding, 1, out);
}

enum weir_result weir_vk_descriptor_layouts_init(weir_context *context)
{
    WEIR_TRY(weir_vk_sampler_init(context, VK_FILTER_NEAREST, VK_COMPARE_OP_NEVER, false,
                                  &context->gather_sampler));
    WEIR_TRY(layout_init(context, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                         &context->gather_sampler, &context->image_set_layout));
    WEIR_TRY(
        layout_init(context, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, NULL, &context->storage_set_layout));
    return layout_init(context, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL,
                       &context->buffer_set_layout);
}

void weir_vk_descriptor_layouts_finish(weir_context *context)
{
    context->vk.DestroyDescriptorSetLayout(context->device, context->image_set_layout, NULL);
    context->vk.DestroySampler(context->device, context->gather_sampler, NULL);
    context->vk.DestroyDescriptorSetLayout(context->device, context->storage_set_layout, NULL);
    context->vk.DestroyDescriptorSetLayout(context->device, context->buffer_set_layout, NULL);
}

enum weir_result weir_vk_descriptor_pool_init(weir_context *context,
                                              const VkDescriptorPoolSize *sizes, uint32_t num_sizes,
                                              uint32_t max_sets, VkDescriptorPool *out)
{
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = max_sets,
        .poolSizeCount = num_sizes,
        .pPoolSizes = sizes,
    };
    return WEIR_VK_MAKE(context, DescriptorPool, &info, out);
}

enum weir_result weir_vk_descriptor_set_allocate(weir_context *context, VkDescriptorPool pool,
                                                 VkDescriptorSetLayout layout, VkDescriptorSet *out)
{
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout,
    };
    return weir_vk_check_made(context,
                              context->vk.AllocateDescriptorSets(context->device, &info, out),
                              "vkAllocateDescriptorSets", out);
}

enum weir_result weir_vk_descriptor_set_init(weir_context *context, VkDescriptorType type,
                                             uint32_t num_descriptors, VkDescriptorSetLayout layout,
                                             struct weir_vk_descriptor_set *out)
{
    const VkDescriptorPoolSize size = {.type = type, .descriptorCount = num_descriptors};
    WEIR_TRY(weir_vk_descriptor_pool_init(context, &size, 1, 1, &out->pool));
    return weir_vk_descriptor_set_allocate(context, out->pool, layout, &out->set);
}

void weir_vk_descriptor_set_write(const weir_context *context, VkDescriptorSet set,
                                  VkDescriptorType type, uint32_t binding, uint32_t num,
                                  const VkDescriptorImageInfo *images,
                                  const VkDescriptorBufferInfo *ranges)
{
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .dstBinding = binding,
        .descriptorCount = num,
        .descriptorType = type,
        .pImageInfo = images,
        .pBufferInfo = ranges,
    };
    context->vk.UpdateDescriptorSets(context->device, 1, &write, 0, NULL);
}

// A set with one descriptor: an image or a range of a buffer.
static enum weir_result set_init(weir_context *context, VkDescriptorType type,
                                 VkDescriptorSetLayout set_layout,
                                 const VkDescriptorImageInfo *image,
                                 const VkDescriptorBufferInfo *range,
                                 struct weir_vk_descriptor_set *out)
{
    WEIR_TRY(weir_vk_descriptor_set_init(context, type, 1, set_layout, out));
    weir_vk_descriptor_set_write(context, out->set, type, 0, 1, image, range);
    return WEIR_OK;
}

enum weir_result weir_vk_image_set_init(weir_context *context, VkImageView view,
                                        struct weir_vk_descriptor_set *out)
{
    const VkDescriptorImageInfo image = {.imageView = view,
                                         .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    return set_init(context, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, context->image_set_layout,
                    &image, NULL, out);
}

enum weir_result weir_vk_storage_set_init(weir_context *context, VkImageView view,
                                          struct weir_vk_descriptor_set *out)
{
    const VkDescriptorImageInfo image = {.imageView = view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    return set_init(context, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, context->storage_set_layout, &image,
                    NULL, out);
}

enum weir_result weir_vk_buffer_set_init(weir_context *context, VkBuffer buffer, uint64_t offset,
                                         uint64_t size, struct weir_vk_descriptor_set *out)
{
    const VkDescriptorBufferInfo range = {.buffer = buffer, .offset = offset, .range = size};
    return set_init(context, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, context->buffer_set_layout, NULL,
                    &range, out);
}

void weir_vk_descriptor_set_finish(weir_context *context, struct weir_vk_descriptor_set *set)
{
    context->vk.DestroyDescriptorPool(context->device, set->pool, NULL);
    *set = (struct weir_vk_descriptor_set){0};
}
