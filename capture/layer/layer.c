// SPDX-License-Identifier: MIT
// VkLayer_WEIR_capture: where the Vulkan loader finds the layer's functions. Without a recorder in
// the environment every function but those that keep the chain together is the next layer's own.
#include <string.h>
#include <vulkan/vk_layer.h>

#include "capture/layer/device.h"
#include "capture/layer/swapchain.h"

static PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance handle, const char *name);
static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice handle, const char *name);

struct function {
    const char *name;
    PFN_vkVoidFunction function;
};

static PFN_vkVoidFunction find(const struct function *functions, size_t num, const char *name)
{
    for (size_t i = 0; i < num; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            return functions[i].function;
        }
    }
    return NULL;
}

#define FUNCTION(name, function)                                                                   \
    {                                                                                              \
        name, (PFN_vkVoidFunction)function                                                         \
    }
#define NUM(array) (sizeof(array) / sizeof((array)[0]))

static const struct function of_instances[] = {
    FUNCTION("vkCreateDevice", layer_create_device),
    FUNCTION("vkCreateInstance", layer_create_instance),
    FUNCTION("vkDestroyInstance", layer_destroy_instance),
    FUNCTION("vkGetInstanceProcAddr", get_instance_proc),
};

// These keep the chain of layers together.
static const struct function of_devices[] = {
    FUNCTION("vkDestroyDevice", layer_destroy_device),
    FUNCTION("vkGetDeviceProcAddr", get_device_proc),
};

// These record.
static const struct function of_recorded_devices[] = {
    FUNCTION("vkCreateImage", layer_create_image),
    FUNCTION("vkCreateSharedSwapchainsKHR", layer_create_shared_swapchains),
    FUNCTION("vkCreateSwapchainKHR", layer_create_swapchain),
    FUNCTION("vkDestroySwapchainKHR", layer_destroy_swapchain),
    FUNCTION("vkGetDeviceQueue", layer_get_device_queue),
    FUNCTION("vkGetDeviceQueue2", layer_get_device_queue_2),
    FUNCTION("vkQueuePresentKHR", layer_queue_present),
};

static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice handle, const char *name)
{
    const struct layer_device *device = handle ? layer_device_of(handle) : NULL;
    PFN_vkVoidFunction function = find(of_devices, NUM(of_devices), name);
    if (!function && device && device->sender) {
        function = find(of_recorded_devices, NUM(of_recorded_devices), name);
        // An extension's function that the device does not have stays missing.
        if (function && !device->get_proc(handle, name)) {
            function = NULL;
        }
    }
    if (function) {
        return function;
    }
    return device ? device->get_proc(handle, name) : NULL;
}

static PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance handle, const char *name)
{
    PFN_vkVoidFunction function = find(of_instances, NUM(of_instances), name);
    function = function ? function : find(of_devices, NUM(of_devices), name);
    if (function || !handle) {
        return function;
    }
    const struct layer_instance *instance = layer_instance_of(handle);
    return instance ? instance->get_proc(handle, name) : NULL;
}

// Programs end without a word: their last frames are still on their way.
__attribute__((destructor)) static void finish(void)
{
    layer_devices_drain();
}

__attribute__((visibility("default"))) VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface)
{
    enum { VERSION = 2 };
    if (interface->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
        interface->loaderLayerInterfaceVersion < VERSION) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    interface->loaderLayerInterfaceVersion = VERSION;
    interface->pfnGetInstanceProcAddr = get_instance_proc;
    interface->pfnGetDeviceProcAddr = get_device_proc;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
