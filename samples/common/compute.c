// SPDX-License-Identifier: MIT
// A compute pass: a kernel, the images and buffers that it reads and writes, and its constants.
#include "compute.h"

#include "descriptors.h"
#include "report.h"

static uint32_t num_bindings(const struct compute_params *params)
{
    return params->num_textures + params->num_images + params->num_buffers;
}

static VkDescriptorType type_of(const struct compute_params *params, uint32_t binding)
{
    return binding < params->num_textures ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
           : binding < params->num_textures + params->num_images
               ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
               : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static bool make_layouts(const struct gpu *gpu, struct compute *compute)
{
    const struct compute_params *params = &compute->params;
    VkDescriptorSetLayoutBinding bindings[COMPUTE_MAX_BINDINGS];
    for (uint32_t i = 0; i < num_bindings(params); ++i) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = type_of(params, i),
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
            .pImmutableSamplers = i < params->num_textures ? &compute->sampler : NULL,
        };
    }
    const VkPushConstantRange constants = {VK_SHADER_STAGE_COMPUTE_BIT, 0, params->constants_size};
    return descriptors_make_layouts(gpu, bindings, num_bindings(params),
                                    params->constants_size > 0 ? &constants : NULL,
                                    &compute->set_layout, &compute->layout);
}

static bool make_pool(const struct gpu *gpu, struct compute *compute)
{
    const struct compute_params *params = &compute->params;
    VkDescriptorPoolSize sizes[COMPUTE_MAX_BINDINGS];
    for (uint32_t i = 0; i < num_bindings(params); ++i) {
        sizes[i] = (VkDescriptorPoolSize){type_of(params, i), params->max_sets};
    }
    return descriptors_make_pool(gpu, sizes, num_bindings(params), params->max_sets,
                                 &compute->pool);
}

static bool make_pipeline(const struct gpu *gpu, struct compute *compute)
{
    const VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = compute->params.code_size,
        .pCode = compute->params.code,
    };
    VkShaderModule module;
    if (!vulkan_made(vkCreateShaderModule(gpu->device, &code, NULL, &module),
                     "vkCreateShaderModule", &module)) {
        return false;
    }
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = compute->layout,
    };
    const VkResult result = vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &info, NULL,
                                                     &compute->pipeline);
    vkDestroyShaderModule(gpu->device, module, NULL);
    return vulkan_ok(result, "vkCreateComputePipelines");
}

bool compute_init(const struct gpu *gpu, const struct compute_params *params,
                  struct compute *compute)
{
    const VkSamplerCreateInfo sampler = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = VK_FILTER_LINEAR,
        .minFilter = VK_FILTER_LINEAR,
        .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .maxLod = VK_LOD_CLAMP_NONE,
    };
    *compute = (struct compute){.params = *params};
    return vulkan_made(vkCreateSampler(gpu->device, &sampler, NULL, &compute->sampler),
                       "vkCreateSampler", &compute->sampler) &&
           make_layouts(gpu, compute) && make_pool(gpu, compute) && make_pipeline(gpu, compute);
}

void compute_finish(const struct gpu *gpu, struct compute *compute)
{
    vkDestroyPipeline(gpu->device, compute->pipeline, NULL);
    vkDestroyPipelineLayout(gpu->device, compute->layout, NULL);
    vkDestroyDescriptorPool(gpu->device, compute->pool, NULL);
    vkDestroyDescriptorSetLayout(gpu->device, compute->set_layout, NULL);
    vkDestroySampler(gpu->device, compute->sampler, NULL);
    *compute = (struct compute){0};
}

bool compute_reset(const struct gpu *gpu, struct compute *compute)
{
    return vulkan_ok(vkResetDescriptorPool(gpu->device, compute->pool, 0), "vkResetDescriptorPool");
}

bool compute_bind(const struct gpu *gpu, const struct compute *compute, const VkImageView *views,
                  const VkBuffer *buffers, VkDescriptorSet *set)
{
    const struct compute_params *params = &compute->params;
    const uint32_t num_views = params->num_textures + params->num_images;
    VkDescriptorImageInfo images[COMPUTE_MAX_BINDINGS];
    VkDescriptorBufferInfo ranges[COMPUTE_MAX_BINDINGS];
    VkWriteDescriptorSet writes[COMPUTE_MAX_BINDINGS];
    if (!descriptors_make_set(gpu, compute->pool, compute->set_layout, set)) {
        return false;
    }
    for (uint32_t i = 0; i < num_bindings(params); ++i) {
        if (i < num_views) {
            images[i] = (VkDescriptorImageInfo){.imageView = views[i],
                                                .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
        } else {
            ranges[i] = (VkDescriptorBufferInfo){buffers[i - num_views], 0, VK_WHOLE_SIZE};
        }
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = *set,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = type_of(params, i),
            .pImageInfo = &images[i],
            .pBufferInfo = &ranges[i],
        };
    }
    vkUpdateDescriptorSets(gpu->device, num_bindings(params), writes, 0, NULL);
    return true;
}

void compute_run(const struct compute *compute, VkCommandBuffer cmd, VkDescriptorSet set,
                 const void *constants, const uint32_t size[3])
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, compute->pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, compute->layout, 0, 1, &set, 0,
                            NULL);
    if (compute->params.constants_size > 0) {
        vkCmdPushConstants(cmd, compute->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           compute->params.constants_size, constants);
    }
    vkCmdDispatch(cmd, (size[0] + 7) / 8, (size[1] + 7) / 8, size[2]);
}

void compute_barrier(VkCommandBuffer cmd, VkPipelineStageFlags readers)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, readers, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
}
