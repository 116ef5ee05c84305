// SPDX-License-Identifier: MIT
// Images are acquired and presented. A present is a submission without commands, with a fence that
// says when its semaphores were signalled: nobody reads the image later.
#include "tests/e2e/record/stand_in/present.h"

#include <time.h>

#include "tests/e2e/record/stand_in/queue.h"
#include "tests/e2e/record/stand_in/swapchain.h"

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void sleep_until(int64_t time_ns)
{
    const struct timespec time = {time_ns / 1000000000, time_ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0) {
    }
}

// Find the image that was presented first. NULL: the program has all.
static struct stand_in_image *find_next(struct stand_in_swapchain *swapchain)
{
    for (uint32_t i = 0; i < swapchain->num_images; i++) {
        const uint32_t index = (swapchain->next + i) % swapchain->num_images;
        if (swapchain->images[index].state != STAND_IN_ACQUIRED) {
            return &swapchain->images[index];
        }
    }
    return NULL;
}

// Wait until an image that was presented is free. VK_TIMEOUT: it is not yet.
static VkResult wait_shown(const struct stand_in_device *device, struct stand_in_image *image,
                           uint64_t timeout_ns)
{
    const int64_t begin_ns = now_ns();
    VkResult result = device->WaitForFences(device->handle, 1, &image->shown, VK_TRUE, timeout_ns);
    if (result != VK_SUCCESS) {
        return result;
    }
    if (image->free_ns > begin_ns && (uint64_t)(image->free_ns - begin_ns) > timeout_ns) {
        sleep_until(begin_ns + (int64_t)timeout_ns);
        return VK_TIMEOUT;
    }
    if (image->free_ns > begin_ns) {
        sleep_until(image->free_ns);
    }
    result = device->ResetFences(device->handle, 1, &image->shown);
    image->state = result == VK_SUCCESS ? STAND_IN_FREE : image->state;
    return result;
}

VkResult stand_in_acquire(VkDevice handle, VkSwapchainKHR swapchain, uint64_t timeout_ns,
                          VkSemaphore semaphore, VkFence fence, uint32_t *index)
{
    struct stand_in_device *device = stand_in_device_of(handle);
    struct stand_in_swapchain *found = stand_in_swapchain_of(swapchain);
    struct stand_in_image *image = find_next(found);
    // Where the program has all images, no wait brings one: it lets one thread use a swapchain.
    VkResult result = image ? VK_SUCCESS : VK_TIMEOUT;
    if (image && image->state == STAND_IN_PRESENTED) {
        result = wait_shown(device, image, timeout_ns);
    }
    if (result != VK_SUCCESS) {
        return result == VK_TIMEOUT && timeout_ns == 0 ? VK_NOT_READY : result;
    }
    const VkSubmitInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .signalSemaphoreCount = semaphore ? 1 : 0,
        .pSignalSemaphores = &semaphore,
    };
    result = stand_in_queue_submit(device->queue, 1, &signal, fence);
    if (result == VK_SUCCESS) {
        *index = (uint32_t)(image - found->images);
        image->state = STAND_IN_ACQUIRED;
        found->next = (*index + 1) % found->num_images;
    }
    return result;
}

VkResult stand_in_acquire_2(VkDevice handle, const VkAcquireNextImageInfoKHR *info, uint32_t *index)
{
    return stand_in_acquire(handle, info->swapchain, info->timeout, info->semaphore, info->fence,
                            index);
}

// Submit no commands that wait for a present's semaphores, with a fence.
static VkResult submit_waits(VkQueue queue, const VkPresentInfoKHR *info, VkFence fence)
{
    enum { MOST = 8 };
    VkPipelineStageFlags stages[MOST];
    for (uint32_t i = 0; i < MOST; i++) {
        stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    }
    uint32_t left = info->waitSemaphoreCount;
    const VkSemaphore *semaphores = info->pWaitSemaphores;
    VkResult result;
    do {
        const uint32_t num = left < MOST ? left : MOST;
        const VkSubmitInfo submit = {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
            .waitSemaphoreCount = num,
            .pWaitSemaphores = semaphores,
            .pWaitDstStageMask = stages,
        };
        left -= num;
        semaphores = left ? semaphores + num : NULL;
        result = stand_in_queue_submit(queue, 1, &submit, left ? VK_NULL_HANDLE : fence);
    } while (result == VK_SUCCESS && left);
    return result;
}

// An image is shown when it was presented, or a period after the one before it, and is free when
// the next one can be shown.
static void show(struct stand_in_swapchain *swapchain, struct stand_in_image *image)
{
    image->state = STAND_IN_PRESENTED;
    if (swapchain->period_ns) {
        const int64_t now = now_ns();
        swapchain->shown_ns += swapchain->period_ns;
        swapchain->shown_ns = swapchain->shown_ns > now ? swapchain->shown_ns : now;
        image->free_ns = swapchain->shown_ns + swapchain->period_ns;
    }
}

VkResult stand_in_queue_present(VkQueue queue, const VkPresentInfoKHR *info)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < info->swapchainCount; i++) {
        struct stand_in_swapchain *swapchain = stand_in_swapchain_of(info->pSwapchains[i]);
        struct stand_in_image *image = &swapchain->images[info->pImageIndices[i]];
        // Fences after the first are signalled after the work before them, and so after the waits.
        const VkResult one = i == 0 ? submit_waits(queue, info, image->shown)
                                    : stand_in_queue_submit(queue, 0, NULL, image->shown);
        if (one == VK_SUCCESS) {
            show(swapchain, image);
        }
        if (info->pResults) {
            info->pResults[i] = one;
        }
        result = result == VK_SUCCESS ? one : result;
    }
    return result;
}
