// SPDX-License-Identifier: MIT
// Preloaded into a program, it makes every Vulkan device a lesser one: without the features and
// extensions that WEIR_LESSER names, with commas between them; 1.1 stands for a device of Vulkan
// 1.1, shared_memory for more of it than every device has, and rgba16_unorm for images of that
// format.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "tests/e2e/real_vulkan.h"

static PFN_vkGetPhysicalDeviceFeatures real_features;
static PFN_vkGetPhysicalDeviceFeatures2 real_features2;
static PFN_vkGetPhysicalDeviceProperties real_properties;
static PFN_vkGetPhysicalDeviceProperties2 real_properties2;
static PFN_vkEnumerateDeviceExtensionProperties real_extensions;

static bool hides(const char *name)
{
    const size_t length = strlen(name);
    const char *list = getenv("WEIR_LESSER");
    for (const char *at = list; at && (at = strstr(at, name)); at += length) {
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == 0)) {
            return true;
        }
    }
    return false;
}

#define HIDE(features, name) (features)->name = (features)->name && !hides(#name)

static void hide_core(VkPhysicalDeviceFeatures *features)
{
    HIDE(features, shaderInt64);
    HIDE(features, shaderStorageImageWriteWithoutFormat);
    HIDE(features, shaderStorageImageArrayDynamicIndexing);
    HIDE(features, shaderSampledImageArrayDynamicIndexing);
}

static VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice device,
                                               VkPhysicalDeviceFeatures *features)
{
    real_features(device, features);
    hide_core(features);
}

static VKAPI_ATTR void VKAPI_CALL get_features2(VkPhysicalDevice device,
                                                VkPhysicalDeviceFeatures2 *features)
{
    real_features2(device, features);
    hide_core(&features->features);
    for (VkBaseOutStructure *s = features->pNext; s; s = s->pNext) {
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
            VkPhysicalDeviceVulkan12Features *core12 = (void *)s;
            HIDE(core12, timelineSemaphore);
            HIDE(core12, shaderBufferInt64Atomics);
        }
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES) {
            VkPhysicalDeviceSubgroupSizeControlFeatures *sizes = (void *)s;
            HIDE(sizes, subgroupSizeControl);
        }
    }
}

static VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice device,
                                                 VkPhysicalDeviceProperties *properties)
{
    real_properties(device, properties);
    if (hides("1.1")) {
        properties->apiVersion = VK_API_VERSION_1_1;
    }
}

static VKAPI_ATTR void VKAPI_CALL get_properties2(VkPhysicalDevice device,
                                                  VkPhysicalDeviceProperties2 *properties)
{
    real_properties2(device, properties);
    if (hides("shared_memory")) {
        properties->properties.limits.maxComputeSharedMemorySize = 16384;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL list_extensions(VkPhysicalDevice device, const char *layer,
                                                      uint32_t *num, VkExtensionProperties *list)
{
    const VkResult result = real_extensions(device, layer, num, list);
    for (uint32_t i = 0; list && i < *num; i++) {
        if (hides(list[i].extensionName)) {
            memset(list[i].extensionName, 0, sizeof(list[i].extensionName));
        }
    }
    return result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                               const char *name)
{
    const PFN_vkVoidFunction function = real_instance_proc(instance, name);
    const struct {
        const char *name;
        PFN_vkVoidFunction *keep, replacement;
    } replaced[] = {
        {"vkGetPhysicalDeviceFeatures", (PFN_vkVoidFunction *)&real_features,
         (PFN_vkVoidFunction)get_features},
        {"vkGetPhysicalDeviceFeatures2", (PFN_vkVoidFunction *)&real_features2,
         (PFN_vkVoidFunction)get_features2},
        {"vkGetPhysicalDeviceProperties", (PFN_vkVoidFunction *)&real_properties,
         (PFN_vkVoidFunction)get_properties},
        {"vkGetPhysicalDeviceProperties2", (PFN_vkVoidFunction *)&real_properties2,
         (PFN_vkVoidFunction)get_properties2},
        {"vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction *)&real_extensions,
         (PFN_vkVoidFunction)list_extensions},
    };
    for (size_t i = 0; function && i < sizeof(replaced) / sizeof(replaced[0]); i++) {
        if (strcmp(name, replaced[i].name) == 0) {
            memcpy(replaced[i].keep, &function, sizeof(function));
            return replaced[i].replacement;
        }
    }
    return function;
}

// The loader's own, which the program calls.
VKAPI_ATTR void VKAPI_CALL vkGetPhysicalDeviceFormatProperties(VkPhysicalDevice device,
                                                               VkFormat format,
                                                               VkFormatProperties *properties)
{
    static PFN_vkGetPhysicalDeviceFormatProperties real;
    if (!real) {
        void *symbol = dlsym(RTLD_NEXT, "vkGetPhysicalDeviceFormatProperties");
        memcpy(&real, &symbol, sizeof(real));
    }
    real(device, format, properties);
    if (format == VK_FORMAT_R16G16B16A16_UNORM && hides("rgba16_unorm")) {
        *properties = (VkFormatProperties){0};
    }
}
