// SPDX-License-Identifier: MIT
// The two render passes of a frame: the sun's shadow map, and the picture with its attachments.
#include "passes.h"

#include "report.h"

static const VkPipelineStageFlags depth_stages = VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                                 VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;

static VkFormat choose_depth_format(const struct gpu *gpu, VkFormatFeatureFlags *features)
{
    // D16_UNORM can be rendered to and sampled everywhere (Vulkan 1.2, 42.3 "Required Format
    // Support").
    static const VkFormat formats[] = {VK_FORMAT_D32_SFLOAT, VK_FORMAT_D16_UNORM};
    const VkFormatFeatureFlags needs = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                       VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(gpu->physical_device, formats[0], &properties);
    *features = properties.optimalTilingFeatures;
    if ((*features & needs) == needs)
        return formats[0];
    vkGetPhysicalDeviceFormatProperties(gpu->physical_device, formats[1], &properties);
    *features = properties.optimalTilingFeatures;
    return formats[1];
}

static bool make_shadow_pass(const struct gpu *gpu, struct passes *passes)
{
    const VkAttachmentDescription depth = {
        .format = passes->depth_format,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
    };
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .pDepthStencilAttachment = &reference};
    // The frame before reads the map in its fragment shaders, and so does this one.
    const VkSubpassDependency dependencies[2] = {
        {VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | depth_stages, depth_stages,
         VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
         VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
         0},
        {0, VK_SUBPASS_EXTERNAL, depth_stages, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
         VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT, 0},
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &depth,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 2,
        .pDependencies = dependencies,
    };
    return vulkan_ok(vkCreateRenderPass(gpu->device, &info, NULL, &passes->shadow),
                     "vkCreateRenderPass");
}

static VkAttachmentDescription attachment(VkFormat format, VkSampleCountFlagBits samples,
                                          VkAttachmentLoadOp load, VkAttachmentStoreOp store,
                                          VkImageLayout final_layout)
{
    return (VkAttachmentDescription){
        .format = format,
        .samples = samples,
        .loadOp = load,
        .storeOp = store,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .finalLayout = final_layout,
    };
}

// Attachments: the image, depth, and with several samples the colour that is resolved into the
// image.
static bool make_picture_pass(const struct gpu *gpu, VkImageLayout final_layout,
                              struct passes *passes)
{
    const bool resolves = passes->samples != VK_SAMPLE_COUNT_1_BIT;
    const VkAttachmentDescription attachments[3] = {
        attachment(passes->format, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                   VK_ATTACHMENT_STORE_OP_STORE, final_layout),
        attachment(passes->depth_format, passes->samples, VK_ATTACHMENT_LOAD_OP_CLEAR,
                   VK_ATTACHMENT_STORE_OP_DONT_CARE,
                   VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL),
        attachment(passes->format, passes->samples, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                   VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL),
    };
    const VkAttachmentReference image = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference depth = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference color = {2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = resolves ? &color : &image,
        .pResolveAttachments = resolves ? &image : NULL,
        .pDepthStencilAttachment = &depth,
    };
    // Before: the frame before used the same depth and colour. After: a copy for --picture, and the
    // release to Weir's queue family; other readers are behind a semaphore.
    const VkPipelineStageFlags writes = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                        depth_stages;
    const VkAccessFlags written = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                                  VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    const VkSubpassDependency dependencies[2] = {
        {VK_SUBPASS_EXTERNAL, 0, writes, writes, written,
         written | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
             VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT,
         0},
        {0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
         VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
         VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT, 0},
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = resolves ? 3 : 2,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 2,
        .pDependencies = dependencies,
    };
    return vulkan_ok(vkCreateRenderPass(gpu->device, &info, NULL, &passes->picture),
                     "vkCreateRenderPass");
}

