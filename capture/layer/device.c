// SPDX-License-Identifier: MIT
// The program's devices.
#include "capture/layer/device.h"

#include <stdlib.h>
#include <string.h>

#include "capture/layer/sender.h"
#include "capture/layer/stream.h"
#include "capture/layer/swapchain.h"

static struct layer_registry devices = {.mutex = PTHREAD_MUTEX_INITIALIZER};

struct layer_device *layer_device_of(const void *handle)
{
    return layer_registry_find(&devices, handle);
}

void layer_devices_drain(void)
{
    enum { DRAIN_MS = 500 };
    const struct timespec until = layer_time_after_ms(DRAIN_MS);
    // A signal handler that ends the program may have interrupted the thread with the mutex.
    if (!layer_lock_until(&devices.mutex, &until)) {
        return;
    }
    for (struct layer_node *node = devices.first; node; node = node->next) {
        layer_sender_drain(((struct layer_device *)node)->sender, &until);
    }
    pthread_mutex_unlock(&devices.mutex);
}

// Find the link to the next layer, or the call that makes handles known.
static VkLayerDeviceCreateInfo *find_loader(const VkDeviceCreateInfo *info,
                                            VkLayerFunction function)
{
    return layer_chain_find_loader(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                   function);
}

static bool enables(const VkDeviceCreateInfo *info, const char *extension)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (strcmp(info->ppEnabledExtensionNames[i], extension) == 0) {
            return true;
        }
    }
    return false;
}

// True if frames, or pictures of them, are to be made smaller.
static bool shrinks(const struct layer_device *device)
{
    return device->sender->setup.level > 0 || device->sender->setup.preview > 0;
}

// True if Weir can work on such a device. Else `*reason` says why it cannot.
static bool can_record(const struct layer_device *device, const char **reason)
{
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &timeline};
    device->instance->GetPhysicalDeviceProperties(device->physical, &properties);
    if (device->instance->api_version < VK_API_VERSION_1_2 ||
        properties.apiVersion < VK_API_VERSION_1_2) {
        *reason = "not recorded: its device or its Vulkan loader is older than Vulkan 1.2";
        return false;
    }
    device->instance->GetPhysicalDeviceFeatures2(device->physical, &features);
    if (!timeline.timelineSemaphore) {
        *reason = "not recorded: its device has no timeline semaphores";
        return false;
    }
    *reason = "not recorded: its device cannot make frames smaller "
              "(shaderStorageImageWriteWithoutFormat)";
    if (!features.features.shaderStorageImageWriteWithoutFormat) {
        device->sender->setup.preview = 0; // frames alone are recorded
    }
    return !shrinks(device) || features.features.shaderStorageImageWriteWithoutFormat;
}

static void free_extensions(struct layer_device *device)
{
    for (uint32_t i = 0; i < device->num_extensions; i++) {
        free(device->extensions[i]);
    }
    free(device->extensions);
    device->extensions = NULL;
    device->num_extensions = 0;
}

static bool keep_extensions(struct layer_device *device, const VkDeviceCreateInfo *info)
{
    const uint32_t num = info->enabledExtensionCount;
    device->extensions = calloc(num ? num : 1, sizeof(device->extensions[0]));
    for (uint32_t i = 0; device->extensions && i < num; i++) {
        device->extensions[i] = strdup(info->ppEnabledExtensionNames[i]);
        if (!device->extensions[i]) {
            return false;
        }
        device->num_extensions++;
    }
    return device->extensions;
}

