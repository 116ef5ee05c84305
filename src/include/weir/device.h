// SPDX-License-Identifier: MIT
// An optional helper (libweir-device) that creates a Vulkan device for programs without one.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/log.h>
#include <weir/result.h>

// An instance, a device and its queues. Immutable after creation; reading it is thread-safe.
typedef struct weir_device weir_device;

// All pointers are read during weir_device_create() only, except for `log`, which is copied.
struct weir_device_params {
    const char *debug_tag;
    uint32_t index; // of the device in the order of weir_device_list(); 0 is the best device
    // Enable the Khronos validation layer with synchronization validation. Its messages go to `log`
    // as WEIR_LOG_CODE_VALIDATION and are counted. A missing layer is an error.
    bool validation;
    bool no_async;       // do not use a compute-only queue family even where there is one
    bool no_transfer;    // do not use a queue family that only copies even where there is one
    bool no_timeline;    // do not enable timeline semaphores (for tests)
    bool no_recommended; // enable required features only, none that is recommended (for tests)

    // Further extensions and features to enable, such as those of a window system. Creation fails
    // if one is missing. `features` may be NULL. So may `extension_features`, a chain of feature
    // structs for VkDeviceCreateInfo::pNext, without those that Weir adds itself.
    const char *const *instance_extensions;
    uint32_t num_instance_extensions;
    const char *const *device_extensions;
    uint32_t num_device_extensions;
    const VkPhysicalDeviceFeatures *features;
    const void *extension_features;

    // Optional: makes a surface. The graphics queue is then one that can present to it. The
    // weir_device owns and destroys the surface.
    VkResult (*create_surface)(void *user, VkInstance instance, VkSurfaceKHR *surface);
    void *surface_user;

    PFN_vkGetInstanceProcAddr get_instance_proc_addr; // NULL = that of the Vulkan loader
    struct weir_log log;
};
#define weir_device_params(...) WEIR_PARAMS(weir_device_params, __VA_ARGS__)

// Make an instance, and a device on the physical device `index`. Enables timeline semaphores, and
// every feature and extension that weir_requirement_list() recommends and the device has.
// Errors: WEIR_ERROR_UNSUPPORTED (no loader, no device, no device with that number, Vulkan below
// 1.2, a required extension or feature missing), WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY,
// WEIR_ERROR_VULKAN. `*out` is NULL then. Thread safety: any thread.
WEIR_API enum weir_result weir_device_create(const struct weir_device_params *params,
                                             weir_device **out);

// Wait until the device is idle, then destroy it. NULL is allowed; sets `*device` to NULL. No other
// thread may be using it.
WEIR_API void weir_device_destroy(weir_device **device);

// Get the params that import this device into a context: weir_context_create(weir_device_import(d),
// &ctx). Valid as long as the device. To change a field, copy the struct. NULL for NULL.
// Thread-safe.
WEIR_API const struct weir_context_params *weir_device_import(const weir_device *device);

// Get the surface that `create_surface` made, or VK_NULL_HANDLE, also for NULL. Thread-safe.
WEIR_API VkSurfaceKHR weir_device_get_surface(const weir_device *device);

// Get the number of warnings and errors that the validation layer has sent so far. 0 for NULL.
// Thread-safe.
WEIR_API uint32_t weir_device_get_num_messages(const weir_device *device);

// A physical device as weir_device_create() sees it.
#define WEIR_MAX_QUEUE_FAMILIES 16
struct weir_device_entry {
    char name[256], driver[256];
    uint32_t api_version;
    VkPhysicalDeviceType type;
    bool timeline_semaphore;
    bool host_cached; // there is a memory type that is HOST_VISIBLE and HOST_CACHED
    uint32_t num_queue_families;
    VkQueueFamilyProperties queue_families[WEIR_MAX_QUEUE_FAMILIES];
    // The families that weir_device_create() uses; UINT32_MAX = none. transfer_family only copies.
    uint32_t graphics_family, compute_family, transfer_family;
    uint32_t max_image_side;     // maxImageDimension2D
    uint64_t max_storage_buffer; // maxStorageBufferRange [bytes]
    const char *unusable;        // NULL, or the reason why Weir cannot use it
    uint64_t met; // bit i is set if the device has requirement i of weir_requirement_list()
};
// List the physical devices, the best first: usable devices before others, and within each group
// discrete before integrated, virtual, other and software devices. On input `*num` is the length of
// `entries`; it becomes the number of entries written. `get_instance_proc_addr` and `log` may be
// NULL.
// Errors: WEIR_ERROR_INVALID (`num` is NULL, or `entries` is with a `*num` above 0),
// WEIR_ERROR_UNSUPPORTED (no Vulkan loader or no driver). `*num` is 0 then. Thread safety: any
// thread.
WEIR_API enum weir_result weir_device_list(PFN_vkGetInstanceProcAddr get_instance_proc_addr,
                                           const struct weir_log *log,
                                           struct weir_device_entry *entries, uint32_t *num);
