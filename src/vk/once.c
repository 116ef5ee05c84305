// SPDX-License-Identifier: MIT
// Runs work once and waits for it, while an object is made.
#include "vk/commands.h"

struct once {
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkSemaphore semaphore;
};

static enum weir_result create_objects(weir_context *context, struct once *once)
{
    WEIR_TRY(weir_vk_command_pool_init(context, context->queue.family,
                                       VK_COMMAND_POOL_CREATE_TRANSIENT_BIT, &once->pool));
    WEIR_TRY(weir_vk_commands_allocate(context, once->pool, 1, &once->cmd));
    return weir_vk_timeline_init(context, &once->semaphore);
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
    WEIR_TRY(weir_context_submit(context, &context->queue, 1, &submit));
    return weir_vk_timeline_wait(context, once->semaphore, done, UINT64_MAX);
}

enum weir_result weir_context_run_once(weir_context *context,
                                       void (*record)(const weir_context *context,
                                                      VkCommandBuffer cmd, void *user),
                                       void *user)
{
    struct once once = {0};
    enum weir_result result = create_objects(context, &once);
    if (result == WEIR_OK) {
        result = weir_vk_commands_begin(context, once.cmd,
                                        VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    }
    if (result == WEIR_OK) {
        record(context, once.cmd, user);
        result = weir_vk_commands_end(context, once.cmd);
    }
    if (result == WEIR_OK) {
        result = submit_and_wait(context, &once);
    }
    context->vk.DestroySemaphore(context->device, once.semaphore, NULL);
    context->vk.DestroyCommandPool(context->device, once.pool, NULL);
    return result;
}