// Keep what was enabled. False: no memory.
static bool keep_enabled(struct layer_device *device, const VkDeviceCreateInfo *info)
{
    device->features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    if (!layer_chain_copy(info->pNext, &device->feature_chain) || !keep_extensions(device, info)) {
        return false;
    }
    const VkPhysicalDeviceFeatures2 *given = layer_chain_find(
        info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    if (given || info->pEnabledFeatures) {
        device->features.features = given ? given->features : *info->pEnabledFeatures;
    }
    device->features.pNext = device->feature_chain.first;
    return true;
}

static void destroy(struct layer_device *device)
{
    layer_sender_close(&device->sender);
    layer_chain_finish(&device->feature_chain);
    free_extensions(device);
    pthread_mutex_destroy(&device->mutex);
    free(device);
}

// Make the device of the next layer such that it can be recorded. Without success it is made as the
// program wants it, and not recorded.
static VkResult create_recorded(struct layer_device *device, PFN_vkCreateDevice create,
                                const VkDeviceCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkDevice *out)
{
    struct layer_request request = {.copy.first = NULL};
    const char *reason =
        "not recorded: its driver cannot create the device with timeline semaphores";
    VkResult result = VK_ERROR_INITIALIZATION_FAILED;
    // A layer that fails may have used the loader's links up, which are given anew then.
    VkLayerDeviceCreateInfo *link = find_loader(info, VK_LAYER_LINK_INFO);
    VkLayerDeviceLink *next = link->u.pLayerInfo;
    bool is_recorded = can_record(device, &reason) &&
                       layer_request_init(&request, info, shrinks(device), &reason);
    if (is_recorded) {
        result = create(device->physical, &request.info, allocator, out);
        is_recorded = result == VK_SUCCESS;
    }
    if (is_recorded && !keep_enabled(device, &request.info)) {
        reason = "not recorded: no memory is left";
        is_recorded = false;
    }
    if (!is_recorded) {
        layer_sender_say(device->sender, true, reason);
        layer_sender_close(&device->sender);
    }
    if (result != VK_SUCCESS) {
        link->u.pLayerInfo = next;
        result = create(device->physical, info, allocator, out);
    }
    layer_request_finish(&request);
    return result;
}

VkResult layer_create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkDevice *out)
{
    VkLayerDeviceCreateInfo *link = find_loader(info, VK_LAYER_LINK_INFO);
    const VkLayerDeviceCreateInfo *data = find_loader(info, VK_LOADER_DATA_CALLBACK);
    struct layer_instance *instance = layer_instance_of(physical);
    struct layer_device *device = calloc(1, sizeof(*device));
    if (!link || !instance || !device) {
        free(device);
        return link && instance ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_INITIALIZATION_FAILED;
    }
    VkLayerDeviceLink *next = link->u.pLayerInfo;
    const PFN_vkCreateDevice create = (PFN_vkCreateDevice)next->pfnNextGetInstanceProcAddr(
        instance->handle, "vkCreateDevice");
    device->physical = physical;
    device->instance = instance;
    device->get_proc = next->pfnNextGetDeviceProcAddr;
    device->set_loader_data = data ? data->u.pfnSetDeviceLoaderData : NULL;
    pthread_mutex_init(&device->mutex, NULL);
    link->u.pLayerInfo = next->pNext;
    if (data && enables(info, VK_KHR_SWAPCHAIN_EXTENSION_NAME)) {
        VkPhysicalDeviceProperties properties;
        instance->GetPhysicalDeviceProperties(physical, &properties);
        device->sender = layer_sender_open(properties.deviceName);
    }
    const VkResult result = device->sender ? create_recorded(device, create, info, allocator, out)
                                           : create(physical, info, allocator, out);
    if (result != VK_SUCCESS) {
        destroy(device);
        return result;
    }
    device->handle = *out;
#define LOAD(name) device->name = (PFN_vk##name)device->get_proc(*out, "vk" #name);
    LAYER_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    layer_registry_add(&devices, &device->node, *out);
    return VK_SUCCESS;
}

void layer_destroy_device(VkDevice handle, const VkAllocationCallbacks *allocator)
{
    struct layer_device *device = handle ? layer_device_of(handle) : NULL;
    if (!device) {
        return;
    }
    // What the layer made on the device goes before it. The program uses no queue of it any more,
    // but its last presents may still wait for what the layer gave them.
    if (device->sender) {
        device->DeviceWaitIdle(handle);
    }
    pthread_mutex_lock(&device->mutex);
    layer_swapchains_finish(device);
    layer_hosts_finish(device);
    pthread_mutex_unlock(&device->mutex);
    layer_registry_remove(&devices, &device->node);
    device->DestroyDevice(handle, allocator);
    destroy(device);
}

const struct layer_queue *layer_device_find_queue(const struct layer_device *device, VkQueue queue)
{
    for (uint32_t i = 0; i < device->num_queues; i++) {
        if (device->queues[i].handle == queue) {
            return &device->queues[i];
        }
    }
    return NULL;
}

static bool can_compute(const struct layer_device *device, uint32_t family)
{
    enum { MOST = 32 };
    VkQueueFamilyProperties families[MOST];
    uint32_t num = MOST;
    device->instance->GetPhysicalDeviceQueueFamilyProperties(device->physical, &num, families);
    return family < num && (families[family].queueFlags & VK_QUEUE_COMPUTE_BIT);
}

static void note_queue(struct layer_device *device, VkQueue queue, uint32_t family, uint32_t index)
{
    pthread_mutex_lock(&device->mutex);
    if (queue && device->num_queues < LAYER_MAX_QUEUES && !layer_device_find_queue(device, queue)) {
        device->queues[device->num_queues++] = (struct layer_queue){
            .handle = queue,
            .family = family,
            .index = index,
            .can_compute = can_compute(device, family)};
    }
    pthread_mutex_unlock(&device->mutex);
}

void layer_get_device_queue(VkDevice handle, uint32_t family, uint32_t index, VkQueue *queue)
{
    struct layer_device *device = layer_device_of(handle);
    device->GetDeviceQueue(handle, family, index, queue);
    note_queue(device, *queue, family, index);
}

void layer_get_device_queue_2(VkDevice handle, const VkDeviceQueueInfo2 *info, VkQueue *queue)
{
    struct layer_device *device = layer_device_of(handle);
    device->GetDeviceQueue2(handle, info, queue);
    if (!(info->flags & VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT)) {
        note_queue(device, *queue, info->queueFamilyIndex, info->queueIndex);
    }
}
