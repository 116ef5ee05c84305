// SPDX-License-Identifier: MIT
// The two render passes of the scene, and their images: the sun's shadow map, and the picture.
#include "passes.h"

#include "report.h"

// D16_UNORM can be rendered to and sampled everywhere (Vulkan 1.2, 42.3 "Required Format Support").
static void choose_depth_format(const struct gpu *gpu, struct passes *passes)
{
    const VkFormatFeatureFlags needs = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                       VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
    const bool is_fine = gpu_has_format(gpu, VK_FORMAT_D32_SFLOAT, needs);
    passes->depth_format = is_fine ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_D16_UNORM;
    const bool is_filtered = gpu_has_format(gpu, passes->depth_format,
                                            VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
    passes->shadow_filter = is_filtered ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
}

bool passes_init(const struct gpu *gpu, const struct passes_params *params, struct passes *passes)
{
    const VkPhysicalDeviceLimits *limits = &gpu->properties.limits;
    const VkSampleCountFlags counts = limits->framebufferColorSampleCounts &
                                      limits->framebufferDepthSampleCounts;
    *passes = (struct passes){.params = *params};
    choose_depth_format(gpu, passes);
    const struct render_pass_params shadow = {
        .depth = passes->depth_format, .keeps_depth = true, .clear_depth = 1.0f};
    const struct render_pass_params picture = {
        .color = params->format,
        .color_layout = params->final_layout,
        .depth = passes->depth_format,
        .keeps_depth = params->keeps_depth,
        .clear_depth = 1.0f,
        .samples = counts & VK_SAMPLE_COUNT_4_BIT ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT,
    };
    const struct weir_image_params map = {.format = passes->depth_format,
                                          .width = SHADOW_SIDE,
                                          .height = SHADOW_SIDE,
                                          .usage = PASSES_DEPTH_TEXTURE_USAGE};
    return render_pass_init(gpu, &shadow, &passes->shadow) &&
           render_pass_init(gpu, &picture, &passes->picture) &&
           gpu_image_init(gpu, &map, 0, &passes->shadow_map) &&
           render_pass_framebuffer(gpu, &passes->shadow,
                                   &(struct render_pass_views){.depth = passes->shadow_map.view},
                                   SHADOW_SIDE, SHADOW_SIDE, &passes->shadow_framebuffer);
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
    vkDestroyFramebuffer(gpu->device, passes->shadow_framebuffer, NULL);
    gpu_image_finish(gpu, &passes->shadow_map);
    render_pass_finish(gpu, &passes->shadow);
    render_pass_finish(gpu, &passes->picture);
    *passes = (struct passes){0};
}

bool passes_resize(const struct gpu *gpu, uint32_t width, uint32_t height, struct passes *passes)
{
    const bool several = passes->picture.params.samples > VK_SAMPLE_COUNT_1_BIT;
    const bool keeps = passes->params.keeps_depth;
    const VkSampleCountFlagBits samples = passes->picture.params.samples;
    const struct weir_image_params color = {.format = passes->params.format,
                                            .width = width,
                                            .height = height,
                                            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                     VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT};
    struct weir_image_params depth = color, depth_texture = color;
    depth.format = depth_texture.format = passes->depth_format;
    depth.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                  VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
    depth_texture.usage = PASSES_DEPTH_TEXTURE_USAGE;
    drop_attachments(gpu, passes);
    passes->width = width;
    passes->height = height;
    // With one sample the picture is drawn to its own image, and kept depth to the texture.
    return (!several || gpu_image_init(gpu, &color, samples, &passes->color)) &&
           ((!several && keeps) || gpu_image_init(gpu, &depth, samples, &passes->depth)) &&
           (!keeps || gpu_image_init(gpu, &depth_texture, 0, &passes->depth_texture));
}

bool passes_framebuffer(const struct gpu *gpu, const struct passes *passes, VkImageView view,
                        VkFramebuffer *out)
{
    const struct render_pass_views views = {
        .color = passes->color.view ? passes->color.view : view,
        .depth = passes->depth.view ? passes->depth.view : passes->depth_texture.view,
        .resolved_color = view,
        .resolved_depth = passes->depth_texture.view,
    };
    return render_pass_framebuffer(gpu, &passes->picture, &views, passes->width, passes->height,
                                   out);
}
