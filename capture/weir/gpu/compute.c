// SPDX-License-Identifier: MIT
// Compute pipelines of the programs' own kernels, by plain Vulkan.
#include "capture/weir/gpu/compute.h"

enum weir_result cli_layout_init(struct cli_gpu *gpu, const VkDescriptorSetLayoutBinding *bindings,
                                 uint32_t num_bindings, uint32_t push_constants_size,
                                 struct cli_layout *layout)
{
    *layout = (struct cli_layout){0};
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = num_bindings,
        .pBindings = bindings,
    };
    WEIR_TRY(cli_gpu_check_made(vkCreateDescriptorSetLayout(gpu->vk, &set_info, NULL, &layout->set),
                                "vkCreateDescriptorSetLayout", &layout->set));
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, push_constants_size};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &layout->set,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    return cli_gpu_check_made(vkCreatePipelineLayout(gpu->vk, &info, NULL, &layout->pipeline),
                              "vkCreatePipelineLayout", &layout->pipeline);
}

void cli_layout_finish(struct cli_gpu *gpu, struct cli_layout *layout)
{
    vkDestroyPipelineLayout(gpu->vk, layout->pipeline, NULL);
    vkDestroyDescriptorSetLayout(gpu->vk, layout->set, NULL);
    *layout = (struct cli_layout){0};
}

enum weir_result cli_sampler_create(struct cli_gpu *gpu, VkFilter filter, VkSampler *sampler)
{
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = filter,
        .minFilter = filter,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
    };
    return cli_gpu_check_made(vkCreateSampler(gpu->vk, &info, NULL, sampler), "vkCreateSampler",
                              sampler);
}

enum weir_result cli_pool_create(struct cli_gpu *gpu, const VkDescriptorPoolSize *sizes,
                                 uint32_t num_sizes, uint32_t max_sets, VkDescriptorPool *pool)
{
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = max_sets,
        .poolSizeCount = num_sizes,
        .pPoolSizes = sizes,
    };
    return cli_gpu_check_made(vkCreateDescriptorPool(gpu->vk, &info, NULL, pool),
                              "vkCreateDescriptorPool", pool);
}

enum weir_result cli_set_init(struct cli_gpu *gpu, VkDescriptorPool pool,
                              const struct cli_layout *layout, VkWriteDescriptorSet *writes,
                              uint32_t num_writes, VkDescriptorSet *set)
{
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout->set,
    };
    WEIR_TRY(
        cli_gpu_check(vkAllocateDescriptorSets(gpu->vk, &info, set), "vkAllocateDescriptorSets"));
    for (uint32_t i = 0; i < num_writes; i++) {
        writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        writes[i].dstSet = *set;
        writes[i].dstBinding = i;
        writes[i].descriptorCount += writes[i].descriptorCount == 0;
    }
    vkUpdateDescriptorSets(gpu->vk, num_writes, writes, 0, NULL);
    return WEIR_OK;
}

enum weir_result cli_pipeline_create(struct cli_gpu *gpu, const struct cli_layout *layout,
                                     const struct cli_pipeline_params *params, VkPipeline *pipeline)
{
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = params->code_size,
        .pCode = params->code,
    };
    VkShaderModule module = VK_NULL_HANDLE;
    enum weir_result result = cli_gpu_check_made(
        vkCreateShaderModule(gpu->vk, &module_info, NULL, &module), "vkCreateShaderModule",
        &module);
    if (result != WEIR_OK) {
        return result;
    }
    VkSpecializationMapEntry entries[CLI_MAX_CONSTANTS];
    for (uint32_t i = 0; i < params->num_constants; i++) {
        entries[i] = (VkSpecializationMapEntry){i, i * (uint32_t)sizeof(uint32_t),
                                                sizeof(uint32_t)};
    }
    const VkSpecializationInfo specialization = {
        .mapEntryCount = params->num_constants,
        .pMapEntries = entries,
        .dataSize = params->num_constants * sizeof(uint32_t),
        .pData = params->constants,
    };
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &specialization},
        .layout = layout->pipeline,
    };
    result = cli_gpu_check(
        vkCreateComputePipelines(gpu->vk, VK_NULL_HANDLE, 1, &info, NULL, pipeline),
        "vkCreateComputePipelines");
    vkDestroyShaderModule(gpu->vk, module, NULL);
    return result;
}

void cli_cmd_bind(VkCommandBuffer commands, const struct cli_layout *layout, VkPipeline pipeline,
                  VkDescriptorSet set, const void *push_constants, uint32_t push_constants_size)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout->pipeline, 0, 1, &set,
                            0, NULL);
    vkCmdPushConstants(commands, layout->pipeline, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       push_constants_size, push_constants);
}
