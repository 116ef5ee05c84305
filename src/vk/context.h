// SPDX-License-Identifier: MIT
// The host's device, as every module of libweir knows it.
#pragma once

#include <stdatomic.h>

#include <weir/context.h>

#include "base/alloc.h"
#include "base/check.h"
#include "vk/functions.h"

// The features that the host enabled on its device, as far as kernels use them.
struct weir_vk_features {
    bool timeline_semaphore;
    bool write_without_format;   // shaderStorageImageWriteWithoutFormat
    bool dynamic_storage_images; // shaderStorageImageArrayDynamicIndexing
    bool dynamic_sampled_images; // shaderSampledImageArrayDynamicIndexing
    bool int64;                  // shaderInt64
    bool int64_atomics;          // shaderBufferInt64Atomics
    bool subgroup_size_control;  // and computeFullSubgroups
};

// Objects that are made from a context, and counted until they are destroyed.
enum weir_object {
    WEIR_OBJECT_BUFFER,
    WEIR_OBJECT_ENCODER,
    WEIR_OBJECT_IMAGE,
    WEIR_OBJECT_MIPS,
    WEIR_OBJECT_PALETTE,
    WEIR_OBJECT_PREVIEW,
    WEIR_OBJECT_PYRAMID,
    WEIR_OBJECT_RDO,
    WEIR_OBJECT_READBACK,
    WEIR_OBJECT_SNAPPY,
    WEIR_OBJECT_TARGET,
    WEIR_NUM_OBJECTS,
};

struct weir_context {
    struct weir_vk_functions vk;
    VkDevice device;
    VkPhysicalDevice physical_device;
    uint32_t api_version; // of the device or of its instance, whichever is lower
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceMemoryProperties memory;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceSubgroupSizeControlProperties subgroup_sizes; // zero without the feature
    struct weir_vk_features features;
    VkPipelineCache pipeline_cache; // `own_cache`, or the host's
    VkPipelineCache own_cache;

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
    atomic_uint num_live[WEIR_NUM_OBJECTS];
};

// Get the log of a context, or NULL for NULL.
static inline const struct weir_log *weir_context_log(const weir_context *context)
{
    return context ? &context->log : NULL;
}

// Make a zeroed object, and free one. Where there is no memory, logs that and returns NULL.
void *weir_object_alloc(weir_context *context, enum weir_object kind, size_t size);
void weir_object_free(weir_context *context, enum weir_object kind, void *object);

// Returns WEIR_OK, or WEIR_ERROR_DEVICE_LOST once the device was lost.
enum weir_result weir_context_check_lost(const weir_context *context);

// Import the host's device: its handles, functions, memory types, locks and log.
enum weir_result weir_vk_import(weir_context *context, const struct weir_context_params *params);

// Choose the cache that kernels are compiled with, in cache.c.
enum weir_result weir_vk_cache_init(weir_context *context,
                                    const struct weir_context_params *params);

// A submission of commands. It waits for one semaphore at most. A value is that of a timeline; that
// of a binary semaphore is not read. Nulls are left out.
enum { WEIR_VK_MAX_COMMANDS = 3, WEIR_VK_MAX_SIGNALS = 3 };
struct weir_vk_batch {
    VkSemaphore wait;
    uint64_t wait_value;
    VkPipelineStageFlags wait_stage;
    VkCommandBuffer cmds[WEIR_VK_MAX_COMMANDS];
    VkSemaphore signals[WEIR_VK_MAX_SIGNALS];
    uint64_t signal_values[WEIR_VK_MAX_SIGNALS];

    // For vkQueueSubmit(), by weir_vk_batch_link(). They point into the struct: do not copy it.
    VkSubmitInfo submit;
    VkTimelineSemaphoreSubmitInfo values;
};
void weir_vk_batch_link(struct weir_vk_batch *batch);

// Take and leave the host's lock of a queue. Submit to a queue under it.
void weir_context_lock(const weir_context *context, const struct weir_queue *queue);
void weir_context_unlock(const weir_context *context, const struct weir_queue *queue);
enum weir_result weir_context_submit(weir_context *context, const struct weir_queue *queue,
                                     uint32_t num_submits, const VkSubmitInfo *submits);

// Call `record` to record commands, submit them to the queue of kernels and wait. For the creation
// of objects, never on the frame path.
typedef void weir_vk_recorder(const weir_context *context, VkCommandBuffer cmd, void *user);
enum weir_result weir_context_run_once(weir_context *context, weir_vk_recorder *record, void *user);

// Turn the VkResult of a Vulkan call into a result of Weir. A failure is logged with the call's
// name, and a lost device is remembered.
enum weir_result weir_vk_check(weir_context *context, VkResult result, const char *call);

// Do the same for a call that makes an object, and clear its handle if it failed: such a call
// leaves the handle undefined (Vulkan 1.3, Return Codes). `handle` is not of a dispatchable object.
enum weir_result weir_vk_check_made(weir_context *context, VkResult result, const char *call,
                                    void *handle);

// Check a call of the context's table, as in WEIR_VK_CALL(context, EndCommandBuffer, cmd), and one
// that makes an object of its device, as in WEIR_VK_MAKE(context, Sampler, &info, out).
#define WEIR_VK_CALL(context, name, ...)                                                           \
    weir_vk_check((context), (context)->vk.name(__VA_ARGS__), "vk" #name)
#define WEIR_VK_MAKE(context, name, info, out)                                                     \
    weir_vk_check_made((context),                                                                  \
                       (context)->vk.Create##name((context)->device, (info), NULL, (out)),         \
                       "vkCreate" #name, (out))

// Name an object "weir <what> (<tag>)". `handle` is the handle's 64 bits; `tag` may be NULL.
void weir_vk_name(const weir_context *context, VkObjectType type, uint64_t handle, const char *what,
                  const char *tag);

void weir_vk_label_begin(const weir_context *context, VkCommandBuffer cmd, const char *label);
void weir_vk_label_end(const weir_context *context, VkCommandBuffer cmd);

// Make a pool, or a timeline at 0. After a failure `*out` is a null handle.
enum weir_result weir_vk_command_pool_init(weir_context *context, uint32_t family,
                                           VkCommandPoolCreateFlags flags, VkCommandPool *out);
enum weir_result weir_vk_timeline_init(weir_context *context, VkSemaphore *out);

enum weir_result weir_vk_commands_allocate(weir_context *context, VkCommandPool pool, uint32_t num,
                                           VkCommandBuffer *out);
enum weir_result weir_vk_commands_begin(weir_context *context, VkCommandBuffer cmd,
                                        VkCommandBufferUsageFlags flags);
enum weir_result weir_vk_commands_end(weir_context *context, VkCommandBuffer cmd);

// Sleep until a timeline reaches a value. WEIR_NOT_READY: not within the timeout.
enum weir_result weir_vk_timeline_wait(weir_context *context, VkSemaphore timeline, uint64_t value,
                                       uint64_t timeout_ns);

// Read the chain that was passed to vkCreateDevice.
struct weir_vk_features weir_vk_features_read(const VkPhysicalDeviceFeatures2 *features);
