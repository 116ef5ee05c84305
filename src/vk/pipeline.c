// SPDX-License-Identifier: MIT
// Makes compute pipelines.
#include "vk/pipeline.h"

#include <stdio.h>
#include <string.h>

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
    return WEIR_VK_MAKE(context, PipelineLayout, &info, out);
}

// Before Vulkan 1.2 devices read SPIR-V up to 1.4 (VK_KHR_spirv_1_4). Weir's kernels use nothing
// that is new in 1.5, as unit_spirv_val checks: only the version in their header changes.
static enum weir_result create_module(weir_context *context, const struct weir_vk_kernel *kernel,
                                      VkShaderModule *out)
{
    enum { VERSION = 1, SPIRV_1_4 = 0x10400 }; // a word of the header, and its value
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = (size_t)(kernel->code_end - kernel->code) * sizeof(uint32_t),
        .pCode = kernel->code,
    };
    uint32_t *copy = NULL;
    if (context->api_version < VK_API_VERSION_1_2 && info.codeSize > sizeof(SPIRV_1_4) &&
        kernel->code[VERSION] > SPIRV_1_4) {
        copy = weir_alloc(&context->log, 1, info.codeSize, "a kernel");
        if (!copy) {
            return WEIR_ERROR_OUT_OF_MEMORY;
        }
        memcpy(copy, kernel->code, info.codeSize);
        copy[VERSION] = SPIRV_1_4;
        info.pCode = copy;
    }
    char call[96]; // for messages
    snprintf(call, sizeof(call), "vkCreateShaderModule(%s)", kernel->name);
    const VkResult result = context->vk.CreateShaderModule(context->device, &info, NULL, out);
    free(copy);
    return weir_vk_check(context, result, call);
}

static enum weir_result create_pipeline(weir_context *context,
                                        const struct weir_vk_pipeline_params *params,
                                        const VkSpecializationInfo *specialization,
                                        VkPipelineLayout layout, VkPipeline *out)
{
    WEIR_FAIL_IF(!params->kernel->code, &context->log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_KERNEL_LEFT_OUT,
                 "the kernel %s was left out when Weir was built: name its codec in "
                 "WEIR_CODECS, or leave that empty",
                 params->kernel->name);
    VkShaderModule module = VK_NULL_HANDLE;
    WEIR_TRY(create_module(context, params->kernel, &module));
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
    char call[96]; // for messages
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
