// SPDX-License-Identifier: MIT
// VkLayer_WEIR_stand_in: where the Vulkan loader finds the layer's functions.
//
// It gives surfaces and swapchains to drivers that have none: VK_EXT_headless_surface and
// VK_KHR_swapchain. It takes the place of a driver's own. Layers that are to see the presents, such
// as the one of weir record, stand before it in VK_INSTANCE_LAYERS.
//
// WEIR_STAND_IN_HZ=RATE: images that wait for the display (FIFO) are shown at that rate.
// WEIR_STAND_IN_EXTENDED=1: surfaces have half floats too, linear and beyond 1.
#include <string.h>
#include <vulkan/vk_layer.h>

#include "tests/e2e/record/stand_in/alias.h"
#include "tests/e2e/record/stand_in/device.h"
#include "tests/e2e/record/stand_in/extensions.h"
#include "tests/e2e/record/stand_in/instance.h"
#include "tests/e2e/record/stand_in/present.h"
#include "tests/e2e/record/stand_in/queue.h"
#include "tests/e2e/record/stand_in/surface.h"
#include "tests/e2e/record/stand_in/swapchain.h"

static PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance handle, const char *name);
static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice handle, const char *name);

struct function {
    const char *name;
    PFN_vkVoidFunction function;
};

// clang-format off
#define FUNCTION(name, function) {name, (PFN_vkVoidFunction)function}
// clang-format on
#define NUM(array) (sizeof(array) / sizeof((array)[0]))

static const struct function of_instances[] = {
    FUNCTION("vkCreateDevice", stand_in_create_device),
    FUNCTION("vkCreateHeadlessSurfaceEXT", stand_in_create_headless_surface),
    FUNCTION("vkCreateInstance", stand_in_create_instance),
    FUNCTION("vkDestroyInstance", stand_in_destroy_instance),
    FUNCTION("vkDestroySurfaceKHR", stand_in_destroy_surface),
    FUNCTION("vkEnumerateDeviceExtensionProperties", stand_in_enumerate_device_extensions),
    FUNCTION("vkGetInstanceProcAddr", get_instance_proc),
    FUNCTION("vkGetPhysicalDevicePresentRectanglesKHR", stand_in_get_present_rectangles),
    FUNCTION("vkGetPhysicalDeviceSurfaceCapabilities2KHR", stand_in_get_surface_capabilities_2),
    FUNCTION("vkGetPhysicalDeviceSurfaceCapabilitiesKHR", stand_in_get_surface_capabilities),
    FUNCTION("vkGetPhysicalDeviceSurfaceFormats2KHR", stand_in_get_surface_formats_2),
    FUNCTION("vkGetPhysicalDeviceSurfaceFormatsKHR", stand_in_get_surface_formats),
    FUNCTION("vkGetPhysicalDeviceSurfacePresentModesKHR", stand_in_get_surface_present_modes),
    FUNCTION("vkGetPhysicalDeviceSurfaceSupportKHR", stand_in_get_surface_support),
};

// These keep the chain of layers together.
static const struct function of_devices[] = {
    FUNCTION("vkDestroyDevice", stand_in_destroy_device),
    FUNCTION("vkGetDeviceProcAddr", get_device_proc),
};

// Those of devices that have swapchains.
static const struct function of_swapchains[] = {
    FUNCTION("vkAcquireNextImage2KHR", stand_in_acquire_2),
    FUNCTION("vkAcquireNextImageKHR", stand_in_acquire),
    FUNCTION("vkCreateSwapchainKHR", stand_in_create_swapchain),
    FUNCTION("vkDestroySwapchainKHR", stand_in_destroy_swapchain),
    FUNCTION("vkGetDeviceGroupPresentCapabilitiesKHR", stand_in_get_group_capabilities),
    FUNCTION("vkGetDeviceGroupSurfacePresentModesKHR", stand_in_get_group_surface_modes),
    FUNCTION("vkGetSwapchainImagesKHR", stand_in_get_swapchain_images),
    FUNCTION("vkQueuePresentKHR", stand_in_queue_present),
};

// And these too, where the next layer has them.
static const struct function of_others[] = {
    FUNCTION("vkBindImageMemory2", stand_in_bind_image_memory_2),
    FUNCTION("vkBindImageMemory2KHR", stand_in_bind_image_memory_2_khr),
    FUNCTION("vkCreateImage", stand_in_create_image),
    FUNCTION("vkDeviceWaitIdle", stand_in_device_wait_idle),
    FUNCTION("vkQueueBindSparse", stand_in_queue_bind_sparse),
    FUNCTION("vkQueueSubmit", stand_in_queue_submit),
    FUNCTION("vkQueueSubmit2", stand_in_queue_submit_2),
    FUNCTION("vkQueueSubmit2KHR", stand_in_queue_submit_2_khr),
    FUNCTION("vkQueueWaitIdle", stand_in_queue_wait_idle),
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

static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice handle, const char *name)
{
    const struct stand_in_device *device = handle ? stand_in_device_of(handle) : NULL;
    PFN_vkVoidFunction function = find(of_devices, NUM(of_devices), name);
    if (function || !device) {
        return function;
    }
    const PFN_vkVoidFunction next = device->get_proc(handle, name);
    if (device->queue) {
        function = find(of_swapchains, NUM(of_swapchains), name);
        if (!function && next) {
            function = find(of_others, NUM(of_others), name);
        }
    }
    return function ? function : next;
}

static PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance handle, const char *name)
{
    PFN_vkVoidFunction function = find(of_instances, NUM(of_instances), name);
    function = function ? function : find(of_devices, NUM(of_devices), name);
    if (function || !handle) {
        return function;
    }
    const struct stand_in_instance *instance = stand_in_instance_of(handle);
    return instance ? instance->get_proc(handle, name) : NULL;
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
