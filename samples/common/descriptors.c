// SPDX-License-Identifier: MIT
// Layouts, pools and sets of descriptors.
#include "descriptors.h"

#include "report.h"

bool descriptors_make_layouts(const struct gpu *gpu, const VkDescriptorSetLayoutBinding *bindings,
                              uint32_t num_bindings, const VkPushConstantRange *constants,
                              VkDescriptorSetLayout *set_layout, VkPipelineLayout *layout)
{
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = num_bindings,
        .pBindings = bindings,
    };
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = set_layout,
        .pushConstantRangeCount = constants ? 1 : 0,
        .pPushConstantRanges = constants,
    };
    return vulkan_made(vkCreateDescriptorSetLayout(gpu->device, &set, NULL, set_layout),
                       "vkCreateDescriptorSetLayout", set_layout) &&
           vulkan_made(vkCreatePipelineLayout(gpu->device, &info, NULL, layout),
                       "vkCreatePipelineLayout", layout);
}

bool descriptors_make_pool(const struct gpu *gpu, const VkDescriptorPoolSize *sizes,
                           uint32_t num_sizes, uint32_t max_sets, VkDescriptorPool *pool)
{
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = max_sets,
        .poolSizeCount = num_sizes,
        .pPoolSizes = sizes,
    };
    return vulkan_made(vkCreateDescriptorPool(gpu->device, &info, NULL, pool),
                       "vkCreateDescriptorPool", pool);
}

bool descriptors_make_set(const struct gpu *gpu, VkDescriptorPool pool,
                          VkDescriptorSetLayout layout, VkDescriptorSet *set)
{
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout,
    };
    return vulkan_ok(vkAllocateDescriptorSets(gpu->device, &info, set), "vkAllocateDescriptorSets");
}
