// SPDX-License-Identifier: MIT
// The scene's light and depth, as images that effects read before anything is shown.
#include "hdr.h"

#include "report.h"

static bool make_light(const struct gpu *gpu, const struct passes *passes, VkImageUsageFlags usage,
                       struct hdr *hdr)
{
    const VkImageCreateInfo info = gpu_image_info(HDR_FORMAT, passes->width, passes->height, usage);
    return gpu_image_init(gpu, &info, &hdr->light) &&
           passes_framebuffer(gpu, passes, hdr->light.view, &hdr->framebuffer);
}

static bool wrap(const struct gpu *gpu, const struct passes *passes, VkImageUsageFlags usage,
                 struct hdr *hdr)
{
    const struct weir_image_params *light = weir_image_params(.image = hdr->light.image,
                                                              .format = HDR_FORMAT,
                                                              .width = passes->width,
                                                              .height = passes->height,
                                                              .usage = usage);
    const struct weir_image_params *depth = weir_image_params(.image = passes->depth_texture.image,
                                                              .format = passes->depth_format,
                                                              .width = passes->width,
                                                              .height = passes->height,
                                                              .usage = PASSES_DEPTH_TEXTURE_USAGE);
    return weir_ok(weir_image_create(gpu->weir, light, &hdr->weir_light), "weir_image_create") &&
           weir_ok(weir_image_create(gpu->weir, depth, &hdr->weir_depth), "weir_image_create");
}

bool hdr_resize(const struct gpu *gpu, struct passes *passes, VkImageUsageFlags usage,
                uint32_t width, uint32_t height, struct hdr *hdr)
{
    usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    hdr_finish(gpu, hdr);
    return passes_resize(gpu, width, height, passes) && make_light(gpu, passes, usage, hdr) &&
           wrap(gpu, passes, usage, hdr);
}

void hdr_finish(const struct gpu *gpu, struct hdr *hdr)
{
    vkDestroyFramebuffer(gpu->device, hdr->framebuffer, NULL);
    weir_image_destroy(&hdr->weir_light);
    weir_image_destroy(&hdr->weir_depth);
    gpu_image_finish(gpu, &hdr->light);
    *hdr = (struct hdr){0};
}
