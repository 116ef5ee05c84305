// SPDX-License-Identifier: MIT
// Imports the host's device.
#include "vk/context.h"

#include <stdio.h>
#include <stdlib.h>

#include "vk/descriptors.h"

static enum weir_result check_params(const struct weir_context_params *params)
{
    const struct weir_log *log = &params->log;
    const char *missing = !params->instance                 ? "instance"
                          : !params->physical_device        ? "physical_device"
                          : !params->device                 ? "device"
                          : !params->get_instance_proc_addr ? "get_instance_proc_addr"
                          : !params->features               ? "features"
                                                            : NULL;
    WEIR_FAIL_IF(missing, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                 "weir_context_params.%s is required", missing);
    WEIR_FAIL_IF(!params->lock_queue != !params->unlock_queue, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_NULL_ARGUMENT,
                 "weir_context_params: set lock_queue and unlock_queue, or neither");
    WEIR_FAIL_IF(params->cache_size > 0 && (!params->cache || params->pipeline_cache), log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                 "weir_context_params.cache_size is the size of .cache, without .pipeline_cache");
    WEIR_TRY(weir_check_names(log, "weir_context_params", "device_extensions",
                              params->device_extensions, params->num_device_extensions));
    return weir_check_names(log, "weir_context_params", "instance_extensions",
                            params->instance_extensions, params->num_instance_extensions);
}

static enum weir_result check_device(weir_context *context,
                                     const struct weir_context_params *params)
{
    context->subgroup_sizes = (VkPhysicalDeviceSubgroupSizeControlProperties){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES,
    };
    context->subgroup = (VkPhysicalDeviceSubgroupProperties){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
        .pNext = context->features.subgroup_size_control ? &context->subgroup_sizes : NULL,
    };
    VkPhysicalDeviceProperties2 properties2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &context->subgroup,
    };
    context->vk.GetPhysicalDeviceProperties2(params->physical_device, &properties2);
    const VkPhysicalDeviceProperties properties = properties2.properties;
    context->limits = properties.limits;
    context->is_software = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    WEIR_FAIL_IF(!context->features.timeline_semaphore, &context->log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_FEATURE,
                 "the feature timelineSemaphore is required and not enabled on %s",
                 properties.deviceName);
    return WEIR_OK;
}

// Check that a queue, if the host set it, is one of its device's.
static enum weir_result check_queue(const weir_context *context, const char *field,
                                    const struct weir_queue *queue,
                                    const VkQueueFamilyProperties *families)
{
    const uint32_t num_families = context->num_device_families;
    if (!queue->queue ||
        (queue->family < num_families && queue->index < families[queue->family].queueCount)) {
        return WEIR_OK;
    }
    return weir_fail(&context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                     "weir_context_params.%s is queue %u of family %u: the device has %u families, "
                     "and %u queues of that one",
                     field, queue->index, queue->family, num_families,
                     queue->family < num_families ? families[queue->family].queueCount : 0);
}

// Add a family to a list, once.
static void add_family(uint32_t *families, uint32_t *num, uint32_t family)
{
    for (uint32_t i = 0; i < *num; i++) {
        if (families[i] == family) {
            return;
        }
    }
    families[(*num)++] = family;
}

