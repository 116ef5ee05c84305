// SPDX-License-Identifier: MIT
// Command buffers, timelines and waits for them, and work that runs once while an object is made.
#include "vk/context.h"

#include <time.h>

enum {
    MAX_WAITS = 500, // where memory is short
    BETWEEN_WAITS_NS = 1000000,
};

enum weir_result weir_vk_command_pool_init(weir_context *context, uint32_t family,
                                           VkCommandPoolCreateFlags flags, VkCommandPool *out)
{
    const VkCommandPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = flags,
        .queueFamilyIndex = family,
    };
    return WEIR_VK_MAKE(context, CommandPool, &info, out);
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
    return WEIR_VK_MAKE(context, Semaphore, &info, out);
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
    return WEIR_VK_CALL(context, AllocateCommandBuffers, context->device, &info, out);
}

enum weir_result weir_vk_commands_begin(weir_context *context, VkCommandBuffer cmd,
                                        VkCommandBufferUsageFlags flags)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = flags,
    };
    return WEIR_VK_CALL(context, BeginCommandBuffer, cmd, &info);
}

enum weir_result weir_vk_commands_end(weir_context *context, VkCommandBuffer cmd)
{
    return WEIR_VK_CALL(context, EndCommandBuffer, cmd);
}

void weir_vk_batch_link(struct weir_vk_batch *batch)
{
    uint32_t num_cmds = 0, num_signals = 0;
    for (int i = 0; i < WEIR_VK_MAX_COMMANDS; i++) {
        if (batch->cmds[i]) {
            batch->cmds[num_cmds++] = batch->cmds[i];
        }
    }
    for (int i = 0; i < WEIR_VK_MAX_SIGNALS; i++) {
        if (batch->signals[i]) {
            batch->signal_values[num_signals] = batch->signal_values[i];
            batch->signals[num_signals++] = batch->signals[i];
        }
    }
    batch->values = (VkTimelineSemaphoreSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = batch->wait ? 1 : 0,
        .pWaitSemaphoreValues = &batch->wait_value,
        .signalSemaphoreValueCount = num_signals,
        .pSignalSemaphoreValues = batch->signal_values,
    };
    batch->submit = (VkSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &batch->values,
        .waitSemaphoreCount = batch->values.waitSemaphoreValueCount,
        .pWaitSemaphores = &batch->wait,
        .pWaitDstStageMask = &batch->wait_stage,
        .commandBufferCount = num_cmds,
        .pCommandBuffers = batch->cmds,
        .signalSemaphoreCount = num_signals,
        .pSignalSemaphores = batch->signals,
    };
}

void weir_context_lock(const weir_context *context, const struct weir_queue *queue)
{
    if (context->lock_queue) {
        context->lock_queue(context->lock_user, queue->family, queue->index);
    }
}

void weir_context_unlock(const weir_context *context, const struct weir_queue *queue)
{
    if (context->unlock_queue) {
        context->unlock_queue(context->lock_user, queue->family, queue->index);
    }
}

enum weir_result weir_context_submit(weir_context *context, const struct weir_queue *queue,
                                     uint32_t num_submits, const VkSubmitInfo *submits)
{
    weir_context_lock(context, queue);
    const VkResult result = context->vk.QueueSubmit(queue->queue, num_submits, submits,
                                                    VK_NULL_HANDLE);
    weir_context_unlock(context, queue);
    return weir_vk_check(context, result, "vkQueueSubmit");
}

static bool is_out_of_memory(VkResult result)
{
    return result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

enum weir_result weir_vk_timeline_wait(weir_context *context, VkSemaphore timeline, uint64_t value,
                                       uint64_t timeout_ns)
{
    const VkSemaphoreWaitInfo wait = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &timeline,
        .pValues = &value,
    };
    const VkResult waited = context->vk.WaitSemaphores(context->device, &wait, timeout_ns);
    // Submitted work must have finished before its objects are destroyed, so the wait is repeated
    // while memory is short, but not for ever. On a lost device it has finished.
    VkResult again = waited;
    for (int i = 0; i < MAX_WAITS && is_out_of_memory(again); i++) {
        nanosleep(&(struct timespec){.tv_nsec = BETWEEN_WAITS_NS}, NULL);
        again = context->vk.WaitSemaphores(context->device, &wait, timeout_ns);
    }
    return weir_vk_check(context, waited, "vkWaitSemaphores");
}

struct once {
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkSemaphore semaphore;
};

static enum weir_result submit_and_wait(weir_context *context, const struct once *once)
{
    struct weir_vk_batch batch = {
        .cmds = {once->cmd}, .signals = {once->semaphore}, .signal_values = {1}};
    weir_vk_batch_link(&batch);
    WEIR_TRY(weir_context_submit(context, &context->queue, 1, &batch.submit));
    return weir_vk_timeline_wait(context, once->semaphore, 1, UINT64_MAX);
}

static enum weir_result run(weir_context *context, struct once *once, weir_vk_recorder *record,
                            void *user)
{
    WEIR_TRY(weir_vk_command_pool_init(context, context->queue.family,
                                       VK_COMMAND_POOL_CREATE_TRANSIENT_BIT, &once->pool));
    WEIR_TRY(weir_vk_commands_allocate(context, once->pool, 1, &once->cmd));
    WEIR_TRY(weir_vk_timeline_init(context, &once->semaphore));
    WEIR_TRY(
        weir_vk_commands_begin(context, once->cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT));
    record(context, once->cmd, user);
    WEIR_TRY(weir_vk_commands_end(context, once->cmd));
    return submit_and_wait(context, once);
}

enum weir_result weir_context_run_once(weir_context *context, weir_vk_recorder *record, void *user)
{
    struct once once = {0};
    const enum weir_result result = run(context, &once, record, user);
    context->vk.DestroySemaphore(context->device, once.semaphore, NULL);
    context->vk.DestroyCommandPool(context->device, once.pool, NULL);
    return result;
}
