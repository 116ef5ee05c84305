// SPDX-License-Identifier: MIT
// A pass over the whole picture: a fragment shader makes the image that is shown of textures.
#include "screen.h"

#include "descriptors.h"
#include "film.h"
#include "graphics.h"
#include "report.h"

static const uint32_t screen_vert[] =
#include "screen.vert.inc"
    ;
// Dependencies of the pass. Before it: the last frame may still write the image. After it: a copy
// for --picture, and the release to Weir's queue family; other readers wait for a semaphore.
static bool make_pass(const struct sample_images *images, struct screen *screen)
{
    const VkAttachmentDescription image = {
        .format = images->format,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .finalLayout = images->final_layout,
    };
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .colorAttachmentCount = 1,
                                          .pColorAttachments = &reference};
    const VkPipelineStageFlags writes = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkSubpassDependency dependencies[2] = {
        {VK_SUBPASS_EXTERNAL, 0, writes, writes, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
         VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, 0},
        {0, VK_SUBPASS_EXTERNAL, writes, writes | VK_PIPELINE_STAGE_TRANSFER_BIT,
         VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT, 0},
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &image,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 2,
        .pDependencies = dependencies,
    };
    return vulkan_made(vkCreateRenderPass(screen->gpu->device, &info, NULL, &screen->pass),
                       "vkCreateRenderPass", &screen->pass);
}

static bool make_layouts(struct screen *screen)
{
    VkDevice device = screen->gpu->device;
    const VkSamplerCreateInfo sampler = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = screen->params.filter,
        .minFilter = screen->params.filter,
        .mipmapMode = screen->params.filter == VK_FILTER_LINEAR ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                                                : VK_SAMPLER_MIPMAP_MODE_NEAREST,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .maxLod = VK_LOD_CLAMP_NONE,
    };
    if (!vulkan_made(vkCreateSampler(device, &sampler, NULL, &screen->sampler), "vkCreateSampler",
                     &screen->sampler)) {
        return false;
    }
    const uint32_t num = screen->params.num_textures;
    VkDescriptorSetLayoutBinding bindings[SCREEN_MAX_TEXTURES];
    for (uint32_t i = 0; i < num; ++i) {
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                     1, VK_SHADER_STAGE_FRAGMENT_BIT,
                                                     &screen->sampler};
    }
    const VkPushConstantRange constants = {VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                                           screen->params.constants_size};
    return descriptors_make_layouts(screen->gpu, bindings, num, &constants, &screen->set_layout,
                                    &screen->layout);
}

static bool make_set(struct screen *screen)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                       screen->params.num_textures};
    return descriptors_make_pool(screen->gpu, &size, 1, 1, &screen->pool) &&
           descriptors_make_set(screen->gpu, screen->pool, screen->set_layout, &screen->set);
}

bool screen_init(const struct gpu *gpu, const struct sample_images *images,
                 const struct screen_params *params, struct screen *screen)
{
    *screen = (struct screen){.gpu = gpu, .params = *params};
    if (!make_pass(images, screen) || !make_layouts(screen) || !make_set(screen)) {
        return false;
    }
    const struct graphics_params graphics = {
        .vert = screen_vert,
        .frag = params->code,
        .vert_size = sizeof(screen_vert),
        .frag_size = params->code_size,
        .film = film_of(images->format),
        .layout = screen->layout,
        .pass = screen->pass,
    };
    return graphics_init(gpu, &graphics, &screen->pipeline);
}

void screen_finish(struct screen *screen)
{
    if (!screen->gpu) {
        return;
    }
    VkDevice device = screen->gpu->device;
    vkDestroyPipeline(device, screen->pipeline, NULL);
    vkDestroyDescriptorPool(device, screen->pool, NULL);
    vkDestroyPipelineLayout(device, screen->layout, NULL);
    vkDestroyDescriptorSetLayout(device, screen->set_layout, NULL);
    vkDestroySampler(device, screen->sampler, NULL);
    vkDestroyRenderPass(device, screen->pass, NULL);
    *screen = (struct screen){0};
}

void screen_resize(struct screen *screen, uint32_t width, uint32_t height)
{
    screen->width = width;
    screen->height = height;
}

void screen_bind(const struct screen *screen, const struct screen_texture *textures)
{
    VkDescriptorImageInfo images[SCREEN_MAX_TEXTURES];
    for (uint32_t i = 0; i < screen->params.num_textures; ++i) {
        images[i] = (VkDescriptorImageInfo){.imageView = textures[i].view,
                                            .imageLayout = textures[i].layout};
    }
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = screen->set,
        .descriptorCount = screen->params.num_textures, // runs over to the next bindings
        .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .pImageInfo = images,
    };
    vkUpdateDescriptorSets(screen->gpu->device, 1, &write, 0, NULL);
}

bool screen_framebuffer(const struct screen *screen, VkImageView view, VkFramebuffer *out)
{
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = screen->pass,
        .attachmentCount = 1,
        .pAttachments = &view,
        .width = screen->width,
        .height = screen->height,
        .layers = 1,
    };
    return vulkan_made(vkCreateFramebuffer(screen->gpu->device, &info, NULL, out),
                       "vkCreateFramebuffer", out);
}

void screen_record(const struct screen *screen, VkCommandBuffer cmd, VkFramebuffer framebuffer,
                   const void *constants)
{
    const VkRect2D area = {{0, 0}, {screen->width, screen->height}};
    const VkViewport viewport = {0.0f, 0.0f, (float)screen->width, (float)screen->height,
                                 0.0f, 1.0f};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = screen->pass,
        .framebuffer = framebuffer,
        .renderArea = area,
    };
    vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, screen->pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, screen->layout, 0, 1,
                            &screen->set, 0, NULL);
    vkCmdPushConstants(cmd, screen->layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                       screen->params.constants_size, constants);
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    vkCmdSetScissor(cmd, 0, 1, &area);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
}
