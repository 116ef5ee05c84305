// SPDX-License-Identifier: MIT
// Graphics pipelines, and drawing with them.
#include "graphics.h"

#include "report.h"

// What all pipelines have.
static const VkPipelineVertexInputStateCreateInfo no_vertices = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
static const VkPipelineColorBlendAttachmentState cover = {.colorWriteMask = 0xf};
static const VkPipelineViewportStateCreateInfo one_viewport = {
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
        .pViewportState = &one_viewport,
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

static const VkImageLayout as_color = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
static const VkImageLayout as_depth = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
static const VkImageLayout as_texture = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;

static const VkPipelineStageFlags shaders = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                            VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
// Resolved depth is written at the stage of colour (Vulkan 1.3, 8.1 "Render Pass Objects").
static const VkPipelineStageFlags writers = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                            VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                            VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
static const VkAccessFlags written = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                                     VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
static const VkAccessFlags drawn = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                                   VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT |
                                   VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
                                   VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT;

static VkRenderingAttachmentInfoKHR attach(const struct rendering *rendering,
                                           const struct gpu_image *image,
                                           const struct gpu_image *resolved, VkImageLayout layout,
                                           bool clears, bool is_kept)
{
    return (VkRenderingAttachmentInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO_KHR,
        .imageView = image ? image->view : VK_NULL_HANDLE,
        .imageLayout = layout,
        .resolveMode = !resolved            ? VK_RESOLVE_MODE_NONE
                       : layout == as_depth ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT
                                            : VK_RESOLVE_MODE_AVERAGE_BIT,
        .resolveImageView = resolved ? resolved->view : VK_NULL_HANDLE,
        .resolveImageLayout = layout,
        .loadOp = rendering->loads ? VK_ATTACHMENT_LOAD_OP_LOAD
                  : clears         ? VK_ATTACHMENT_LOAD_OP_CLEAR
                                   : VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = is_kept && !resolved ? VK_ATTACHMENT_STORE_OP_STORE
                                        : VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .clearValue = layout == as_depth
                          ? (VkClearValue){.depthStencil = {rendering->clear_depth, 0}}
                          : (VkClearValue){{{0}}},
    };
}

// Record the change of an image, which may be NULL, from the layout in which it is left to the one
// in which it is drawn to, or back.
static void change(const struct gpu *gpu, VkCommandBuffer cmd, const struct rendering *rendering,
                   const struct gpu_image *image, bool begins)
{
    if (!image) {
        return;
    }
    const bool is_color = image == rendering->color || image == rendering->resolved_color;
    const VkImageLayout layout = is_color ? as_color : as_depth;
    const VkImageLayout left = is_color ? rendering->color_layout : as_texture;
    struct weir_gpu_scope before = {writers | shaders, written | VK_ACCESS_SHADER_WRITE_BIT,
                                    rendering->loads ? left : VK_IMAGE_LAYOUT_UNDEFINED};
    struct weir_gpu_scope after = {writers, drawn, layout};
    if (!begins) {
        before = (struct weir_gpu_scope){writers, written, layout};
        after = (struct weir_gpu_scope){writers | shaders | VK_PIPELINE_STAGE_TRANSFER_BIT,
                                        drawn | VK_ACCESS_SHADER_READ_BIT |
                                            VK_ACCESS_SHADER_WRITE_BIT |
                                            VK_ACCESS_TRANSFER_READ_BIT,
                                        left};
    }
    weir_cmd_barrier(gpu->work, cmd, &image->params, before, after);
}

void rendering_begin(const struct gpu *gpu, VkCommandBuffer cmd, const struct rendering *rendering)
{
    const struct weir_image_params *size = rendering->color ? &rendering->color->params
                                                            : &rendering->depth->params;
    const VkRect2D area = {{0, 0}, {size->width, size->height}};
    const VkViewport viewport = {0.0f, 0.0f, (float)size->width, (float)size->height, 0.0f, 1.0f};
    const VkRenderingAttachmentInfoKHR color = attach(rendering, rendering->color,
                                                      rendering->resolved_color, as_color,
                                                      rendering->clears_color, true);
    const VkRenderingAttachmentInfoKHR depth = attach(rendering, rendering->depth,
                                                      rendering->resolved_depth, as_depth, true,
                                                      rendering->keeps_depth);
    const VkRenderingInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO_KHR,
        .renderArea = area,
        .layerCount = 1,
        .colorAttachmentCount = rendering->color ? 1 : 0,
        .pColorAttachments = &color,
        .pDepthAttachment = rendering->depth ? &depth : NULL,
    };
    change(gpu, cmd, rendering, rendering->color, true);
    change(gpu, cmd, rendering, rendering->depth, true);
    change(gpu, cmd, rendering, rendering->resolved_color, true);
    change(gpu, cmd, rendering, rendering->resolved_depth, true);
    gpu->begin_rendering(cmd, &info);
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    vkCmdSetScissor(cmd, 0, 1, &area);
}

void rendering_end(const struct gpu *gpu, VkCommandBuffer cmd, const struct rendering *rendering)
{
    const struct gpu_image *color = rendering->resolved_color ? rendering->resolved_color
                                                              : rendering->color;
    const struct gpu_image *depth = rendering->resolved_depth ? rendering->resolved_depth
                                                              : rendering->depth;
    gpu->end_rendering(cmd);
    change(gpu, cmd, rendering, color, false);
    change(gpu, cmd, rendering, rendering->keeps_depth ? depth : NULL, false);
}
