// SPDX-License-Identifier: MIT
// The last pass: light and what an effect adds to it, exposed and developed into the image that
// is shown.
#include "combine.h"

#include "descriptors.h"
#include "film.h"
#include "report.h"

static const uint32_t combine_vert[] =
#include "combine.vert.inc"
    ;
static const uint32_t combine_frag[] =
#include "combine.frag.inc"
    ;

struct constants {
    float strength, exposure;
};

// Dependencies of the pass. Before it: the last frame may still write the image. After it: a copy
// for --picture, and the release to Weir's queue family; other readers wait for a semaphore.
static bool make_pass(const struct sample_images *images, struct combine *combine)
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
    return vulkan_made(vkCreateRenderPass(combine->gpu->device, &info, NULL, &combine->pass),
                       "vkCreateRenderPass", &combine->pass);
}

static bool make_layouts(struct combine *combine)
{
    VkDevice device = combine->gpu->device;
    const VkSamplerCreateInfo sampler = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = VK_FILTER_LINEAR,
        .minFilter = VK_FILTER_LINEAR,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
    };
    if (!vulkan_made(vkCreateSampler(device, &sampler, NULL, &combine->sampler), "vkCreateSampler",
                     &combine->sampler)) {
        return false;
    }
    VkDescriptorSetLayoutBinding bindings[2];
    for (uint32_t i = 0; i < 2; ++i) {
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                     1, VK_SHADER_STAGE_FRAGMENT_BIT,
                                                     &combine->sampler};
    }
    const VkPushConstantRange constants = {VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                                           sizeof(struct constants)};
    return descriptors_make_layouts(combine->gpu, bindings, 2, &constants, &combine->set_layout,
                                    &combine->layout);
}

static bool make_set(struct combine *combine)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2};
    return descriptors_make_pool(combine->gpu, &size, 1, 1, &combine->pool) &&
           descriptors_make_set(combine->gpu, combine->pool, combine->set_layout, &combine->set);
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

static VkResult make_pipeline(struct combine *combine, VkFormat format, VkShaderModule vert,
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
        .layout = combine->layout,
        .renderPass = combine->pass,
    };
    return vkCreateGraphicsPipelines(combine->gpu->device, VK_NULL_HANDLE, 1, &info, NULL,
                                     &combine->pipeline);
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

bool combine_init(const struct gpu *gpu, const struct sample_images *images,
                  struct combine *combine)
{
    *combine = (struct combine){.gpu = gpu};
    if (!make_pass(images, combine) || !make_layouts(combine) || !make_set(combine)) {
        return false;
    }
    VkShaderModule vert = VK_NULL_HANDLE, frag = VK_NULL_HANDLE;
    VkResult result = make_module(gpu, combine_vert, sizeof(combine_vert), &vert);
    if (result == VK_SUCCESS) {
        result = make_module(gpu, combine_frag, sizeof(combine_frag), &frag);
    }
    if (result == VK_SUCCESS) {
        result = make_pipeline(combine, images->format, vert, frag);
    }
    vkDestroyShaderModule(gpu->device, vert, NULL);
    vkDestroyShaderModule(gpu->device, frag, NULL);
    return vulkan_ok(result, "vkCreateGraphicsPipelines");
}

void combine_finish(struct combine *combine)
{
    if (!combine->gpu) {
        return;
    }
    VkDevice device = combine->gpu->device;
    vkDestroyPipeline(device, combine->pipeline, NULL);
    vkDestroyDescriptorPool(device, combine->pool, NULL);
    vkDestroyPipelineLayout(device, combine->layout, NULL);
    vkDestroyDescriptorSetLayout(device, combine->set_layout, NULL);
    vkDestroySampler(device, combine->sampler, NULL);
    vkDestroyRenderPass(device, combine->pass, NULL);
    *combine = (struct combine){0};
}

void combine_resize(struct combine *combine, VkImageView hdr, VkImageView added, uint32_t width,
                    uint32_t height)
{
    const VkDescriptorImageInfo images[2] = {
        {.imageView = hdr, .imageLayout = VK_IMAGE_LAYOUT_GENERAL},
        {.imageView = added, .imageLayout = VK_IMAGE_LAYOUT_GENERAL},
    };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = combine->set,
        .descriptorCount = 2, // runs over to binding 1
        .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .pImageInfo = images,
    };
    combine->width = width;
    combine->height = height;
    vkUpdateDescriptorSets(combine->gpu->device, 1, &write, 0, NULL);
}

bool combine_framebuffer(const struct combine *combine, VkImageView view, VkFramebuffer *out)
{
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = combine->pass,
        .attachmentCount = 1,
        .pAttachments = &view,
        .width = combine->width,
        .height = combine->height,
        .layers = 1,
    };
    return vulkan_made(vkCreateFramebuffer(combine->gpu->device, &info, NULL, out),
                       "vkCreateFramebuffer", out);
}

void combine_record(const struct combine *combine, VkCommandBuffer cmd, VkFramebuffer framebuffer,
                    float strength, float exposure)
{
    const struct constants constants = {strength, exposure};
    const VkRect2D area = {{0, 0}, {combine->width, combine->height}};
    const VkViewport viewport = {0.0f, 0.0f, (float)combine->width, (float)combine->height,
                                 0.0f, 1.0f};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = combine->pass,
        .framebuffer = framebuffer,
        .renderArea = area,
    };
    vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, combine->pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, combine->layout, 0, 1,
                            &combine->set, 0, NULL);
    vkCmdPushConstants(cmd, combine->layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(constants),
                       &constants);
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    vkCmdSetScissor(cmd, 0, 1, &area);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
}
