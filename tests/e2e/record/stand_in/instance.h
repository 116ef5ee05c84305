// SPDX-License-Identifier: MIT
// The program's instances, and what the layer calls of the next one below it.
#ifndef WEIR_TESTS_STAND_IN_INSTANCE_H
#define WEIR_TESTS_STAND_IN_INSTANCE_H

#include <vulkan/vulkan_core.h>

#include "tests/e2e/record/stand_in/registry.h"

#define STAND_IN_NAME "VK_LAYER_WEIR_stand_in"

#define STAND_IN_INSTANCE_FUNCTIONS(X)                                                             \
    X(DestroyInstance)                                                                             \
    X(EnumerateDeviceExtensionProperties)                                                          \
    X(GetPhysicalDeviceFormatProperties)                                                           \
    X(GetPhysicalDeviceImageFormatProperties)                                                      \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceProperties)

// Immutable once it was made.
struct stand_in_instance {
    struct stand_in_entry entry;
    PFN_vkGetInstanceProcAddr get_proc; // of the next layer
#define STAND_IN_MEMBER(name) PFN_vk##name name;
    STAND_IN_INSTANCE_FUNCTIONS(STAND_IN_MEMBER)
#undef STAND_IN_MEMBER
};

// Get the instance of an instance or a physical device. NULL: it is unknown. Thread-safe.
struct stand_in_instance *stand_in_instance_of(const void *handle);

// The layer's form of the functions.
VkResult stand_in_create_instance(const VkInstanceCreateInfo *info,
                                  const VkAllocationCallbacks *allocator, VkInstance *out);
void stand_in_destroy_instance(VkInstance handle, const VkAllocationCallbacks *allocator);

#endif
