// SPDX-License-Identifier: MIT
// Makes, begins and ends command buffers, and makes timelines.
#include "vk/commands.h"

enum weir_result weir_vk_command_pool_init(weir_context *context, uint32_t family,
                                           VkCommandPoolCreateFlags flags, VkCommandPool *out)
{
    const VkCommandPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = flags,
        .queueFamilyIndex = family,
    };
    const enum weir_result result = weir_vk_check(
        context, context->vk.CreateCommandPool(context->device, &info, NULL, out),
        "vkCreateCommandPool");
    if (result != WEIR_OK) {
        *out = VK_NULL_HANDLE;
    }
    return result;
}

enum weir_result weir_vk_timeline_init(weir_context *context, VkSemaphore *out)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &type,
    };
    const enum weir_result result = weir_vk_check(
        context, context->vk.CreateSemaphore(context->device, &info, NULL, out),
        "vkCreateSemaphore");
    if (result != WEIR_OK) {
        *out = VK_NULL_HANDLE;
    }
    return result;
}

enum weir_result weir_vk_commands_allocate(weir_context *context, VkCommandPool pool, uint32_t num,
                                           VkCommandBuffer *out)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = num,
    };
    return weir_vk_check(context, context->vk.AllocateCommandBuffers(context->device, &info, out),
                         "vkAllocateCommandBuffers");
}

enum weir_result weir_vk_commands_begin(weir_context *context, VkCommandBuffer cmd,
                                        VkCommandBufferUsageFlags flags)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = flags,
    };
    return weir_vk_check(context, context->vk.BeginCommandBuffer(cmd, &info),
                         "vkBeginCommandBuffer");
}

enum weir_result weir_vk_commands_end(weir_context *context, VkCommandBuffer cmd)
{
    return weir_vk_check(context, context->vk.EndCommandBuffer(cmd), "vkEndCommandBuffer");
}
