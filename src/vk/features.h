// SPDX-License-Identifier: MIT
// The features that the host enabled on its device, as far as kernels use them.
#ifndef WEIR_VK_FEATURES_H
#define WEIR_VK_FEATURES_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

struct weir_vk_features {
    bool timeline_semaphore;
    bool write_without_format;   // shaderStorageImageWriteWithoutFormat
    bool dynamic_storage_images; // shaderStorageImageArrayDynamicIndexing
    bool dynamic_sampled_images; // shaderSampledImageArrayDynamicIndexing
    bool int64;                  // shaderInt64
    bool int64_atomics;          // shaderBufferInt64Atomics
    bool subgroup_size_control;  // and computeFullSubgroups
};

// Read the chain that was passed to vkCreateDevice.
struct weir_vk_features weir_vk_features_read(const VkPhysicalDeviceFeatures2 *features);

#endif