static void collect_families(weir_context *context, const struct weir_context_params *params,
                             const VkQueueFamilyProperties *families)
{
    const struct weir_queue *queues[] = {&params->graphics, &params->compute};
    for (int i = 0; i < 2; i++) {
        const uint32_t family = queues[i]->family;
        if (queues[i]->queue) {
            add_family(context->families, &context->num_families, family);
            context->has_graphics |= (families[family].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
        }
    }
}

static enum weir_result check_transfer(const weir_context *context, const struct weir_queue *queue,
                                       const VkQueueFamilyProperties *families)
{
    const VkQueueFlags copying = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT |
                                 VK_QUEUE_TRANSFER_BIT;
    WEIR_TRY(check_queue(context, "transfer", queue, families));
    WEIR_FAIL_IF(queue->queue && !(families[queue->family].queueFlags & copying), &context->log,
                 WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_QUEUE,
                 "weir_context_params.transfer: queue family %u cannot copy; leave it empty, and "
                 "copies take the queue of the kernels",
                 queue->family);
    return WEIR_OK;
}

// Check the queues that the host set.
static enum weir_result check_queues(const weir_context *context,
                                     const struct weir_context_params *params,
                                     const VkQueueFamilyProperties *families)
{
    WEIR_TRY(check_queue(context, "graphics", &params->graphics, families));
    WEIR_TRY(check_queue(context, "compute", &params->compute, families));
    for (int i = 0; i < WEIR_MAX_TRANSFER_QUEUES; i++) {
        WEIR_TRY(check_transfer(context, &params->transfer[i], families));
    }
    return WEIR_OK;
}

static void set_copy_queues(weir_context *context, const struct weir_queue *transfers)
{
    uint32_t *num = &context->num_copy_families;
    add_family(context->copy_families, num, context->queue.family);
    for (int i = 0; i < WEIR_MAX_TRANSFER_QUEUES; i++) {
        if (transfers[i].queue) {
            context->copy_queues[context->num_copy_queues++] = transfers[i];
            add_family(context->copy_families, num, transfers[i].family);
        }
    }
}

static enum weir_result choose_queues(weir_context *context,
                                      const struct weir_context_params *params)
{
    enum { MAX_FAMILIES = 64 };
    VkQueueFamilyProperties families[MAX_FAMILIES];
    uint32_t num_families = MAX_FAMILIES;
    context->vk.GetPhysicalDeviceQueueFamilyProperties(params->physical_device, &num_families,
                                                       families);
    context->num_device_families = num_families;
    WEIR_TRY(check_queues(context, params, families));
    const struct weir_queue *queue = params->compute.queue ? &params->compute : &params->graphics;
    WEIR_FAIL_IF(!queue->queue || !(families[queue->family].queueFlags & VK_QUEUE_COMPUTE_BIT),
                 &context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_QUEUE,
                 "a queue with VK_QUEUE_COMPUTE_BIT is required: set weir_context_params.compute "
                 "or .graphics to one");
    context->queue = *queue;
    set_copy_queues(context, params->transfer);
    collect_families(context, params, families);
    context->is_async = !(families[queue->family].queueFlags & VK_QUEUE_GRAPHICS_BIT);
    // Reading a time stamp of Mesa's software device waits for all of its work. Frames would be
    // dropped for a figure that means nothing there.
    context->timestamp_bits = context->is_software ? 0 : families[queue->family].timestampValidBits;
    return WEIR_OK;
}

static enum weir_result context_init(weir_context *context,
                                     const struct weir_context_params *params)
{
    context->features = weir_vk_features_read(params->features);
    WEIR_TRY(weir_vk_import(context, params));
    WEIR_TRY(check_device(context, params));
    WEIR_TRY(choose_queues(context, params));
    WEIR_TRY(weir_vk_cache_init(context, params));
    return weir_vk_descriptor_layouts_init(context);
}

enum weir_result weir_context_create(const struct weir_context_params *params, weir_context **out)
{
    const struct weir_log *log = params ? &params->log : NULL;
    WEIR_TRY(WEIR_CHECK_OUT(log, out, params));
    WEIR_TRY(check_params(params));
    weir_context *context = weir_alloc(log, 1, sizeof(*context), "a context");
    if (!context) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const enum weir_result result = context_init(context, params);
    if (result != WEIR_OK) {
        weir_context_destroy(&context);
    }
    *out = context;
    return result;
}

static const char *const object_names[WEIR_NUM_OBJECTS] = {
    [WEIR_OBJECT_BUFFER] = "buffers",         [WEIR_OBJECT_ENCODER] = "encoders",
    [WEIR_OBJECT_IMAGE] = "images",           [WEIR_OBJECT_MIPS] = "mip generators",
    [WEIR_OBJECT_PALETTE] = "palettes",       [WEIR_OBJECT_PYRAMID] = "pyramids",
    [WEIR_OBJECT_RDO] = "optimisers of rate", [WEIR_OBJECT_READBACK] = "readbacks",
    [WEIR_OBJECT_SNAPPY] = "Snappy packers",  [WEIR_OBJECT_TARGET] = "pyramid targets",
    [WEIR_OBJECT_PREVIEW] = "previews",
};

void *weir_object_alloc(weir_context *context, enum weir_object kind, size_t size)
{
    void *object = weir_alloc(&context->log, 1, size, object_names[kind]);
    if (object) {
        atomic_fetch_add(&context->num_live[kind], 1);
    }
    return object;
}

void weir_object_free(weir_context *context, enum weir_object kind, void *object)
{
    atomic_fetch_sub(&context->num_live[kind], 1);
    free(object);
}

static void log_live_objects(const weir_context *context)
{
    char list[400] = ""; // has room for all of them
    size_t length = 0;
    for (int kind = 0; kind < WEIR_NUM_OBJECTS; kind++) {
        const unsigned num = atomic_load(&context->num_live[kind]);
        if (num > 0) {
            length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%u %s",
                                       length > 0 ? ", " : "", num, object_names[kind]);
        }
    }
    if (length > 0) {
        weir_log_printf(&context->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_LIVE_OBJECTS,
                        "weir_context_destroy() was called before all objects of the context were "
                        "destroyed, which now must not be used: %s",
                        list);
    }
}

void weir_context_destroy(weir_context **context)
{
    if (!context || !*context) {
        return;
    }
    log_live_objects(*context);
    if ((*context)->vk.DestroyDescriptorSetLayout) {
        weir_vk_descriptor_layouts_finish(*context);
    }
    if ((*context)->own_cache) {
        (*context)->vk.DestroyPipelineCache((*context)->device, (*context)->own_cache, NULL);
    }
    free(*context);
    *context = NULL;
}

struct weir_queue weir_context_get_queue(const weir_context *context)
{
    return context ? context->queue : (struct weir_queue){0};
}

bool weir_context_is_async(const weir_context *context)
{
    return context && context->is_async;
}

struct weir_log weir_context_get_log(const weir_context *context)
{
    return context ? context->log : (struct weir_log){0};
}

enum weir_result weir_context_check_lost(const weir_context *context)
{
    return atomic_load(&context->is_lost) ? WEIR_ERROR_DEVICE_LOST : WEIR_OK;
}
