// SPDX-License-Identifier: MIT
// Physical devices: their features, and their order of preference.
#pragma once

#include "device/instance.h"

// A chain of feature structs, which begins with `core`. Points into itself: do not copy.
struct weir_device_features {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan12Features v12;
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_sizes;
};

// Make the chain, with every feature off. Without VK_EXT_subgroup_size_control its struct is not in
// the chain.
void weir_device_features_init(struct weir_device_features *features, bool has_subgroup_sizes);

// Make the chain, with the features that the physical device has.
void weir_device_features_query(struct weir_device_features *features,
                                const struct weir_instance *instance, VkPhysicalDevice handle);

// Get the place of a feature in the chain by its name, or NULL for another than those that
// weir_requirement_list() has.
VkBool32 *weir_device_features_find(struct weir_device_features *features, const char *name);

// Find what a physical device has, by the entry's api_version: `timeline_semaphore` and `met`.
void weir_device_find_met(const struct weir_instance *instance, VkPhysicalDevice handle,
                          struct weir_device_entry *entry);

// Physical devices in order of preference.

enum { WEIR_MAX_DEVICES = 16 };

struct weir_physical_device {
    VkPhysicalDevice handle;
    struct weir_device_entry entry;
};

// Fill `devices` with at most WEIR_MAX_DEVICES devices, the best first. Errors:
// WEIR_ERROR_UNSUPPORTED (there is no device).
enum weir_result weir_devices_find(const struct weir_instance *instance,
                                   struct weir_physical_device *devices, uint32_t *num);
