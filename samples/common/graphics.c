// SPDX-License-Identifier: MIT
// A graphics pipeline of a vertex and a fragment shader that read no vertex buffers.
#include "graphics.h"

#include "report.h"

static bool make_stage(const struct gpu *gpu, VkShaderStageFlagBits bit, const uint32_t *code,
                       size_t size, VkPipelineShaderStageCreateInfo *stage)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = code};
    *stage = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = bit,
        .pName = "main",
    };
    return vulkan_made(vkCreateShaderModule(gpu->device, &info, NULL, &stage->module),
                       "vkCreateShaderModule", &stage->module);
}

static bool make_pipeline(const struct gpu *gpu, const struct graphics_params *params,
                          const VkPipelineShaderStageCreateInfo stages[2], VkPipeline *out)
{
    const VkPipelineVertexInputStateCreateInfo vertices = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1,
    };
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1.0f};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = params->depth_test != 0,
        .depthWriteEnable = params->depth_test != 0,
        .depthCompareOp = params->depth_test,
    };
    const VkPipelineColorBlendAttachmentState all = {.colorWriteMask = 0xf};
    const VkPipelineColorBlendStateCreateInfo color = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &all,
    };
    const VkDynamicState states[2] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 2,
        .pDynamicStates = states,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = 2,
        .pStages = stages,
        .pVertexInputState = &vertices,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pDepthStencilState = &depth,
        .pColorBlendState = &color,
        .pDynamicState = &dynamic,
        .layout = params->layout,
        .renderPass = params->pass,
    };
    return vulkan_ok(vkCreateGraphicsPipelines(gpu->device, VK_NULL_HANDLE, 1, &info, NULL, out),
                     "vkCreateGraphicsPipelines");
}

bool graphics_init(const struct gpu *gpu, const struct graphics_params *params, VkPipeline *out)
{
    const VkSpecializationMapEntry entry = {0, 0, sizeof(params->film)};
    const VkSpecializationInfo constants = {1, &entry, sizeof(params->film), &params->film};
    VkPipelineShaderStageCreateInfo stages[2] = {0};
    bool ok = make_stage(gpu, VK_SHADER_STAGE_VERTEX_BIT, params->vert, params->vert_size,
                         &stages[0]) &&
              make_stage(gpu, VK_SHADER_STAGE_FRAGMENT_BIT, params->frag, params->frag_size,
                         &stages[1]);
    stages[1].pSpecializationInfo = &constants;
    ok = ok && make_pipeline(gpu, params, stages, out);
    vkDestroyShaderModule(gpu->device, stages[0].module, NULL);
    vkDestroyShaderModule(gpu->device, stages[1].module, NULL);
    return ok;
}
