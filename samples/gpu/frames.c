// SPDX-License-Identifier: MIT
// Frames in flight: command buffers in slots, and one timeline that counts their submissions.
#include "frames.h"

#include "report.h"

static bool make_semaphore(const struct gpu *gpu, VkSemaphoreType kind, VkSemaphore *out)
{
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = kind};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    return vulkan_made(vkCreateSemaphore(gpu->device, &info, NULL, out), "vkCreateSemaphore", out);
}

static bool make_slot(const struct gpu *gpu, struct frames_slot *slot)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
        .queueFamilyIndex = gpu->graphics.family,
    };
    if (!make_semaphore(gpu, VK_SEMAPHORE_TYPE_BINARY, &slot->available) ||
        !vulkan_made(vkCreateCommandPool(gpu->device, &pool, NULL, &slot->pool),
                     "vkCreateCommandPool", &slot->pool)) {
        return false;
    }
    const VkCommandBufferAllocateInfo buffers = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = slot->pool,
        .commandBufferCount = 2,
    };
    VkCommandBuffer made[2];
    if (!vulkan_ok(vkAllocateCommandBuffers(gpu->device, &buffers, made),
                   "vkAllocateCommandBuffers")) {
        return false;
    }
    slot->render = made[0];
    slot->acquire = made[1];
    return true;
}

bool frames_init(const struct gpu *gpu, uint32_t num_slots, struct frames *frames)
{
    *frames = (struct frames){.gpu = gpu, .num_slots = num_slots};
    bool ok = make_semaphore(gpu, VK_SEMAPHORE_TYPE_TIMELINE, &frames->timeline);
    for (uint32_t i = 0; ok && i < num_slots; ++i) {
        ok = make_slot(gpu, &frames->slots[i]);
    }
    return ok;
}

void frames_finish(struct frames *frames)
{
    if (!frames->gpu) {
        return;
    }
    VkDevice device = frames->gpu->device;
    gpu_wait_idle(frames->gpu);
    for (uint32_t i = 0; i < frames->num_slots; ++i) {
        vkDestroyCommandPool(device, frames->slots[i].pool, NULL);
        vkDestroySemaphore(device, frames->slots[i].available, NULL);
    }
    vkDestroySemaphore(device, frames->timeline, NULL);
    *frames = (struct frames){0};
}

static VkResult wait_until(const struct frames *frames, uint64_t value, uint64_t timeout_ns)
{
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &frames->timeline,
        .pValues = &value,
    };
    return vkWaitSemaphores(frames->gpu->device, &info, timeout_ns);
}

bool frames_wait(const struct frames *frames)
{
    return vulkan_ok(wait_until(frames, frames->value, UINT64_MAX), "vkWaitSemaphores");
}

bool frames_wait_for(const struct frames *frames, uint64_t timeout_ns, bool *done)
{
    const VkResult result = wait_until(frames, frames->value, timeout_ns);
    *done = result == VK_SUCCESS;
    return result == VK_TIMEOUT || vulkan_ok(result, "vkWaitSemaphores");
}

bool frames_reuse(struct frames *frames, uint32_t slot)
{
    return vulkan_ok(wait_until(frames, frames->slots[slot].value, UINT64_MAX),
                     "vkWaitSemaphores") &&
           vulkan_ok(vkResetCommandPool(frames->gpu->device, frames->slots[slot].pool, 0),
                     "vkResetCommandPool");
}

bool frames_begin(VkCommandBuffer cmd)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    return vulkan_ok(vkBeginCommandBuffer(cmd, &info), "vkBeginCommandBuffer");
}

bool frames_submit(struct frames *frames, uint32_t slot, VkCommandBuffer cmd,
                   const struct frames_submit *submit, struct weir_point *done)
{
    const uint64_t value = frames->value + 1;
    const uint64_t values[2] = {value, 0}; // the value of a binary semaphore is not read
    const VkSemaphore signals[2] = {frames->timeline, submit->signal};
    const uint32_t num_waits = submit->wait.point.semaphore ? 1 : 0;
    const uint32_t num_signals = submit->signal ? 2 : 1;
    const VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = num_waits,
        .pWaitSemaphoreValues = &submit->wait.point.value,
        .signalSemaphoreValueCount = num_signals,
        .pSignalSemaphoreValues = values,
    };
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &timeline,
        .waitSemaphoreCount = num_waits,
        .pWaitSemaphores = &submit->wait.point.semaphore,
        .pWaitDstStageMask = &submit->wait.stage,
        .commandBufferCount = 1,
        .pCommandBuffers = &cmd,
        .signalSemaphoreCount = num_signals,
        .pSignalSemaphores = signals,
    };
    if (!vulkan_ok(vkQueueSubmit(frames->gpu->graphics.queue, 1, &info, VK_NULL_HANDLE),
                   "vkQueueSubmit")) {
        return false;
    }
    frames->value = value;
    frames->slots[slot].value = value;
    *done = (struct weir_point){frames->timeline, value};
    return true;
}
