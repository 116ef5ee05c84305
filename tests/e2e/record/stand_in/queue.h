// SPDX-License-Identifier: MIT
// Queues. The layer submits to a queue of the program's when an image is acquired, where the
// program may use the queue in another thread: every use of that queue holds a lock.
#ifndef WEIR_TESTS_STAND_IN_QUEUE_H
#define WEIR_TESTS_STAND_IN_QUEUE_H

#include <vulkan/vulkan_core.h>

// The layer's form of the functions.
VkResult stand_in_device_wait_idle(VkDevice handle);
VkResult stand_in_queue_bind_sparse(VkQueue queue, uint32_t num, const VkBindSparseInfo *infos,
                                    VkFence fence);
VkResult stand_in_queue_submit(VkQueue queue, uint32_t num, const VkSubmitInfo *infos,
                               VkFence fence);
VkResult stand_in_queue_submit_2(VkQueue queue, uint32_t num, const VkSubmitInfo2 *infos,
                                 VkFence fence);
VkResult stand_in_queue_submit_2_khr(VkQueue queue, uint32_t num, const VkSubmitInfo2 *infos,
                                     VkFence fence);
VkResult stand_in_queue_wait_idle(VkQueue queue);

#endif
