// SPDX-License-Identifier: MIT
// A Vulkan device that computes nothing: it hands out objects, counts them, and holds the calls to
// what Vulkan allows. For calls of the API on every kind of device, at the speed of the processor.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <weir/context.h>

enum { STUB_MAX_FAMILIES = 4 };

// What the device can do. All formats have `format_features`.
struct stub_device {
    VkPhysicalDeviceLimits limits;
    VkFormatFeatureFlags format_features;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceType type;
    uint32_t num_families;
    VkQueueFamilyProperties families[STUB_MAX_FAMILIES];
    // The number of the call that fails, of those that can, and how; 0 = none.
    uint32_t calls_until_fault;
    VkResult fault;
};

// Take the place of the device before, whose objects must be gone.
void stub_device_init(const struct stub_device *device);

// Get what the device can do.
const struct stub_device *stub_device_get(void);

// Get the number of objects that were created and not destroyed.
int stub_device_num_objects(void);

// Get the number of pipelines that were asked for.
unsigned stub_device_num_pipelines(void);

// Get a handle that stands for an object of the host: an image, a buffer, a semaphore, a queue, a
// command buffer.
#define STUB_HANDLE(type) ((type)(uintptr_t)0x1000)

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL stub_device_proc(VkInstance instance, const char *name);

// A table of functions by their names.
struct stub_entry {
    const char *name;
    PFN_vkVoidFunction function;
};
// clang-format off
#define STUB_ENTRY(function) {"vk" #function, (PFN_vkVoidFunction)function}
// clang-format on
PFN_vkVoidFunction stub_find(const struct stub_entry *entries, size_t num, const char *name);

// Get the function vkCmdX of that name, or NULL.
PFN_vkVoidFunction stub_command_proc(const char *name);

// True if an image may have such levels and layers.
bool stub_has_range(const VkImageSubresourceRange *range);
