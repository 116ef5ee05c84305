// SPDX-License-Identifier: MIT
// The host's device, as every module of libweir knows it.
#ifndef WEIR_VK_CONTEXT_H
#define WEIR_VK_CONTEXT_H

#include <stdatomic.h>

#include <weir/context.h>

#include "base/alloc.h"
#include "base/given.h"
#include "vk/features.h"
#include "vk/functions.h"

struct weir_context {
    struct weir_vk_functions vk;
    VkDevice device;
    VkPhysicalDevice physical_device;
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceMemoryProperties memory;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceSubgroupSizeControlProperties subgroup_sizes; // zero without the feature
    struct weir_vk_features features;
    VkPipelineCache pipeline_cache;

    struct weir_queue queue; // of kernels
    // Of copies to host memory. None: copies take that of kernels.
    struct weir_queue copy_queues[WEIR_MAX_TRANSFER_QUEUES];
    uint32_t num_copy_queues;
    uint32_t num_device_families; // queue families of the device
    uint32_t families[2];         // queue families on which the host may execute Weir's commands
    uint32_t num_families;
    uint32_t copy_families[1 + WEIR_MAX_TRANSFER_QUEUES]; // those of the queues above, each once
    uint32_t num_copy_families;
    bool has_graphics; // one of the families has graphics
    bool is_async;
    bool is_software;        // a driver that computes on the host's processor
    uint32_t timestamp_bits; // valid bits of a time stamp of the queue's family; 0: it has none
    void (*lock_queue)(void *user, uint32_t family, uint32_t index);
    void (*unlock_queue)(void *user, uint32_t family, uint32_t index);
    void *lock_user;

    // The layouts of an encoder's sets: set 0 is the image that it reads, set 1 the buffer that it
    // writes.
    VkDescriptorSetLayout image_set_layout; // with the sampler that gathers texels
    VkSampler gather_sampler;
    VkDescriptorSetLayout buffer_set_layout;
    VkDescriptorSetLayout storage_set_layout; // for the set of an image that a kernel writes

    struct weir_log log;
    atomic_bool is_lost;
    atomic_ullong num_images; // wrapped so far; gives each image its number
};

// Get the log of a context, or NULL for NULL.
static inline const struct weir_log *weir_context_log(const weir_context *context)
{
    return context ? &context->log : NULL;
}

// Returns WEIR_OK, or WEIR_ERROR_DEVICE_LOST once the device was lost.
enum weir_result weir_context_check_lost(const weir_context *context);

// Import the host's device: its handles, functions, memory types, locks and log.
enum weir_result weir_vk_import(weir_context *context, const struct weir_context_params *params);

// Submit to a queue of the context under the host's lock.
enum weir_result weir_context_submit(weir_context *context, const struct weir_queue *queue,
                                     uint32_t num_submits, const VkSubmitInfo *submits);

// Call `record` to record commands, submit them to the queue of kernels and wait. For the creation
// of objects, never on the frame path.
enum weir_result weir_context_run_once(weir_context *context,
                                       void (*record)(const weir_context *context,
                                                      VkCommandBuffer cmd, void *user),
                                       void *user);

// Turn the VkResult of a Vulkan call into a result of Weir. A failure is logged with the call's
// name, and a lost device is remembered.
enum weir_result weir_vk_check(weir_context *context, VkResult result, const char *call);

#endif
