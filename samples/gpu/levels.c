// SPDX-License-Identifier: MIT
// An image with mip levels, and a view of each.
#include "levels.h"

#include "report.h"

bool levels_init(const struct gpu *gpu, const struct levels_params *wanted, struct levels *levels)
{
    struct levels_params *params = &levels->params;
    *levels = (struct levels){.params = *wanted};
    params->num_levels += params->num_levels == 0;
    params->num_layers += params->num_layers == 0;
    VkImageCreateInfo info = gpu_image_info(params->format, params->width, params->height,
                                            params->usage);
    info.flags = params->flags;
    info.mipLevels = params->num_levels;
    info.arrayLayers = params->num_layers;
    const bool extended = params->flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
    const VkImageUsageFlags usage = extended ? params->usage & ~VK_IMAGE_USAGE_STORAGE_BIT : 0;
    bool ok = gpu_image_init(gpu, &info, &levels->image);
    for (uint32_t i = 0; ok && i < params->num_levels; ++i) {
        ok = gpu_view_init(gpu,
                           &(struct gpu_view){levels->image.image, params->format,
                                              VK_IMAGE_ASPECT_COLOR_BIT, i, 1, params->num_layers,
                                              usage},
                           &levels->views[i]);
    }
    return ok &&
           weir_ok(weir_image_create(
                       gpu->weir,
                       weir_image_params(.image = levels->image.image, .format = params->format,
                                         .width = params->width, .height = params->height,
                                         .levels = params->num_levels, .layers = params->num_layers,
                                         .usage = params->usage, .flags = params->flags),
                       &levels->weir),
                   "weir_image_create");
}

void levels_finish(const struct gpu *gpu, struct levels *levels)
{
    weir_image_destroy(&levels->weir);
    for (uint32_t i = 0; i < levels->params.num_levels; ++i) {
        vkDestroyImageView(gpu->device, levels->views[i], NULL);
    }
    gpu_image_finish(gpu, &levels->image);
    *levels = (struct levels){0};
}

void levels_discard(const struct levels *levels, VkCommandBuffer cmd)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = levels->image.image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, levels->params.num_levels, 0,
                             levels->params.num_layers},
    };
    vkCmdPipelineBarrier(
        cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, NULL, 0,
        NULL, 1, &barrier);
}
