// SPDX-License-Identifier: MIT
// The two render passes of the scene: the sun's shadow map, and the picture with its attachments.
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
    if ((*features & needs) == needs) {
        return formats[0];
    }
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
    return vulkan_made(vkCreateRenderPass(gpu->device, &info, NULL, &passes->shadow),
                       "vkCreateRenderPass", &passes->shadow);
}

static VkAttachmentDescription2 attachment(VkFormat format, VkSampleCountFlagBits samples,
                                           VkAttachmentLoadOp load, VkAttachmentStoreOp store,
                                           VkImageLayout final_layout)
{
    return (VkAttachmentDescription2){
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
        .format = format,
        .samples = samples,
        .loadOp = load,
        .storeOp = store,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .finalLayout = final_layout,
    };
}

static VkAttachmentReference2 reference(uint32_t attachment, VkImageLayout layout)
{
    return (VkAttachmentReference2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                    .attachment = attachment,
                                    .layout = layout};
}

// Get the dependencies of the picture's pass. Before it: the last frame used the same attachments,
// and its shaders may still read them. After it: shaders read them, or a copy for --picture; other
// readers wait for a semaphore. Resolved depth is written at the stage of colour (Vulkan 1.2, 8.4
// "Render Pass Multisample Resolve Operations").
static void picture_dependencies(const struct passes *passes, VkSubpassDependency2 out[2])
{
    const bool shaded = passes->params.shaded_later;
    const VkPipelineStageFlags readers = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                         VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
    const VkPipelineStageFlags writers = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                         depth_stages;
    const VkAccessFlags written = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                                  VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    out[0] = (VkSubpassDependency2){
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
        .srcSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = writers | (shaded ? readers : 0),
        .dstStageMask = writers,
        .srcAccessMask = written | (shaded ? VK_ACCESS_SHADER_WRITE_BIT : 0),
        .dstAccessMask = written | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
                         VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT,
    };
    out[1] = (VkSubpassDependency2){
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
        .dstSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = shaded ? writers : VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstStageMask = shaded ? readers
                               : VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                     VK_PIPELINE_STAGE_TRANSFER_BIT,
        .srcAccessMask = shaded ? written : VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = shaded ? VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT
                                : VK_ACCESS_TRANSFER_READ_BIT,
    };
}

// The places of the attachments in the framebuffer. With several samples `color` is resolved into
// the image and, for shaders, `depth` into the depth texture; with one they are the same.
enum { IMAGE, DEPTH, COLOR, DEPTH_TEXTURE };

static uint32_t num_attachments(const struct passes *passes)
{
    if (passes->samples == VK_SAMPLE_COUNT_1_BIT) {
        return DEPTH + 1;
    }
    return (passes->params.shaded_later ? DEPTH_TEXTURE : COLOR) + 1;
}

static bool make_picture_pass(const struct gpu *gpu, struct passes *passes)
{
    const bool resolves = passes->samples != VK_SAMPLE_COUNT_1_BIT;
    const bool shaded = passes->params.shaded_later;
    const VkAttachmentLoadOp clear = VK_ATTACHMENT_LOAD_OP_CLEAR,
                             no_load = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    const VkAttachmentStoreOp store = VK_ATTACHMENT_STORE_OP_STORE,
                              no_store = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    const VkImageLayout as_color = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                        as_depth = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                        as_texture = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
    const bool keeps_depth = shaded && !resolves;
    const VkAttachmentDescription2 attachments[4] = {
        [IMAGE] = attachment(passes->params.format, VK_SAMPLE_COUNT_1_BIT, no_load, store,
                             passes->params.final_layout),
        [DEPTH] = attachment(passes->depth_format, passes->samples, clear,
                             keeps_depth ? store : no_store, keeps_depth ? as_texture : as_depth),
        [COLOR] = attachment(passes->params.format, passes->samples, no_load, no_store, as_color),
        [DEPTH_TEXTURE] = attachment(passes->depth_format, VK_SAMPLE_COUNT_1_BIT, no_load, store,
                                     as_texture),
    };
    const VkAttachmentReference2 image = reference(IMAGE, as_color);
    const VkAttachmentReference2 color = reference(COLOR, as_color);
    const VkAttachmentReference2 depth = reference(DEPTH, as_depth);
    const VkAttachmentReference2 depth_texture = reference(DEPTH_TEXTURE, as_depth);
    // Every device can take sample 0, which unlike a mean is the depth of something.
    const VkSubpassDescriptionDepthStencilResolve resolve_depth = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE,
        .depthResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
        .pDepthStencilResolveAttachment = &depth_texture,
    };
    const VkSubpassDescription2 subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
        .pNext = shaded && resolves ? &resolve_depth : NULL,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = resolves ? &color : &image,
        .pResolveAttachments = resolves ? &image : NULL,
        .pDepthStencilAttachment = &depth,
    };
    VkSubpassDependency2 dependencies[2];
    picture_dependencies(passes, dependencies);
    const VkRenderPassCreateInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
        .attachmentCount = num_attachments(passes),
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 2,
        .pDependencies = dependencies,
    };
    return vulkan_made(vkCreateRenderPass2(gpu->device, &info, NULL, &passes->picture),
                       "vkCreateRenderPass2", &passes->picture);
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
    if (!gpu_image_init(gpu, &image, VK_IMAGE_ASPECT_DEPTH_BIT, &passes->shadow_map)) {
        return false;
    }
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
    return vulkan_made(
               vkCreateFramebuffer(gpu->device, &framebuffer, NULL, &passes->shadow_framebuffer),
               "vkCreateFramebuffer", &passes->shadow_framebuffer) &&
           vulkan_made(vkCreateSampler(gpu->device, &sampler, NULL, &passes->shadow_sampler),
                       "vkCreateSampler", &passes->shadow_sampler);
}

