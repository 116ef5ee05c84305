// SPDX-License-Identifier: MIT
// The program's devices.
#include "tests/e2e/record/stand_in/device.h"

#include <stdlib.h>
#include <vulkan/vk_layer.h>

#include "tests/e2e/record/stand_in/extensions.h"

static struct stand_in_registry devices = {.mutex = PTHREAD_MUTEX_INITIALIZER};

struct stand_in_device *stand_in_device_of(const void *handle)
{
    return stand_in_registry_find(&devices, handle);
}

// Find what the loader tells each layer: the link to the next one, or the call that makes handles
// known.
static VkLayerDeviceCreateInfo *find_loader(const VkDeviceCreateInfo *info,
                                            VkLayerFunction function)
{
    const VkLayerDeviceCreateInfo *found = info->pNext;
    while (found && (found->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                     found->function != function)) {
        found = found->pNext;
    }
    return (void *)found;
}

// Make the device of the next layer.
static VkResult create_next(const struct stand_in_device *device, PFN_vkCreateDevice create,
                            const VkDeviceCreateInfo *info, const VkAllocationCallbacks *allocator,
                            VkDevice *out)
{
    VkDeviceCreateInfo stripped = *info;
    const char **names = stand_in_strip(info->ppEnabledExtensionNames,
                                        &stripped.enabledExtensionCount);
    if (!names) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    stripped.ppEnabledExtensionNames = names;
    const VkResult result = create(device->physical, &stripped, allocator, out);
    free(names);
    return result;
}

// Take the program's first queue. The loader has not told it of its handle yet.
static void take_queue(struct stand_in_device *device, const VkDeviceCreateInfo *info)
{
    const VkLayerDeviceCreateInfo *data = find_loader(info, VK_LOADER_DATA_CALLBACK);
    if (!data || !stand_in_enables(info->ppEnabledExtensionNames, info->enabledExtensionCount,
                                   VK_KHR_SWAPCHAIN_EXTENSION_NAME)) {
        return;
    }
    for (uint32_t i = 0; i < info->queueCreateInfoCount && !device->queue; i++) {
        const VkDeviceQueueCreateInfo *queue = &info->pQueueCreateInfos[i];
        if (queue->flags == 0) {
            device->GetDeviceQueue(device->handle, queue->queueFamilyIndex, 0, &device->queue);
        }
    }
    if (device->queue &&
        data->u.pfnSetDeviceLoaderData(device->handle, device->queue) != VK_SUCCESS) {
        device->queue = VK_NULL_HANDLE;
    }
}

VkResult stand_in_create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkDevice *out)
{
    VkLayerDeviceCreateInfo *link = find_loader(info, VK_LAYER_LINK_INFO);
    struct stand_in_instance *instance = stand_in_instance_of(physical);
    struct stand_in_device *device = calloc(1, sizeof(*device));
    if (!link || !instance || !device) {
        free(device);
        return link && instance ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_INITIALIZATION_FAILED;
    }
    const PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(NULL, "vkCreateDevice");
    device->physical = physical;
    device->instance = instance;
    device->get_proc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const VkResult result = create_next(device, create, info, allocator, out);
    if (result != VK_SUCCESS) {
        free(device);
        return result;
    }
    device->handle = *out;
#define LOAD(name) device->name = (PFN_vk##name)device->get_proc(*out, "vk" #name);
    STAND_IN_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    pthread_mutex_init(&device->queue_mutex, NULL);
    take_queue(device, info);
    stand_in_registry_add(&devices, &device->entry, *out);
    return VK_SUCCESS;
}

void stand_in_destroy_device(VkDevice handle, const VkAllocationCallbacks *allocator)
{
    struct stand_in_device *device = handle ? stand_in_device_of(handle) : NULL;
    if (device) {
        stand_in_registry_remove(&devices, &device->entry);
        device->DestroyDevice(handle, allocator);
        pthread_mutex_destroy(&device->queue_mutex);
        free(device);
    }
}
