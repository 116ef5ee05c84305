// SPDX-License-Identifier: MIT
// Records one level of the blit chain.
#include "pyramid/blit.h"

#include "base/size.h"

// The far corner of a level of the plan.
static VkOffset3D corner(const weir_pyramid_target *target, uint32_t level)
{
    return (VkOffset3D){(int32_t)weir_level_side(target->geometry.width, level),
                        (int32_t)weir_level_side(target->geometry.height, level), 1};
}

static VkImageSubresourceLayers layers_of(const weir_pyramid_target *target, uint32_t level)
{
    return (VkImageSubresourceLayers){
        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
        .mipLevel = (uint32_t)((int32_t)level + target->first_of_plan),
        .layerCount = target->num_layers,
    };
}

void weir_pyramid_blit(const weir_pyramid_target *target, VkCommandBuffer cmd,
                       const struct weir_pyramid_step *step)
{
    const struct weir_vk_functions *vk = &target->pyramid->context->vk;
    const VkImageBlit region = {
        .srcSubresource = layers_of(target, step->base),
        .srcOffsets = {{0, 0, 0}, corner(target, step->base)},
        .dstSubresource = layers_of(target, step->base + 1),
        .dstOffsets = {{0, 0, 0}, corner(target, step->base + 1)},
    };
    for (uint32_t i = 0; i < target->params.num_images; i++) {
        vk->CmdBlitImage(cmd, target->images[i], VK_IMAGE_LAYOUT_GENERAL, target->images[i],
                         VK_IMAGE_LAYOUT_GENERAL, 1, &region, VK_FILTER_LINEAR);
    }
}
