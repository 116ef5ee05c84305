// SPDX-License-Identifier: MIT
// Images that a program makes itself, and that share the memory of a swapchain's (Vulkan 1.1,
// VkImageSwapchainCreateInfoKHR and VkBindImageMemorySwapchainInfoKHR).
#ifndef WEIR_TESTS_STAND_IN_ALIAS_H
#define WEIR_TESTS_STAND_IN_ALIAS_H

#include <vulkan/vulkan_core.h>

// The layer's form of the functions.
VkResult stand_in_create_image(VkDevice handle, const VkImageCreateInfo *info,
                               const VkAllocationCallbacks *allocator, VkImage *out);
VkResult stand_in_bind_image_memory_2(VkDevice handle, uint32_t num,
                                      const VkBindImageMemoryInfo *infos);
VkResult stand_in_bind_image_memory_2_khr(VkDevice handle, uint32_t num,
                                          const VkBindImageMemoryInfo *infos);

#endif
