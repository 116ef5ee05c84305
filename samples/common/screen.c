// SPDX-License-Identifier: MIT
// The last pass of a sample: a fragment shader over the whole of the image that is shown.
#include "screen.h"

#include "descriptors.h"
#include "film.h"
#include "report.h"

static const uint32_t vert_code[] =
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
        .magFilter = VK_FILTER_LINEAR,
        .minFilter = VK_FILTER_LINEAR,
        .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .maxLod = VK_LOD_CLAMP_NONE,
    };
    if (!vulkan_made(vkCreateSampler(device, &sampler, NULL, &screen->sampler), "vkCreateSampler",
                     &screen->sampler)) {
        return false;
    }
    const struct screen_params *params = &screen->params;
    VkDescriptorSetLayoutBinding bindings[SCREEN_MAX_TEXTURES];
    for (uint32_t i = 0; i < params->num_textures; ++i) {
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                     1, VK_SHADER_STAGE_FRAGMENT_BIT,
                                                     &screen->sampler};
    }
    const VkPushConstantRange constants = {VK_SHADER_STAGE_FRAGMENT_BIT, 0, params->constants_size};
    return descriptors_make_layouts(screen->gpu, bindings, params->num_textures, &constants,
                                    &screen->set_layout, &screen->layout);
}

static bool make_set(struct screen *screen)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                       screen->params.num_textures};
    return descriptors_make_pool(screen->gpu, &size, 1, 1, &screen->pool) &&
           descriptors_make_set(screen->gpu, screen->pool, screen->set_layout, &screen->set);
}

static VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits bit, VkShaderModule module,
                                             const VkSpecializationInfo *constants)
{
    return (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = bit,
        .module = module,
        .pName = "main",
        .pSpecializationInfo = constants,
    };
}

static VkResult make_pipeline(struct screen *screen, VkFormat format, VkShaderModule vert,
                              VkShaderModule frag)
{
    const uint32_t film = film_of(format);
    const VkSpecializationMapEntry entry = {0, 0, sizeof(film)};
    const VkSpecializationInfo constants = {1, &entry, sizeof(film), &film};
    const VkPipelineShaderStageCreateInfo stages[2] = {
        stage(VK_SHADER_STAGE_VERTEX_BIT, vert, NULL),
        stage(VK_SHADER_STAGE_FRAGMENT_BIT, frag, &constants),
    };
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
        .pColorBlendState = &color,
        .pDynamicState = &dynamic,
        .layout = screen->layout,
        .renderPass = screen->pass,
    };
    return vkCreateGraphicsPipelines(screen->gpu->device, VK_NULL_HANDLE, 1, &info, NULL,
                                     &screen->pipeline);
}

static VkResult make_module(const struct gpu *gpu, const uint32_t *code, size_t size,
                            VkShaderModule *out)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = code};
    const VkResult result = vkCreateShaderModule(gpu->device, &info, NULL, out);
    *out = result == VK_SUCCESS ? *out : VK_NULL_HANDLE; // undefined after a failure
    return result;
}

bool screen_init(const struct gpu *gpu, const struct sample_images *images,
                 const struct screen_params *params, struct screen *screen)
{
    *screen = (struct screen){.gpu = gpu, .params = *params};
    if (!make_pass(images, screen) || !make_layouts(screen) || !make_set(screen)) {
        return false;
    }
    VkShaderModule vert = VK_NULL_HANDLE, frag = VK_NULL_HANDLE;
    VkResult result = make_module(gpu, vert_code, sizeof(vert_code), &vert);
    if (result == VK_SUCCESS) {
        result = make_module(gpu, params->code, params->code_size, &frag);
    }
    if (result == VK_SUCCESS) {
        result = make_pipeline(screen, images->format, vert, frag);
    }
    vkDestroyShaderModule(gpu->device, vert, NULL);
    vkDestroyShaderModule(gpu->device, frag, NULL);
    return vulkan_ok(result, "vkCreateGraphicsPipelines");
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

void screen_bind(const struct screen *screen, const VkImageView *views)
{
    VkDescriptorImageInfo images[SCREEN_MAX_TEXTURES];
    for (uint32_t i = 0; i < screen->params.num_textures; ++i) {
        images[i] = (VkDescriptorImageInfo){.imageView = views[i],
                                            .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    }
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = screen->set,
        .descriptorCount = screen->params.num_textures, // runs over to the other bindings
        .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .pImageInfo = images,
    };
    vkUpdateDescriptorSets(screen->gpu->device, 1, &write, 0, NULL);
}

void screen_resize(struct screen *screen, uint32_t width, uint32_t height)
{
    screen->width = width;
    screen->height = height;
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