static VkImageCreateInfo image_info(VkFormat format, uint32_t width, uint32_t height,
                                    VkSampleCountFlagBits samples, VkImageUsageFlags usage)
{
    return (VkImageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = {width, height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = samples,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = usage,
    };
}

static bool make_shadow_map(const struct gpu *gpu, VkFormatFeatureFlags features,
                            struct passes *passes)
{
    const VkImageCreateInfo image = image_info(
        passes->depth_format, SHADOW_SIDE, SHADOW_SIDE, VK_SAMPLE_COUNT_1_BIT,
        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    if (!gpu_image_init(gpu, &image, VK_IMAGE_ASPECT_DEPTH_BIT, &passes->shadow_map))
        return false;
    const VkFramebufferCreateInfo framebuffer = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = passes->shadow,
        .attachmentCount = 1,
        .pAttachments = &passes->shadow_map.view,
        .width = SHADOW_SIDE,
        .height = SHADOW_SIDE,
        .layers = 1,
    };
    const bool linear = features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    const VkFilter filter = linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
    const VkSamplerCreateInfo sampler = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = filter,
        .minFilter = filter,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .compareEnable = VK_TRUE,
        .compareOp = VK_COMPARE_OP_LESS_OR_EQUAL,
    };
    return vulkan_ok(
               vkCreateFramebuffer(gpu->device, &framebuffer, NULL, &passes->shadow_framebuffer),
               "vkCreateFramebuffer") &&
           vulkan_ok(vkCreateSampler(gpu->device, &sampler, NULL, &passes->shadow_sampler),
                     "vkCreateSampler");
}

bool passes_init(const struct gpu *gpu, VkFormat format, VkImageLayout final_layout,
                 struct passes *passes)
{
    const VkPhysicalDeviceLimits *limits = &gpu->properties.limits;
    const VkSampleCountFlags counts = limits->framebufferColorSampleCounts &
                                      limits->framebufferDepthSampleCounts;
    VkFormatFeatureFlags features = 0;
    *passes = (struct passes){
        .format = format,
        .depth_format = choose_depth_format(gpu, &features),
        .samples = counts & VK_SAMPLE_COUNT_4_BIT ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT,
    };
    return make_shadow_pass(gpu, passes) && make_picture_pass(gpu, final_layout, passes) &&
           make_shadow_map(gpu, features, passes);
}

void passes_finish(const struct gpu *gpu, struct passes *passes)
{
    gpu_image_finish(gpu, &passes->depth);
    gpu_image_finish(gpu, &passes->color);
    vkDestroySampler(gpu->device, passes->shadow_sampler, NULL);
    vkDestroyFramebuffer(gpu->device, passes->shadow_framebuffer, NULL);
    gpu_image_finish(gpu, &passes->shadow_map);
    vkDestroyRenderPass(gpu->device, passes->shadow, NULL);
    vkDestroyRenderPass(gpu->device, passes->picture, NULL);
    *passes = (struct passes){0};
}

bool passes_resize(const struct gpu *gpu, uint32_t width, uint32_t height, struct passes *passes)
{
    gpu_image_finish(gpu, &passes->depth);
    gpu_image_finish(gpu, &passes->color);
    passes->width = width;
    passes->height = height;
    const VkImageCreateInfo depth = image_info(passes->depth_format, width, height, passes->samples,
                                               VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                                   VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT);
    const VkImageCreateInfo color = image_info(passes->format, width, height, passes->samples,
                                               VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                   VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT);
    return gpu_image_init(gpu, &depth, VK_IMAGE_ASPECT_DEPTH_BIT, &passes->depth) &&
           (passes->samples == VK_SAMPLE_COUNT_1_BIT ||
            gpu_image_init(gpu, &color, VK_IMAGE_ASPECT_COLOR_BIT, &passes->color));
}

bool passes_framebuffer(const struct gpu *gpu, const struct passes *passes, VkImageView view,
                        VkFramebuffer *out)
{
    const VkImageView views[3] = {view, passes->depth.view, passes->color.view};
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = passes->picture,
        .attachmentCount = passes->samples == VK_SAMPLE_COUNT_1_BIT ? 2 : 3,
        .pAttachments = views,
        .width = passes->width,
        .height = passes->height,
        .layers = 1,
    };
    return vulkan_ok(vkCreateFramebuffer(gpu->device, &info, NULL, out), "vkCreateFramebuffer");
}