bool passes_init(const struct gpu *gpu, const struct passes_params *params, struct passes *passes)
{
    const VkPhysicalDeviceLimits *limits = &gpu->properties.limits;
    const VkSampleCountFlags counts = limits->framebufferColorSampleCounts &
                                      limits->framebufferDepthSampleCounts;
    VkFormatFeatureFlags features = 0;
    *passes = (struct passes){
        .params = *params,
        .depth_format = choose_depth_format(gpu, &features),
        .samples = counts & VK_SAMPLE_COUNT_4_BIT ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT,
    };
    return make_shadow_pass(gpu, passes) && make_picture_pass(gpu, passes) &&
           make_shadow_map(gpu, features, passes);
}

static void drop_attachments(const struct gpu *gpu, struct passes *passes)
{
    gpu_image_finish(gpu, &passes->depth);
    gpu_image_finish(gpu, &passes->color);
    gpu_image_finish(gpu, &passes->depth_texture);
}

void passes_finish(const struct gpu *gpu, struct passes *passes)
{
    drop_attachments(gpu, passes);
    vkDestroySampler(gpu->device, passes->shadow_sampler, NULL);
    vkDestroyFramebuffer(gpu->device, passes->shadow_framebuffer, NULL);
    gpu_image_finish(gpu, &passes->shadow_map);
    vkDestroyRenderPass(gpu->device, passes->shadow, NULL);
    vkDestroyRenderPass(gpu->device, passes->picture, NULL);
    *passes = (struct passes){0};
}

bool passes_resize(const struct gpu *gpu, uint32_t width, uint32_t height, struct passes *passes)
{
    drop_attachments(gpu, passes);
    passes->width = width;
    passes->height = height;
    const bool resolves = passes->samples != VK_SAMPLE_COUNT_1_BIT;
    const bool shaded = passes->params.shaded_later;
    const VkImageCreateInfo color = image_info(
        passes->params.format, width, height, passes->samples,
        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT);
    const VkImageCreateInfo depth = image_info(passes->depth_format, width, height, passes->samples,
                                               VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                                   VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT);
    const VkImageCreateInfo depth_texture = image_info(
        passes->depth_format, width, height, VK_SAMPLE_COUNT_1_BIT, PASSES_DEPTH_TEXTURE_USAGE);
    // Otherwise depth is drawn to the texture itself.
    const bool own_depth = resolves || !shaded;
    return (!resolves || gpu_image_init(gpu, &color, VK_IMAGE_ASPECT_COLOR_BIT, &passes->color)) &&
           (!own_depth || gpu_image_init(gpu, &depth, VK_IMAGE_ASPECT_DEPTH_BIT, &passes->depth)) &&
           (!shaded ||
            gpu_image_init(gpu, &depth_texture, VK_IMAGE_ASPECT_DEPTH_BIT, &passes->depth_texture));
}

bool passes_framebuffer(const struct gpu *gpu, const struct passes *passes, VkImageView view,
                        VkFramebuffer *out)
{
    const VkImageView views[4] = {
        [IMAGE] = view,
        [DEPTH] = passes->depth.view ? passes->depth.view : passes->depth_texture.view,
        [COLOR] = passes->color.view,
        [DEPTH_TEXTURE] = passes->depth_texture.view,
    };
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = passes->picture,
        .attachmentCount = num_attachments(passes),
        .pAttachments = views,
        .width = passes->width,
        .height = passes->height,
        .layers = 1,
    };
    return vulkan_made(vkCreateFramebuffer(gpu->device, &info, NULL, out), "vkCreateFramebuffer",
                       out);
}
