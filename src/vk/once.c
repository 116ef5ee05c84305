// SPDX-License-Identifier: MIT
// Runs work once and waits for it, while an object is made.
#include "vk/context.h"

struct once {
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkSemaphore semaphore;
};

static enum weir_result create_objects(weir_context *context, struct once *once)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
        .queueFamilyIndex = context->queue.family,
    };
    enum weir_result result = weir_vk_check(
        context, context->vk.CreateCommandPool(context->device, &pool, NULL, &once->pool),
        "vkCreateCommandPool");
    if (result != WEIR_OK) {
        once->pool = VK_NULL_HANDLE;
        return result;
    }
    const VkCommandBufferAllocateInfo cmd = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = once->pool,
        .commandBufferCount = 1,
    };
    result = weir_vk_check(context,
                           context->vk.AllocateCommandBuffers(context->device, &cmd, &once->cmd),
                           "vkAllocateCommandBuffers");
    if (result != WEIR_OK) {
        return result;
    }
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                             .pNext = &type};
    result = weir_vk_check(
        context, context->vk.CreateSemaphore(context->device, &semaphore, NULL, &once->semaphore),
        "vkCreateSemaphore");
    if (result != WEIR_OK) {
        once->semaphore = VK_NULL_HANDLE;
    }
    return result;
}

static enum weir_result submit_and_wait(weir_context *context, const struct once *once)
{
    const uint64_t done = 1;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &done,
    };
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &values,
        .commandBufferCount = 1,
        .pCommandBuffers = &once->cmd,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &once->semaphore,
    };
    const enum weir_result result = weir_context_submit(context, &context->queue, 1, &submit);
    if (result != WEIR_OK) {
        return result;
    }
    const VkSemaphoreWaitInfo wait = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &once->semaphore,
        .pValues = &done,
    };
    const VkResult waited = context->vk.WaitSemaphores(context->device, &wait, UINT64_MAX);
    // Submitted work must have finished before its objects are destroyed, so the wait is repeated
    // while memory is short. On a lost device it has finished.
    VkResult again = waited;
    while (again == VK_ERROR_OUT_OF_HOST_MEMORY || again == VK_ERROR_OUT_OF_DEVICE_MEMORY) {
        again = context->vk.WaitSemaphores(context->device, &wait, UINT64_MAX);
    }
    return weir_vk_check(context, waited, "vkWaitSemaphores");
}

enum weir_result weir_context_run_once(weir_context *context,
                                       void (*record)(const weir_context *context,
                                                      VkCommandBuffer cmd, void *user),
                                       void *user)
{
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    struct once once = {0};
    enum weir_result result = create_objects(context, &once);
    if (result == WEIR_OK) {
        result = weir_vk_check(context, context->vk.BeginCommandBuffer(once.cmd, &begin),
                               "vkBeginCommandBuffer");
    }
    if (result == WEIR_OK) {
        record(context, once.cmd, user);
        result = weir_vk_check(context, context->vk.EndCommandBuffer(once.cmd),
                               "vkEndCommandBuffer");
    }
    if (result == WEIR_OK) {
        result = submit_and_wait(context, &once);
    }
    context->vk.DestroySemaphore(context->device, once.semaphore, NULL);
    context->vk.DestroyCommandPool(context->device, once.pool, NULL);
    return result;
}
