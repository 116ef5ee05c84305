// SPDX-License-Identifier: MIT
// The context imports the Vulkan device of the program that uses Weir, the host. Weir creates no
// instance, device or queue of its own.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/log.h>
#include <weir/result.h>
#include <weir/version.h>

// The state that all of Weir's objects on one device share. Several threads may use one context at
// a time; the objects made from it state their own rules.
typedef struct weir_context weir_context;

// A queue of the host.
struct weir_queue {
    VkQueue queue;   // VK_NULL_HANDLE: the host offers no queue of this kind
    uint32_t family; // its queue family index, below the number of the device's families
    uint32_t index;  // its index within the family, for the lock functions; below its queueCount
};

#define WEIR_MAX_TRANSFER_QUEUES 2

// All pointers are read during weir_context_create() only.
struct weir_context_params {
    const char *debug_tag; // set by the macro; NULL is allowed

    VkInstance instance;                              // required, borrowed
    VkPhysicalDevice physical_device;                 // required
    VkDevice device;                                  // required, borrowed
    PFN_vkGetInstanceProcAddr get_instance_proc_addr; // required: loads every function
    uint32_t api_version; // VkApplicationInfo::apiVersion of the instance; 0 = VK_API_VERSION_1_2

    // The extensions that were *enabled* on the device and the instance, not all that are
    // available.
    const char *const *device_extensions;
    uint32_t num_device_extensions;
    // With VK_EXT_debug_utils among them Weir names its Vulkan objects and labels its commands.
    const char *const *instance_extensions;
    uint32_t num_instance_extensions;
    // Required: the chain of features passed to vkCreateDevice, which must enable
    // timelineSemaphore. With Vulkan 1.1 the device needs the extensions VK_KHR_timeline_semaphore
    // and VK_KHR_spirv_1_4, and api_version must be set.
    const VkPhysicalDeviceFeatures2 *features;

    // One of the two queues is required. Weir submits kernels to `compute` if it is set, else to
    // `graphics`; that queue's family must have VK_QUEUE_COMPUTE_BIT. With a compute family without
    // graphics, kernels run beside the renderer.
    struct weir_queue graphics;
    struct weir_queue compute;
    // Optional: queues that copy results to host memory while the kernels of later frames run. Best
    // is a family that only copies: it takes no time from kernels. With two queues frames alternate
    // between them. With none, the queue of the kernels copies.
    struct weir_queue transfer[WEIR_MAX_TRANSFER_QUEUES];

    // Called before and after every vkQueueSubmit, with lock_user and the queue's family and index.
    // Required if the host uses one of these queues from another thread. Set both or neither.
    void (*lock_queue)(void *user, uint32_t family, uint32_t index);
    void (*unlock_queue)(void *user, uint32_t family, uint32_t index);
    void *lock_user;

    // Optional: compiled kernels, as weir_context_save_cache() gave them to an earlier process.
    // Bytes that are damaged, or of another device, driver or version of Weir, are ignored, which
    // the log says (WEIR_LOG_CODE_CACHE_IGNORED). Weir finds damage, but no forgery, which drivers
    // trust: keep them where only the user may write.
    const void *cache;
    size_t cache_size; // [bytes]; 0: none
    // Optional in their place, borrowed: a cache of the host's own pipelines. Kernels are compiled
    // with it by several threads at a time, so make it without
    // VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT.
    VkPipelineCache pipeline_cache;
    struct weir_log log; // receives the messages of the context and all its objects
};
#define weir_context_params(...) WEIR_PARAMS(weir_context_params, __VA_ARGS__)

// Import the host's device. The host must keep the Vulkan objects that it passed alive until the
// context is destroyed.
// Errors: WEIR_ERROR_INVALID (NULL, a required field is missing, a queue family or index that the
// device does not have), WEIR_ERROR_UNSUPPORTED (an old Vulkan, a required feature not enabled,
// no queue with compute, a transfer queue that cannot copy), WEIR_ERROR_OUT_OF_MEMORY. `*out` is
// NULL then.
// Thread safety: any thread.
// For dlsym() its name is "weir_context_create_v2": it ends with WEIR_API_VERSION.
#define weir_context_create WEIR_VERSIONED(weir_context_create)
WEIR_API enum weir_result weir_context_create(const struct weir_context_params *params,
                                              weir_context **out);

// Destroy the context. Every object made from it must have been destroyed before. If some live,
// their types and numbers are logged (WEIR_LOG_CODE_LIVE_OBJECTS; a readback has buffers too). NULL
// is allowed; sets `*context` to NULL. No other thread may be using it.
WEIR_API void weir_context_destroy(weir_context **context);

// Get the kernels that were compiled for the context, for weir_context_params.cache of a later
// process. docs/api.md: how to keep them. With NULL for `data`, `*size` becomes the size [bytes].
// Else it is the room at `data`, and becomes what was written there. Kernels that have no room are
// left out.
// Errors: WEIR_ERROR_INVALID (`*size` has no room for any), WEIR_ERROR_OUT_OF_MEMORY,
// WEIR_ERROR_DEVICE_LOST. `*size` is 0 then.
// Thread safety: any thread.
WEIR_API enum weir_result weir_context_save_cache(weir_context *context, size_t *size, void *data);

// Get the queue that Weir submits kernels to: `compute` if the host set it, else `graphics`. All
// zero for NULL. Thread-safe.
WEIR_API struct weir_queue weir_context_get_queue(const weir_context *context);

// True if that queue's family has no graphics, so that kernels run beside the renderer. False for
// NULL. Thread-safe.
WEIR_API bool weir_context_is_async(const weir_context *context);

// Get the log that the context was made with, for libraries on top of Weir. All zero for NULL.
// Thread-safe.
WEIR_API struct weir_log weir_context_get_log(const weir_context *context);

// One thing that Weir requires or recommends of a device.
enum weir_requirement_kind {
    WEIR_REQUIREMENT_VERSION = 0,   // `name` is a Vulkan version, as in "1.2"
    WEIR_REQUIREMENT_FEATURE = 1,   // `name` is a VkBool32 member of a feature struct
    WEIR_REQUIREMENT_EXTENSION = 2, // `name` is an extension
};
struct weir_requirement {
    enum weir_requirement_kind kind;
    const char *name;
    bool required;       // false: recommended, and `purpose` says what is lost without it
    const char *purpose; // one sentence
};
// Get the constant table of requirements; `*num_requirements`, if it is not NULL, becomes its
// length. A host reads it before it creates a device. `weir info` prints it. Thread-safe. Pure.
WEIR_API const struct weir_requirement *weir_requirement_list(size_t *num_requirements);
