// SPDX-License-Identifier: MIT
// Swapchains: images of the driver's that are shown nowhere.
#ifndef WEIR_TESTS_STAND_IN_SWAPCHAIN_H
#define WEIR_TESTS_STAND_IN_SWAPCHAIN_H

#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include "tests/e2e/record/stand_in/device.h"
#include "tests/e2e/record/stand_in/surface.h"

enum stand_in_state { STAND_IN_FREE, STAND_IN_ACQUIRED, STAND_IN_PRESENTED };

struct stand_in_image {
    VkImage handle;
    VkDeviceMemory memory;
    enum stand_in_state state;
    VkFence shown;   // where it is presented: it is free once this is signalled
    int64_t free_ns; // and that time has come
};

// The program lets one thread use a swapchain at a time.
struct stand_in_swapchain {
    struct stand_in_surface *surface;
    int64_t period_ns; // between two images that are shown; 0: there is no pace
    int64_t shown_ns;  // when the last one is shown
    uint32_t next;     // image to be acquired
    uint32_t num_images;
    struct stand_in_image images[STAND_IN_MAX_IMAGES];
};

static inline struct stand_in_swapchain *stand_in_swapchain_of(VkSwapchainKHR handle)
{
    return (struct stand_in_swapchain *)(uintptr_t)handle;
}

// The layer's form of the functions.
VkResult stand_in_create_swapchain(VkDevice handle, const VkSwapchainCreateInfoKHR *info,
                                   const VkAllocationCallbacks *allocator, VkSwapchainKHR *out);
void stand_in_destroy_swapchain(VkDevice handle, VkSwapchainKHR swapchain,
                                const VkAllocationCallbacks *allocator);
VkResult stand_in_get_swapchain_images(VkDevice handle, VkSwapchainKHR swapchain, uint32_t *count,
                                       VkImage *out);
VkResult stand_in_get_group_capabilities(VkDevice handle, VkDeviceGroupPresentCapabilitiesKHR *out);
VkResult stand_in_get_group_surface_modes(VkDevice handle, VkSurfaceKHR surface,
                                          VkDeviceGroupPresentModeFlagsKHR *out);

#endif
