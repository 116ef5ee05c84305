// SPDX-License-Identifier: MIT
// A render pass of one subpass, which draws to an image, to depth, or to both.
#include "render_pass.h"

#include "report.h"

static const VkImageLayout as_color = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
static const VkImageLayout as_depth = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
static const VkImageLayout as_texture = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;

static bool resolves(const struct render_pass_params *params)
{
    return params->samples > VK_SAMPLE_COUNT_1_BIT;
}

static VkAttachmentDescription2 attachment(const struct render_pass_params *params, VkFormat format,
                                           VkImageLayout layout, bool clears, bool is_kept)
{
    return (VkAttachmentDescription2){
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
        .format = format,
        .samples = resolves(params) ? params->samples : VK_SAMPLE_COUNT_1_BIT,
        .loadOp = params->loads ? VK_ATTACHMENT_LOAD_OP_LOAD
                  : clears      ? VK_ATTACHMENT_LOAD_OP_CLEAR
                                : VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = is_kept ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = params->loads ? layout : VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = layout,
    };
}

// The attachment into which another one is resolved.
static VkAttachmentDescription2 resolved(const VkAttachmentDescription2 *attachment,
                                         VkImageLayout layout)
{
    VkAttachmentDescription2 out = *attachment;
    out.samples = VK_SAMPLE_COUNT_1_BIT;
    out.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    out.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    out.finalLayout = layout;
    return out;
}

// Resolved depth is written at the stage of colour (Vulkan 1.2, 8.4 "Render Pass Multisample
// Resolve Operations").
static void get_dependencies(VkSubpassDependency2 out[2])
{
    const VkPipelineStageFlags writers = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                         VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                         VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
    const VkPipelineStageFlags shaders = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                         VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
    const VkAccessFlags written = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                                  VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    const VkAccessFlags drawn = written | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
                                VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
    out[0] = (VkSubpassDependency2){
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
        .srcSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = writers | shaders,
        .dstStageMask = writers,
        .srcAccessMask = written | VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = drawn,
    };
    out[1] = (VkSubpassDependency2){
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
        .dstSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = writers,
        .dstStageMask = writers | shaders | VK_PIPELINE_STAGE_TRANSFER_BIT,
        .srcAccessMask = written,
        .dstAccessMask = drawn | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_TRANSFER_READ_BIT,
    };
}

// The attachments of a framebuffer, in the order of their views in struct render_pass_views.
enum { COLOR, DEPTH, RESOLVED_COLOR, RESOLVED_DEPTH, NUM_ATTACHMENTS };

// Get which of them a pass has.
static uint32_t which(const struct render_pass_params *params)
{
    const bool color = params->color, depth = params->depth, several = resolves(params);
    return (uint32_t)color << COLOR | (uint32_t)depth << DEPTH |
           (uint32_t)(color && several) << RESOLVED_COLOR |
           (uint32_t)(depth && several && params->keeps_depth) << RESOLVED_DEPTH;
}

bool render_pass_init(const struct gpu *gpu, const struct render_pass_params *params,
                      struct render_pass *pass)
{
    const bool several = resolves(params), keeps = params->keeps_depth;
    const uint32_t has = which(params);
    const VkAttachmentDescription2 color = attachment(params, params->color,
                                                      several ? as_color : params->color_layout,
                                                      params->clears_color, !several);
    const VkAttachmentDescription2 depth = attachment(
        params, params->depth, keeps && !several ? as_texture : as_depth, true, keeps && !several);
    const VkAttachmentDescription2 all[NUM_ATTACHMENTS] = {
        color, depth, resolved(&color, params->color_layout), resolved(&depth, as_texture)};
    VkAttachmentDescription2 attachments[NUM_ATTACHMENTS];
    VkAttachmentReference2 references[NUM_ATTACHMENTS];
    uint32_t num = 0;
    for (int i = 0; i < NUM_ATTACHMENTS; ++i) {
        references[i] = (VkAttachmentReference2){
            .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
            .attachment = has >> i & 1 ? num : VK_ATTACHMENT_UNUSED,
            .layout = i == DEPTH || i == RESOLVED_DEPTH ? as_depth : as_color,
        };
        if (has >> i & 1) {
            attachments[num++] = all[i];
        }
    }
    const VkSubpassDescriptionDepthStencilResolve resolve_depth = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE,
        .depthResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
        .pDepthStencilResolveAttachment = &references[RESOLVED_DEPTH],
    };
    const VkSubpassDescription2 subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
        .pNext = has >> RESOLVED_DEPTH & 1 ? &resolve_depth : NULL,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = params->color ? 1 : 0,
        .pColorAttachments = &references[COLOR],
        .pResolveAttachments = &references[RESOLVED_COLOR],
        .pDepthStencilAttachment = &references[DEPTH],
    };
    VkSubpassDependency2 dependencies[2];
    get_dependencies(dependencies);
    const VkRenderPassCreateInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
        .attachmentCount = num,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 2,
        .pDependencies = dependencies,
    };
    pass->params = *params;
    return vulkan_made(vkCreateRenderPass2(gpu->device, &info, NULL, &pass->pass),
                       "vkCreateRenderPass2", &pass->pass);
}

void render_pass_finish(const struct gpu *gpu, struct render_pass *pass)
{
    vkDestroyRenderPass(gpu->device, pass->pass, NULL);
    *pass = (struct render_pass){0};
}

bool render_pass_framebuffer(const struct gpu *gpu, const struct render_pass *pass,
                             const struct render_pass_views *views, uint32_t width, uint32_t height,
                             VkFramebuffer *out)
{
    const VkImageView all[NUM_ATTACHMENTS] = {views->color, views->depth, views->resolved_color,
                                              views->resolved_depth};
    const uint32_t has = which(&pass->params);
    VkImageView attachments[NUM_ATTACHMENTS];
    uint32_t num = 0;
    for (int i = 0; i < NUM_ATTACHMENTS; ++i) {
        if (has >> i & 1) {
            attachments[num++] = all[i];
        }
    }
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = pass->pass,
        .attachmentCount = num,
        .pAttachments = attachments,
        .width = width,
        .height = height,
        .layers = 1,
    };
    return vulkan_made(vkCreateFramebuffer(gpu->device, &info, NULL, out), "vkCreateFramebuffer",
                       out);
}

void render_pass_begin(const struct render_pass *pass, VkCommandBuffer cmd,
                       VkFramebuffer framebuffer, uint32_t width, uint32_t height)
{
    const VkRect2D area = {{0, 0}, {width, height}};
    const VkViewport viewport = {0.0f, 0.0f, (float)width, (float)height, 0.0f, 1.0f};
    const VkClearValue depth = {.depthStencil = {pass->params.clear_depth, 0}};
    const VkClearValue clear[2] = {pass->params.color ? (VkClearValue){{{0}}} : depth, depth};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass->pass,
        .framebuffer = framebuffer,
        .renderArea = area,
        .clearValueCount = 2,
        .pClearValues = clear,
    };
    vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    vkCmdSetScissor(cmd, 0, 1, &area);
}
