// SPDX-License-Identifier: MIT
// Barriers between commands of one queue.
#ifndef WEIR_TESTS_GPU_BARRIER_H
#define WEIR_TESTS_GPU_BARRIER_H

#include <vulkan/vulkan.h>

// Stages of the commands on one side of a barrier, and how they access memory.
struct harness_scope {
    VkPipelineStageFlags stages;
    VkAccessFlags access;
};

// The same for an image, and the layout that it has on that side.
struct harness_image_scope {
    VkPipelineStageFlags stages;
    VkAccessFlags access;
    VkImageLayout layout;
};

// Record a barrier: `after` begins when `before` has finished, and sees its writes.
static inline void harness_cmd_barrier(VkCommandBuffer cmd, struct harness_scope before,
                                       struct harness_scope after)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = before.access,
        .dstAccessMask = after.access,
    };
    vkCmdPipelineBarrier(cmd, before.stages, after.stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

// The same for all levels and layers of an image, which changes its layout in between. What it
// holds is lost where the layout before is VK_IMAGE_LAYOUT_UNDEFINED.
static inline void harness_cmd_image_barrier(VkCommandBuffer cmd, VkImage image,
                                             VkImageAspectFlags aspect,
                                             struct harness_image_scope before,
                                             struct harness_image_scope after)
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
    vkCmdPipelineBarrier(cmd, before.stages, after.stages, 0, 0, NULL, 0, NULL, 1, &barrier);
}

#endif
