// SPDX-License-Identifier: MIT
// What e2e_present uses with --extensions: VK_KHR_present_id, VK_KHR_present_wait and
// VK_EXT_swapchain_maintenance1.
#pragma once

#include "gpu.h"

struct extension_features {
    VkPhysicalDevicePresentIdFeaturesKHR id;
    VkPhysicalDevicePresentWaitFeaturesKHR wait;
    VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT maintenance;
    uint32_t num; // extensions that the device has
};

// Chain the features that the device has to one that is made, and append the names. Ends the
// program with 77 where there are none.
void extensions_request(struct extension_features *features, VkPhysicalDevice physical,
                        VkDeviceCreateInfo *info, const char **names);

struct extensions;
// Get what is chained to a swapchain that is made: the modes of its presents. NULL: nothing.
const void *extensions_of_swapchain(const struct gpu *gpu);

struct extensions *extensions_create(const struct gpu *gpu);
void extensions_destroy(struct extensions *extensions); // NULL is allowed

// Around each present: it gets a number, a mode and a fence for each swapchain. Behind it some
// images are acquired and released again, and the present before it is waited for. NULL: nothing.
void extensions_begin(struct extensions *extensions, VkPresentInfoKHR *info);
void extensions_end(struct extensions *extensions, const VkPresentInfoKHR *info);
