// SPDX-License-Identifier: MIT
// Images are acquired and presented.
#ifndef WEIR_TESTS_STAND_IN_PRESENT_H
#define WEIR_TESTS_STAND_IN_PRESENT_H

#include <vulkan/vulkan_core.h>

// The layer's form of the functions. A signal of an acquired image comes after the work that its
// queue has already: it is of the program's first queue.
VkResult stand_in_acquire(VkDevice handle, VkSwapchainKHR swapchain, uint64_t timeout_ns,
                          VkSemaphore semaphore, VkFence fence, uint32_t *index);
VkResult stand_in_acquire_2(VkDevice handle, const VkAcquireNextImageInfoKHR *info,
                            uint32_t *index);
VkResult stand_in_queue_present(VkQueue queue, const VkPresentInfoKHR *info);

#endif
