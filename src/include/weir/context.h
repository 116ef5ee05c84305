// SPDX-License-Identifier: MIT
// The context: Weir on the host's own Vulkan device. Creates no instance, device or queue.
#ifndef WEIR_CONTEXT_H
#define WEIR_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/log.h>
#include <weir/result.h>
#include <weir/version.h>

#ifdef __cplusplus
extern "C" {
#endif

// Weir's objects on one device. Internally synchronised: one context serves several threads; an
// object made from it says its own rules.
typedef struct weir_context weir_context;

// A queue of the host.
struct weir_queue {
    VkQueue queue;   // VK_NULL_HANDLE: the host offers none of this kind
    uint32_t family; // its queue family index
    uint32_t index;  // its index within the family, for the lock functions
};

// All pointers are read during weir_context_create() only.
struct weir_context_params {
    const char *debug_tag; // set by the macro; NULL is allowed

    VkInstance instance;                              // required, borrowed
    VkPhysicalDevice physical_device;                 // required
    VkDevice device;                                  // required, borrowed
    PFN_vkGetInstanceProcAddr get_instance_proc_addr; // required: every function is loaded by it
    uint32_t api_version; // VkApplicationInfo::apiVersion of the instance; 0 = VK_API_VERSION_1_2

    // What was *enabled* on the device and the instance, not what is available.
    const char *const *device_extensions;
    uint32_t num_device_extensions;
    const char *const *instance_extensions; // VK_EXT_debug_utils here gives names and labels
    uint32_t num_instance_extensions;
    // the chain passed to vkCreateDevice. Required: it must enable timelineSemaphore
    const VkPhysicalDeviceFeatures2 *features;

    struct weir_queue graphics; // optional; the fallback where there is no compute queue
    // optional; a family without graphics runs beside the renderer. One of the two is required and
    // must have VK_QUEUE_COMPUTE_BIT
    struct weir_queue compute;

    // Called around every vkQueueSubmit. Needed when a queue above is used by the host too, from
    // another thread. Both or neither.
    void (*lock_queue)(void *user, uint32_t family, uint32_t index);
    void (*unlock_queue)(void *user, uint32_t family, uint32_t index);
    void *lock_user;

    VkPipelineCache pipeline_cache; // optional, borrowed; used during creation of pipelines
    struct weir_log log;            // optional
};
#define weir_context_params(...) WEIR_PARAMS(weir_context_params, __VA_ARGS__)

// Import the host's device. The host keeps everything that it passed alive until the context is
// gone.
// Errors: WEIR_ERROR_INVALID (a required field is missing), WEIR_ERROR_UNSUPPORTED (Vulkan below
// 1.2, a required feature not enabled, no compute queue), WEIR_ERROR_OUT_OF_MEMORY. `*out` is NULL
// then.
// Thread safety: any thread.
// Its name in the library ends with the version of the API: a program that was compiled with other
// headers does not link. For dlsym() the name is "weir_context_create_v1".
#define weir_context_create WEIR_VERSIONED(weir_context_create)
WEIR_API enum weir_result weir_context_create(const struct weir_context_params *params,
                                              weir_context **out);

// Destroy the context. Everything made from it must be gone. NULL is allowed; sets `*context` to
// NULL.
WEIR_API void weir_context_destroy(weir_context **context);

// The queue that Weir submits to: compute where the host gave one, else graphics. Thread-safe.
WEIR_API struct weir_queue weir_context_get_queue(const weir_context *context);

// True when that queue's family has no graphics: kernels run beside the renderer. Thread-safe.
WEIR_API bool weir_context_is_async(const weir_context *context);

// The log that the context was made with, for libraries on top of Weir. Thread-safe.
WEIR_API struct weir_log weir_context_get_log(const weir_context *context);

// What Weir asks of a device.
enum weir_requirement_kind {
    WEIR_REQUIREMENT_VERSION,   // `name` is a Vulkan version, as in "1.2"
    WEIR_REQUIREMENT_FEATURE,   // `name` is a VkBool32 member of a feature struct
    WEIR_REQUIREMENT_EXTENSION, // `name` is an extension
};
struct weir_requirement {
    enum weir_requirement_kind kind;
    const char *name;
    bool required;       // false: recommended, and `purpose` says what is lost without it
    const char *purpose; // one sentence
};
// The constant table of requirements and its length. A host reads it before it creates a device;
// `weir info` prints it. Thread-safe. Pure.
WEIR_API const struct weir_requirement *weir_requirement_list(size_t *num_requirements);

#ifdef __cplusplus
}
#endif
#endif
