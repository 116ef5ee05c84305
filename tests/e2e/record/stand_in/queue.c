// SPDX-License-Identifier: MIT
// Queues: every use of the queue that the layer submits to holds a lock.
#include "tests/e2e/record/stand_in/queue.h"

#include "tests/e2e/record/stand_in/device.h"

static struct stand_in_device *lock(VkQueue queue)
{
    struct stand_in_device *device = stand_in_device_of(queue);
    if (device->queue == queue) {
        pthread_mutex_lock(&device->queue_mutex);
    }
    return device;
}

static VkResult unlock(struct stand_in_device *device, VkQueue queue, VkResult result)
{
    if (device->queue == queue) {
        pthread_mutex_unlock(&device->queue_mutex);
    }
    return result;
}

VkResult stand_in_device_wait_idle(VkDevice handle)
{
    struct stand_in_device *device = stand_in_device_of(handle);
    pthread_mutex_lock(&device->queue_mutex);
    const VkResult result = device->DeviceWaitIdle(handle);
    pthread_mutex_unlock(&device->queue_mutex);
    return result;
}

VkResult stand_in_queue_bind_sparse(VkQueue queue, uint32_t num, const VkBindSparseInfo *infos,
                                    VkFence fence)
{
    struct stand_in_device *device = lock(queue);
    return unlock(device, queue, device->QueueBindSparse(queue, num, infos, fence));
}

VkResult stand_in_queue_submit(VkQueue queue, uint32_t num, const VkSubmitInfo *infos,
                               VkFence fence)
{
    struct stand_in_device *device = lock(queue);
    return unlock(device, queue, device->QueueSubmit(queue, num, infos, fence));
}

VkResult stand_in_queue_submit_2(VkQueue queue, uint32_t num, const VkSubmitInfo2 *infos,
                                 VkFence fence)
{
    struct stand_in_device *device = lock(queue);
    return unlock(device, queue, device->QueueSubmit2(queue, num, infos, fence));
}

VkResult stand_in_queue_submit_2_khr(VkQueue queue, uint32_t num, const VkSubmitInfo2 *infos,
                                     VkFence fence)
{
    struct stand_in_device *device = lock(queue);
    return unlock(device, queue, device->QueueSubmit2KHR(queue, num, infos, fence));
}

VkResult stand_in_queue_wait_idle(VkQueue queue)
{
    struct stand_in_device *device = lock(queue);
    return unlock(device, queue, device->QueueWaitIdle(queue));
}
