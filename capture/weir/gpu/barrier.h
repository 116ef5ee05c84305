// SPDX-License-Identifier: MIT
// Barriers between commands of one queue; tests record theirs by them too.
#ifndef WEIR_CAPTURE_WEIR_GPU_BARRIER_H
#define WEIR_CAPTURE_WEIR_GPU_BARRIER_H

#include <vulkan/vulkan.h>

// Stages of the commands on one side of a barrier, and how they access memory.
struct cli_scope {
    VkPipelineStageFlags stages;
    VkAccessFlags access;
};

// The same for an image, and the layout that it has on that side.
struct cli_image_scope {
    VkPipelineStageFlags stages;
    VkAccessFlags access;
    VkImageLayout layout;
};

// Record a barrier: `after` begins when `before` has finished, and sees its writes.
static inline void cli_cmd_barrier(VkCommandBuffer commands, struct cli_scope before,
                                   struct cli_scope after)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = before.access,
        .dstAccessMask = after.access,
    };
    vkCmdPipelineBarrier(commands, before.stages, after.stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

// The same for all levels and layers of an image, which changes its layout in between. What it
// holds is lost where the layout before is VK_IMAGE_LAYOUT_UNDEFINED.
static inline void cli_cmd_aspect_barrier(VkCommandBuffer commands, VkImage image,
                                          VkImageAspectFlags aspect, struct cli_image_scope before,
                                          struct cli_image_scope after)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = before.access,
        .dstAccessMask = after.access,
        .oldLayout = before.layout,
        .newLayout = after.layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS},
    };
    vkCmdPipelineBarrier(commands, before.stages, after.stages, 0, 0, NULL, 0, NULL, 1, &barrier);
}

// The same for a colour image.
static inline void cli_cmd_image_barrier(VkCommandBuffer commands, VkImage image,
                                         struct cli_image_scope before,
                                         struct cli_image_scope after)
{
    cli_cmd_aspect_barrier(commands, image, VK_IMAGE_ASPECT_COLOR_BIT, before, after);
}

#endif
