// SPDX-License-Identifier: MIT
// Extensions: the layer has those of windows in place of the driver. Its manifest tells the loader
// of them.
#include "tests/e2e/record/stand_in/extensions.h"

#include <stdlib.h>
#include <string.h>

#include "tests/e2e/record/stand_in/instance.h"

#define NUM(array) (sizeof(array) / sizeof((array)[0]))

static const char *const own[] = {
    VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
    VK_EXT_SWAPCHAIN_COLOR_SPACE_EXTENSION_NAME,
    VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME,
    VK_KHR_SURFACE_EXTENSION_NAME,
    VK_KHR_SWAPCHAIN_EXTENSION_NAME,
};

// The driver's, which are given the layer's swapchains where a program enables them.
static const char *const hidden[] = {
    "VK_AMD_display_native_hdr",
    "VK_EXT_display_control",
    "VK_EXT_full_screen_exclusive",
    "VK_EXT_hdr_metadata",
    "VK_EXT_present_mode_fifo_latest_ready",
    "VK_EXT_swapchain_maintenance1",
    "VK_GOOGLE_display_timing",
    "VK_KHR_display_swapchain",
    "VK_KHR_incremental_present",
    "VK_KHR_present_id",
    "VK_KHR_present_id2",
    "VK_KHR_present_mode_fifo_latest_ready",
    "VK_KHR_present_wait",
    "VK_KHR_present_wait2",
    "VK_KHR_shared_presentable_image",
    "VK_KHR_swapchain",
    "VK_KHR_swapchain_maintenance1",
    "VK_KHR_swapchain_mutable_format",
    "VK_NV_low_latency2",
    "VK_NV_present_barrier",
};

bool stand_in_enables(const char *const *names, uint32_t num, const char *name)
{
    for (uint32_t i = 0; i < num; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

const char **stand_in_strip(const char *const *names, uint32_t *num)
{
    const char **left = calloc(*num + 1, sizeof(left[0]));
    uint32_t num_left = 0;
    for (uint32_t i = 0; left && i < *num; i++) {
        if (!stand_in_enables(own, NUM(own), names[i])) {
            left[num_left++] = names[i];
        }
    }
    *num = num_left;
    return left;
}

VkResult stand_in_copy(const void *items, uint32_t num, size_t size, uint32_t *count, void *out)
{
    if (!out) {
        *count = num;
        return VK_SUCCESS;
    }
    const VkResult result = *count < num ? VK_INCOMPLETE : VK_SUCCESS;
    *count = *count < num ? *count : num;
    memcpy(out, items, *count * size);
    return result;
}

// Get what the driver has, but for what is hidden, and room for one more. NULL: an error.
static VkExtensionProperties *get_driver(VkPhysicalDevice physical, uint32_t *num, VkResult *result)
{
    const struct stand_in_instance *instance = stand_in_instance_of(physical);
    VkExtensionProperties *list = NULL;
    do {
        free(list);
        *result = instance->EnumerateDeviceExtensionProperties(physical, NULL, num, NULL);
        list = *result == VK_SUCCESS ? calloc(*num + 1, sizeof(list[0])) : NULL;
        if (!list) {
            *result = *result == VK_SUCCESS ? VK_ERROR_OUT_OF_HOST_MEMORY : *result;
            return NULL;
        }
        *result = instance->EnumerateDeviceExtensionProperties(physical, NULL, num, list);
    } while (*result == VK_INCOMPLETE);
    uint32_t num_left = 0;
    for (uint32_t i = 0; i < *num; i++) {
        if (!stand_in_enables(hidden, NUM(hidden), list[i].extensionName)) {
            list[num_left++] = list[i];
        }
    }
    *num = num_left;
    return list;
}

VkResult stand_in_enumerate_device_extensions(VkPhysicalDevice physical, const char *layer,
                                              uint32_t *count, VkExtensionProperties *out)
{
    const VkExtensionProperties swapchain = {VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                                             VK_KHR_SWAPCHAIN_SPEC_VERSION};
    if (layer && strcmp(layer, STAND_IN_NAME) == 0) {
        return stand_in_copy(&swapchain, 1, sizeof(swapchain), count, out);
    }
    if (layer) {
        return stand_in_instance_of(physical)->EnumerateDeviceExtensionProperties(physical, layer,
                                                                                  count, out);
    }
    uint32_t num = 0;
    VkResult result;
    VkExtensionProperties *list = get_driver(physical, &num, &result);
    if (list && result == VK_SUCCESS) {
        list[num++] = swapchain;
        result = stand_in_copy(list, num, sizeof(list[0]), count, out);
    }
    free(list);
    return result;
}
