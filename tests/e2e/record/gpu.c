// SPDX-License-Identifier: MIT
// The instance and the device of e2e_present, by Vulkan 1.0.
#include "gpu.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extensions.h"

enum { MAX_ITEMS = 256, MAX_FAMILIES = 16 };

void gpu_check(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        fprintf(stderr, "e2e_present: %s: VkResult %d\n", what, (int)result);
        exit(1);
    }
}

_Noreturn void gpu_skip(const char *reason)
{
    printf("skipped: %s\n", reason);
    exit(77);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT type,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    (void)severity;
    (void)type;
    ((struct gpu *)user)->num_messages++;
    fprintf(stderr, "e2e_present: validation: %s\n", data->pMessage);
    return VK_FALSE;
}

static bool has_layer(const char *name)
{
    static VkLayerProperties layers[MAX_ITEMS];
    uint32_t num = MAX_ITEMS;
    vkEnumerateInstanceLayerProperties(&num, layers);
    for (uint32_t i = 0; i < num; i++) {
        if (strcmp(layers[i].layerName, name) == 0) {
            return true;
        }
    }
    return false;
}

static const char validation[] = "VK_LAYER_KHRONOS_validation";

void gpu_make_instance(struct gpu *gpu, const struct options *options)
{
    const char *const layers[] = {validation};
    const char *extensions[8] = {VK_KHR_SURFACE_EXTENSION_NAME,
                                 options->is_headless ? VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME
                                                      : "VK_KHR_xcb_surface"};
    const VkValidationFeatureEnableEXT enabled[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    const VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = enabled,
    };
    const VkDebugUtilsMessengerCreateInfoEXT messages = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .pNext = &features,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = gpu,
    };
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "e2e_present",
                                           .apiVersion = options->api};
    VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
        .enabledExtensionCount = 2,
        .ppEnabledExtensionNames = extensions,
    };
    if (options->validate) {
        if (!has_layer(validation)) {
            gpu_skip("no validation layer");
        }
        info.pNext = &messages;
        info.enabledLayerCount = 1;
        info.ppEnabledLayerNames = layers;
        extensions[info.enabledExtensionCount++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    }
    if (options->color_space != VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) {
        extensions[info.enabledExtensionCount++] = VK_EXT_SWAPCHAIN_COLOR_SPACE_EXTENSION_NAME;
    }
    if (options->has_extensions) {
        extensions[info.enabledExtensionCount++] = "VK_KHR_get_surface_capabilities2";
        extensions[info.enabledExtensionCount++] = VK_EXT_SURFACE_MAINTENANCE_1_EXTENSION_NAME;
    }
    const VkResult result = vkCreateInstance(&info, NULL, &gpu->instance);
    if (result == VK_ERROR_EXTENSION_NOT_PRESENT || result == VK_ERROR_INCOMPATIBLE_DRIVER) {
        gpu_skip("no Vulkan here, or it has no such surface");
    }
    gpu_check(result, "vkCreateInstance");
    if (options->validate) {
        PFN_vkCreateDebugUtilsMessengerEXT create = (PFN_vkCreateDebugUtilsMessengerEXT)
            vkGetInstanceProcAddr(gpu->instance, "vkCreateDebugUtilsMessengerEXT");
        VkDebugUtilsMessengerCreateInfoEXT later = messages;
        later.pNext = NULL;
        gpu_check(create(gpu->instance, &later, NULL, &gpu->messenger), "messenger");
    }
}

// A family that draws, and one that presents: with a second queue another queue, of the same family
// where it has two. False: this device has none.
static bool find_families(struct gpu *gpu, const struct options *options, VkSurfaceKHR surface)
{
    VkQueueFamilyProperties families[MAX_FAMILIES];
    uint32_t num = MAX_FAMILIES;
    vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical, &num, families);
    uint32_t draws = num, presents = num;
    for (uint32_t i = num; i-- > 0;) {
        VkBool32 can_present = VK_FALSE;
        gpu_check(vkGetPhysicalDeviceSurfaceSupportKHR(gpu->physical, i, surface, &can_present),
                  "vkGetPhysicalDeviceSurfaceSupportKHR");
        if (can_present && (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT)) {
            draws = i;
        }
    }
    for (uint32_t i = num; i-- > 0 && draws < num;) {
        VkBool32 can_present = VK_FALSE;
        vkGetPhysicalDeviceSurfaceSupportKHR(gpu->physical, i, surface, &can_present);
        if (can_present && (i != draws || families[i].queueCount > 1)) {
            presents = i;
        }
    }
    gpu->families[0] = draws;
    gpu->num_queues = draws < num && families[draws].queueCount > 1 ? 2 : 1;
    gpu->families[1] = options->second_queue ? presents : draws;
    return draws < num && gpu->families[1] < num;
}

