// SPDX-License-Identifier: MIT
// Drawing to an image, to depth, or to both (VK_KHR_dynamic_rendering).
#include "rendering.h"

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
