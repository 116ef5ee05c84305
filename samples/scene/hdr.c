// SPDX-License-Identifier: MIT
// The scene's light and depth, as images that effects read before anything is shown.
#include "hdr.h"

#include "report.h"

static bool make_light(const struct gpu *gpu, const struct passes *passes, VkImageUsageFlags usage,
                       struct hdr *hdr)
{
    return gpu_image_init(gpu,
                          weir_image_params(.format = HDR_FORMAT, .width = passes->width,
                                            .height = passes->height, .usage = usage),
                          0, &hdr->light) &&
           passes_framebuffer(gpu, passes, hdr->light.view, &hdr->framebuffer);
}

static bool wrap(const struct gpu *gpu, const struct passes *passes, struct hdr *hdr)
{
    const struct weir_image_params *light = &hdr->light.made.params;
    const struct weir_image_params *depth = &passes->depth_texture.made.params;
    return weir_ok(weir_image_create(gpu->weir, light, &hdr->weir_light), "weir_image_create") &&
           weir_ok(weir_image_create(gpu->weir, depth, &hdr->weir_depth), "weir_image_create");
}

bool hdr_resize(const struct gpu *gpu, struct passes *passes, VkImageUsageFlags usage,
                uint32_t width, uint32_t height, struct hdr *hdr)
{
    usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    hdr_finish(gpu, hdr);
    return passes_resize(gpu, width, height, passes) && make_light(gpu, passes, usage, hdr) &&
           wrap(gpu, passes, hdr);
}

void hdr_finish(const struct gpu *gpu, struct hdr *hdr)
{
    vkDestroyFramebuffer(gpu->device, hdr->framebuffer, NULL);
    weir_image_destroy(&hdr->weir_light);
    weir_image_destroy(&hdr->weir_depth);
    gpu_image_finish(gpu, &hdr->light);
    *hdr = (struct hdr){0};
}