static void choose_device(struct gpu *gpu, const struct options *options, VkSurfaceKHR surface)
{
    VkPhysicalDevice devices[16];
    uint32_t num = 16;
    if (vkEnumeratePhysicalDevices(gpu->instance, &num, devices) < VK_SUCCESS) {
        num = 0;
    }
    for (uint32_t i = 0; i < num; i++) {
        gpu->physical = devices[i];
        if (find_families(gpu, options, surface)) {
            return;
        }
    }
    gpu_skip(options->second_queue ? "no device with a second queue that presents"
                                   : "no device that presents");
}

// `names` has room for more extensions.
static void create_device(struct gpu *gpu, const struct options *options, VkDeviceCreateInfo *info,
                          const char **names)
{
    struct extension_features features;
    if (options->has_extensions) {
        extensions_request(&features, gpu->physical, info, names);
    }
    const VkResult result = vkCreateDevice(gpu->physical, info, NULL, &gpu->device);
    if (result == VK_ERROR_EXTENSION_NOT_PRESENT || result == VK_ERROR_FEATURE_NOT_PRESENT) {
        gpu_skip("the device has not the extensions");
    }
    gpu_check(result, "vkCreateDevice");
}

void gpu_make_device(struct gpu *gpu, const struct options *options, VkSurfaceKHR surface)
{
    const char *extensions[8] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    uint32_t num_extensions = 1;
    if (options->has_shared_call) {
        extensions[num_extensions++] = VK_KHR_DISPLAY_SWAPCHAIN_EXTENSION_NAME;
    }
    static const float priorities[2] = {1.0f, 1.0f};
    choose_device(gpu, options, surface);
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(gpu->physical, &properties);
    if (properties.apiVersion < options->api) {
        gpu_skip("the device has an older version of Vulkan");
    }
    const bool is_one_family = gpu->families[0] == gpu->families[1];
    VkDeviceQueueCreateInfo queues[2];
    for (int i = 0; i < 2; i++) {
        queues[i] = (VkDeviceQueueCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = gpu->families[i],
            .queueCount = is_one_family && options->second_queue ? 2
                          : options->num_threads > 1             ? gpu->num_queues
                                                                 : 1,
            .pQueuePriorities = priorities,
        };
    }
    VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .timelineSemaphore = options->vulkan12 == 2,
    };
    VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = options->vulkan12 ? &features : NULL,
        .queueCreateInfoCount = is_one_family ? 1 : 2,
        .pQueueCreateInfos = queues,
        .enabledExtensionCount = num_extensions,
        .ppEnabledExtensionNames = extensions,
    };
    create_device(gpu, options, &info, extensions);
    vkGetDeviceQueue(gpu->device, gpu->families[0], 0, &gpu->queue);
    vkGetDeviceQueue(gpu->device, gpu->families[1], is_one_family && options->second_queue ? 1 : 0,
                     &gpu->present_queue);
}

void gpu_finish(struct gpu *gpu)
{
    vkDestroyDevice(gpu->device, NULL);
    if (gpu->messenger) {
        PFN_vkDestroyDebugUtilsMessengerEXT destroy = (PFN_vkDestroyDebugUtilsMessengerEXT)
            vkGetInstanceProcAddr(gpu->instance, "vkDestroyDebugUtilsMessengerEXT");
        destroy(gpu->instance, gpu->messenger, NULL);
    }
    vkDestroyInstance(gpu->instance, NULL);
}

struct gpu gpu_share(const struct gpu *gpu, uint32_t number)
{
    struct gpu other = *gpu;
    other.number = number % gpu->num_queues;
    vkGetDeviceQueue(gpu->device, gpu->families[0], other.number, &other.queue);
    other.present_queue = other.queue;
    return other;
}

static pthread_mutex_t locks[MAX_THREADS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                             PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                             PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                             PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void gpu_lock(const struct gpu *gpu)
{
    pthread_mutex_lock(&locks[gpu->number]);
}

void gpu_unlock(const struct gpu *gpu)
{
    pthread_mutex_unlock(&locks[gpu->number]);
}

void gpu_wait_idle(const struct gpu *gpu)
{
    for (int i = 0; i < MAX_THREADS; i++) {
        pthread_mutex_lock(&locks[i]);
    }
    gpu_check(vkDeviceWaitIdle(gpu->device), "vkDeviceWaitIdle");
    for (int i = 0; i < MAX_THREADS; i++) {
        pthread_mutex_unlock(&locks[i]);
    }
}
