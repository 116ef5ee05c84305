// SPDX-License-Identifier: MIT
// Surfaces without a window, and what a program asks about them.
#ifndef WEIR_TESTS_STAND_IN_SURFACE_H
#define WEIR_TESTS_STAND_IN_SURFACE_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

enum { STAND_IN_MIN_IMAGES = 2, STAND_IN_MAX_IMAGES = 16 };

struct stand_in_surface {
    const void *owner; // the swapchain that presents to it, or NULL
};

static inline struct stand_in_surface *stand_in_surface_of(VkSurfaceKHR handle)
{
    return (struct stand_in_surface *)(uintptr_t)handle;
}

// Make a swapchain the owner of a surface in place of `old`, which retires. False: another one owns
// it. Thread-safe, as is the next.
bool stand_in_surface_own(struct stand_in_surface *surface, const void *owner, const void *old);
// Have no owner, if that one is it.
void stand_in_surface_disown(struct stand_in_surface *surface, const void *owner);

// The layer's form of the functions.
VkResult stand_in_create_headless_surface(VkInstance instance,
                                          const VkHeadlessSurfaceCreateInfoEXT *info,
                                          const VkAllocationCallbacks *allocator,
                                          VkSurfaceKHR *out);
void stand_in_destroy_surface(VkInstance instance, VkSurfaceKHR surface,
                              const VkAllocationCallbacks *allocator);
VkResult stand_in_get_surface_support(VkPhysicalDevice physical, uint32_t family,
                                      VkSurfaceKHR surface, VkBool32 *out);
VkResult stand_in_get_surface_capabilities(VkPhysicalDevice physical, VkSurfaceKHR surface,
                                           VkSurfaceCapabilitiesKHR *out);
VkResult stand_in_get_surface_capabilities_2(VkPhysicalDevice physical,
                                             const VkPhysicalDeviceSurfaceInfo2KHR *info,
                                             VkSurfaceCapabilities2KHR *out);
VkResult stand_in_get_surface_formats(VkPhysicalDevice physical, VkSurfaceKHR surface,
                                      uint32_t *count, VkSurfaceFormatKHR *out);
VkResult stand_in_get_surface_formats_2(VkPhysicalDevice physical,
                                        const VkPhysicalDeviceSurfaceInfo2KHR *info,
                                        uint32_t *count, VkSurfaceFormat2KHR *out);
VkResult stand_in_get_surface_present_modes(VkPhysicalDevice physical, VkSurfaceKHR surface,
                                            uint32_t *count, VkPresentModeKHR *out);
VkResult stand_in_get_present_rectangles(VkPhysicalDevice physical, VkSurfaceKHR surface,
                                         uint32_t *count, VkRect2D *out);

#endif
