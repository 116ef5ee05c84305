// SPDX-License-Identifier: MIT
// Makes compute pipelines.
#include "vk/pipeline.h"

#include <stdio.h>

#include "vk/context.h"

enum weir_result weir_vk_pipeline_layout_init(weir_context *context, VkShaderStageFlags stages,
                                              const struct weir_vk_pipeline_params *params,
                                              VkPipelineLayout *out)
{
    const VkPushConstantRange range = {.stageFlags = stages, .size = params->push_constants_size};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = params->num_set_layouts,
        .pSetLayouts = params->set_layouts,
        .pushConstantRangeCount = range.size > 0 ? 1 : 0,
        .pPushConstantRanges = &range,
    };
    return weir_vk_check_made(context,
                              context->vk.CreatePipelineLayout(context->device, &info, NULL, out),
                              "vkCreatePipelineLayout", out);
}

static enum weir_result create_pipeline(weir_context *context,
                                        const struct weir_vk_pipeline_params *params,
                                        const VkSpecializationInfo *specialization,
                                        VkPipelineLayout layout, VkPipeline *out)
{
    if (!params->kernel->code) {
        return weir_fail(&context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_KERNEL_LEFT_OUT,
                         "the kernel %s was left out when Weir was built: name its codec in "
                         "WEIR_CODECS, or leave that empty",
                         params->kernel->name);
    }
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = (size_t)(params->kernel->code_end - params->kernel->code) * sizeof(uint32_t),
        .pCode = params->kernel->code,
    };
    char call[96]; // for messages
    snprintf(call, sizeof(call), "vkCreateShaderModule(%s)", params->kernel->name);
    VkShaderModule module = VK_NULL_HANDLE;
    WEIR_TRY(weir_vk_check(
        context, context->vk.CreateShaderModule(context->device, &module_info, NULL, &module),
        call));
    // A size that is asked for must divide the workgroup into at most maxComputeWorkgroupSubgroups
    // (VUID-VkPipelineShaderStageCreateInfo-pNext-02756). The device's own size need not be asked
    // for.
    const bool is_default = params->subgroup_size == 0 ||
                            params->subgroup_size == context->subgroup.subgroupSize;
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = params->subgroup_size,
    };
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = is_default ? NULL : &required,
                  .flags = params->subgroup_size
                               ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT
                               : 0,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = specialization},
        .layout = layout,
    };
    snprintf(call, sizeof(call), "vkCreateComputePipelines(%s)", params->kernel->name);
    const enum weir_result result = weir_vk_check_made(
        context,
        context->vk.CreateComputePipelines(context->device, context->pipeline_cache, 1, &info, NULL,
                                           out),
        call, out);
    context->vk.DestroyShaderModule(context->device, module, NULL);
    return result;
}

enum weir_result weir_vk_compute_init(weir_context *context,
                                      const struct weir_vk_pipeline_params *params,
                                      VkPipelineLayout layout, VkPipeline *out)
{
    *out = VK_NULL_HANDLE;
    VkSpecializationMapEntry entries[WEIR_VK_MAX_CONSTANTS];
    for (uint32_t i = 0; i < params->num_constants; i++) {
        entries[i] = (VkSpecializationMapEntry){
            .constantID = i, .offset = i * sizeof(uint32_t), .size = sizeof(uint32_t)};
    }
    const VkSpecializationInfo specialization = {
        .mapEntryCount = params->num_constants,
        .pMapEntries = entries,
        .dataSize = params->num_constants * sizeof(uint32_t),
        .pData = params->constants,
    };
    WEIR_TRY(create_pipeline(context, params, &specialization, layout, out));
    weir_vk_name(context, VK_OBJECT_TYPE_PIPELINE, (uint64_t)*out, params->kernel->name,
                 params->tag);
    return WEIR_OK;
}

enum weir_result weir_vk_pipeline_init(weir_context *context,
                                       const struct weir_vk_pipeline_params *params,
                                       struct weir_vk_pipeline *out)
{
    *out = (struct weir_vk_pipeline){0};
    enum weir_result result = weir_vk_pipeline_layout_init(context, VK_SHADER_STAGE_COMPUTE_BIT,
                                                           params, &out->layout);
    if (result == WEIR_OK) {
        result = weir_vk_compute_init(context, params, out->layout, &out->pipeline);
    }
    if (result != WEIR_OK) {
        weir_vk_pipeline_finish(context, out);
    }
    return result;
}

void weir_vk_pipeline_finish(weir_context *context, struct weir_vk_pipeline *pipeline)
{
    context->vk.DestroyPipeline(context->device, pipeline->pipeline, NULL);
    context->vk.DestroyPipelineLayout(context->device, pipeline->layout, NULL);
    *pipeline = (struct weir_vk_pipeline){0};
}
