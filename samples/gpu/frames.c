// SPDX-License-Identifier: MIT
// Frames in flight: slots, which are used again when their submissions have been executed.
#include "frames.h"

#include "report.h"

bool frames_init(const struct gpu *gpu, uint32_t num_slots, struct frames *frames)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    *frames = (struct frames){.gpu = gpu, .num_slots = num_slots};
    bool ok = true;
    for (uint32_t i = 0; ok && i < num_slots; ++i) {
        VkSemaphore *semaphore = &frames->slots[i].available;
        ok = vulkan_made(vkCreateSemaphore(gpu->device, &info, NULL, semaphore),
                         "vkCreateSemaphore", semaphore);
    }
    return ok;
}

void frames_finish(struct frames *frames)
{
    if (!frames->gpu) {
        return;
    }
    gpu_wait_idle(frames->gpu);
    for (uint32_t i = 0; i < frames->num_slots; ++i) {
        vkDestroySemaphore(frames->gpu->device, frames->slots[i].available, NULL);
    }
    *frames = (struct frames){0};
}

bool frames_wait(const struct frames *frames)
{
    weir_gpu *work = frames->gpu->work;
    return weir_ok(weir_gpu_wait(work, weir_gpu_get_last(work), UINT64_MAX), "weir_gpu_wait");
}

bool frames_wait_for(const struct frames *frames, uint64_t timeout_ns, bool *done)
{
    weir_gpu *work = frames->gpu->work;
    const enum weir_result result = weir_gpu_wait(work, weir_gpu_get_last(work), timeout_ns);
    *done = result == WEIR_OK;
    return weir_ok(result, "weir_gpu_wait");
}

bool frames_reuse(const struct frames *frames, uint32_t slot)
{
    return weir_ok(weir_gpu_wait(frames->gpu->work, frames->slots[slot].done, UINT64_MAX),
                   "weir_gpu_wait");
}

bool frames_begin(const struct frames *frames, VkCommandBuffer *cmd)
{
    return weir_ok(weir_gpu_begin(frames->gpu->work, cmd), "weir_gpu_begin");
}

bool frames_submit(struct frames *frames, uint32_t slot, VkCommandBuffer cmd,
                   const struct weir_gpu_submission *submission, struct weir_point *done)
{
    if (!weir_ok(weir_gpu_submit(frames->gpu->work, cmd, submission, done), "weir_gpu_submit")) {
        return false;
    }
    frames->slots[slot].done = *done;
    return true;
}
