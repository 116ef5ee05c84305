// SPDX-License-Identifier: MIT
// Commands on Weir's queue: recorded, submitted, waited for.
#include "capture/weir/gpu/commands.h"

enum weir_result cli_commands_allocate(struct cli_gpu *gpu, VkCommandBuffer *commands)
{
    VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = gpu->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    return cli_gpu_check(vkAllocateCommandBuffers(gpu->vk, &info, commands),
                         "vkAllocateCommandBuffers");
}

void cli_commands_free(struct cli_gpu *gpu, VkCommandBuffer commands)
{
    vkFreeCommandBuffers(gpu->vk, gpu->pool, 1, &commands);
}

enum weir_result cli_commands_begin(VkCommandBuffer commands)
{
    VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    return cli_gpu_check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

enum weir_result cli_commands_submit(struct cli_gpu *gpu, VkCommandBuffer commands,
                                     struct weir_point *done)
{
    enum weir_result result = cli_gpu_check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    if (result != WEIR_OK) {
        return result;
    }
    uint64_t value = gpu->submitted + 1;
    VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &value,
    };
    VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &timeline,
        .commandBufferCount = 1,
        .pCommandBuffers = &commands,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &gpu->timeline,
    };
    result = cli_gpu_check(vkQueueSubmit(gpu->queue.queue, 1, &submit, VK_NULL_HANDLE),
                           "vkQueueSubmit");
    if (result == WEIR_OK) {
        gpu->submitted = value;
        *done = (struct weir_point){gpu->timeline, value};
    }
    return result;
}

enum weir_result cli_commands_run(struct cli_gpu *gpu, VkCommandBuffer commands)
{
    struct weir_point done;
    const enum weir_result result = cli_commands_submit(gpu, commands, &done);
    return result == WEIR_OK ? cli_gpu_wait(gpu, done) : result;
}

enum weir_result cli_once_begin(struct cli_gpu *gpu, VkCommandBuffer *commands)
{
    enum weir_result result = cli_commands_allocate(gpu, commands);
    if (result != WEIR_OK) {
        return result;
    }
    result = cli_commands_begin(*commands);
    if (result != WEIR_OK) {
        cli_commands_free(gpu, *commands);
    }
    return result;
}

enum weir_result cli_once_run(struct cli_gpu *gpu, VkCommandBuffer commands)
{
    const enum weir_result result = cli_commands_run(gpu, commands);
    cli_commands_free(gpu, commands);
    return result;
}
