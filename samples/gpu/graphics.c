// SPDX-License-Identifier: MIT
// Graphics pipelines.
#include "graphics.h"

#include "report.h"

// What all pipelines have.
static const VkPipelineVertexInputStateCreateInfo no_vertices = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
static const VkPipelineColorBlendAttachmentState cover = {.colorWriteMask = 0xf};
static const VkPipelineViewportStateCreateInfo viewport = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
    .viewportCount = 1,
    .scissorCount = 1,
};
static const VkDynamicState states[2] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
static const VkPipelineDynamicStateCreateInfo dynamic = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
    .dynamicStateCount = 2,
    .pDynamicStates = states,
};

static bool make_pipeline(const struct gpu *gpu, const struct graphics_params *params,
                          const VkPipelineShaderStageCreateInfo stages[2], VkPipeline *out)
{
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = params->is_strip ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP
                                     : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .cullMode = params->cull,
        .lineWidth = 1.0f,
        .depthBiasEnable = params->depth_bias,
        .depthBiasConstantFactor = 1.0f,
        .depthBiasSlopeFactor = 1.5f,
    };
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = params->samples ? params->samples : VK_SAMPLE_COUNT_1_BIT,
    };
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = params->depth_test != VK_COMPARE_OP_NEVER,
        .depthWriteEnable = params->depth_test != VK_COMPARE_OP_NEVER && !params->no_depth_write,
        .depthCompareOp = params->depth_test,
    };
    const VkPipelineColorBlendStateCreateInfo color = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = params->color_format ? 1 : 0,
        .pAttachments = params->blend ? params->blend : &cover,
    };
    const VkPipelineRenderingCreateInfoKHR formats = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO_KHR,
        .colorAttachmentCount = color.attachmentCount,
        .pColorAttachmentFormats = &params->color_format,
        .depthAttachmentFormat = params->depth_format,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &formats,
        .stageCount = params->frag.words ? 2 : 1,
        .pStages = stages,
        .pVertexInputState = params->vertices ? params->vertices : &no_vertices,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pDepthStencilState = &depth,
        .pColorBlendState = &color,
        .pDynamicState = &dynamic,
        .layout = params->layout,
    };
    return vulkan_made(vkCreateGraphicsPipelines(gpu->device, VK_NULL_HANDLE, 1, &info, NULL, out),
                       "vkCreateGraphicsPipelines", out);
}

static void destroy(struct gpu *gpu, void *pipeline)
{
    vkDestroyPipeline(gpu->device, *(VkPipeline *)pipeline, NULL);
    *(VkPipeline *)pipeline = VK_NULL_HANDLE;
}

static bool make_module(const struct gpu *gpu, struct shader shader, VkShaderModule *out)
{
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = shader.size,
                                           .pCode = shader.words};
    return vulkan_made(vkCreateShaderModule(gpu->device, &info, NULL, out), "vkCreateShaderModule",
                       out);
}

bool graphics_init(struct gpu *gpu, const struct graphics_params *params, VkPipeline *out)
{
    const struct shader codes[2] = {params->vert, params->frag};
    VkPipelineShaderStageCreateInfo stages[2] = {{0}};
    bool ok = true;
    gpu_own(gpu, destroy, out);
    for (int i = 0; ok && i < 2 && codes[i].words; ++i) {
        stages[i] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = i == 0 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT,
            .pName = "main",
            .pSpecializationInfo = params->constants,
        };
        ok = make_module(gpu, codes[i], &stages[i].module);
    }
    ok = ok && make_pipeline(gpu, params, stages, out);
    vkDestroyShaderModule(gpu->device, stages[0].module, NULL);
    vkDestroyShaderModule(gpu->device, stages[1].module, NULL);
    return ok;
}
