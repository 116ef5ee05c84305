// SPDX-License-Identifier: MIT
// The feature that Weir requires.
#include "engine.h"

void enable_features(struct engine *e)
{
    e->vulkan12 = (VkPhysicalDeviceVulkan12Features){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .timelineSemaphore = VK_TRUE,
    };
    e->features = (VkPhysicalDeviceFeatures2){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &e->vulkan12,
    };
}
