// SPDX-License-Identifier: MIT
// What a pipeline reads and writes: the layout of its descriptors and constants, and sets.
#include "bindings.h"

#include "report.h"

static uint32_t count(const struct bindings_params *params)
{
    return params->num_textures + params->num_images + params->num_buffers;
}

static VkDescriptorType type_of(const struct bindings_params *params, uint32_t binding)
{
    return binding < params->num_textures ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
           : binding < params->num_textures + params->num_images
               ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
               : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static bool make_sampler(const struct gpu *gpu, struct bindings *bindings)
{
    const struct bindings_params *params = &bindings->params;
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = params->filter,
        .minFilter = params->filter,
        .mipmapMode = params->filter == VK_FILTER_LINEAR ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                                         : VK_SAMPLER_MIPMAP_MODE_NEAREST,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .compareEnable = params->compare != VK_COMPARE_OP_NEVER,
        .compareOp = params->compare,
        .maxLod = VK_LOD_CLAMP_NONE,
    };
    return vulkan_made(vkCreateSampler(gpu->device, &info, NULL, &bindings->sampler),
                       "vkCreateSampler", &bindings->sampler);
}

static bool make_layouts(const struct gpu *gpu, struct bindings *bindings)
{
    const struct bindings_params *params = &bindings->params;
    VkDescriptorSetLayoutBinding all[BINDINGS_MAX];
    for (uint32_t i = 0; i < count(params); ++i) {
        all[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = type_of(params, i),
            .descriptorCount = 1,
            .stageFlags = params->stages,
            .pImmutableSamplers = i < params->num_textures ? &bindings->sampler : NULL,
        };
    }
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count(params),
        .pBindings = all,
    };
    const VkPushConstantRange constants = {params->stages, 0, params->constants_size};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &bindings->set_layout,
        .pushConstantRangeCount = params->constants_size > 0 ? 1 : 0,
        .pPushConstantRanges = &constants,
    };
    return vulkan_made(vkCreateDescriptorSetLayout(gpu->device, &set, NULL, &bindings->set_layout),
                       "vkCreateDescriptorSetLayout", &bindings->set_layout) &&
           vulkan_made(vkCreatePipelineLayout(gpu->device, &info, NULL, &bindings->layout),
                       "vkCreatePipelineLayout", &bindings->layout);
}

static bool make_pool(const struct gpu *gpu, struct bindings *bindings)
{
    const struct bindings_params *params = &bindings->params;
    VkDescriptorPoolSize sizes[BINDINGS_MAX];
    for (uint32_t i = 0; i < count(params); ++i) {
        sizes[i] = (VkDescriptorPoolSize){type_of(params, i), params->max_sets};
    }
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = params->max_sets,
        .poolSizeCount = count(params),
        .pPoolSizes = sizes,
    };
    return vulkan_made(vkCreateDescriptorPool(gpu->device, &info, NULL, &bindings->pool),
                       "vkCreateDescriptorPool", &bindings->pool);
}

bool bindings_init(const struct gpu *gpu, const struct bindings_params *params,
                   struct bindings *bindings)
{
    *bindings = (struct bindings){.params = *params};
    bindings->params.max_sets += params->max_sets == 0;
    return make_sampler(gpu, bindings) && make_layouts(gpu, bindings) && make_pool(gpu, bindings);
}

void bindings_finish(const struct gpu *gpu, struct bindings *bindings)
{
    vkDestroyDescriptorPool(gpu->device, bindings->pool, NULL);
    vkDestroyPipelineLayout(gpu->device, bindings->layout, NULL);
    vkDestroyDescriptorSetLayout(gpu->device, bindings->set_layout, NULL);
    vkDestroySampler(gpu->device, bindings->sampler, NULL);
    *bindings = (struct bindings){0};
}

bool bindings_reset(const struct gpu *gpu, const struct bindings *bindings)
{
    return vulkan_ok(vkResetDescriptorPool(gpu->device, bindings->pool, 0),
                     "vkResetDescriptorPool");
}

bool bindings_make_set(const struct gpu *gpu, const struct bindings *bindings,
                       const struct bindings_image *images, const VkBuffer *buffers,
                       VkDescriptorSet *set)
{
    const struct bindings_params *params = &bindings->params;
    const uint32_t num_images = params->num_textures + params->num_images;
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = bindings->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &bindings->set_layout,
    };
    VkDescriptorImageInfo views[BINDINGS_MAX];
    VkDescriptorBufferInfo ranges[BINDINGS_MAX];
    VkWriteDescriptorSet writes[BINDINGS_MAX];
    if (!vulkan_ok(vkAllocateDescriptorSets(gpu->device, &info, set), "vkAllocateDescriptorSets")) {
        return false;
    }
    for (uint32_t i = 0; i < count(params); ++i) {
        if (i < num_images) {
            views[i] = (VkDescriptorImageInfo){
                .imageView = images[i].view,
                .imageLayout = images[i].layout ? images[i].layout : VK_IMAGE_LAYOUT_GENERAL};
        } else {
            ranges[i] = (VkDescriptorBufferInfo){buffers[i - num_images], 0, VK_WHOLE_SIZE};
        }
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = *set,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = type_of(params, i),
            .pImageInfo = &views[i],
            .pBufferInfo = &ranges[i],
        };
    }
    vkUpdateDescriptorSets(gpu->device, count(params), writes, 0, NULL);
    return true;
}

void bindings_use(const struct bindings *bindings, VkCommandBuffer cmd, VkDescriptorSet set,
                  const void *constants)
{
    const struct bindings_params *params = &bindings->params;
    const VkPipelineBindPoint point = params->stages == VK_SHADER_STAGE_COMPUTE_BIT
                                          ? VK_PIPELINE_BIND_POINT_COMPUTE
                                          : VK_PIPELINE_BIND_POINT_GRAPHICS;
    vkCmdBindDescriptorSets(cmd, point, bindings->layout, 0, 1, &set, 0, NULL);
    if (params->constants_size > 0) {
        vkCmdPushConstants(cmd, bindings->layout, params->stages, 0, params->constants_size,
                           constants);
    }
}
