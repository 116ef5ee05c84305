// SPDX-License-Identifier: MIT
// Turns VkResults into results of Weir.
#include <string.h>

#include "vk/context.h"

// The names of failures that weir_vk_check() prints.
static const char *vulkan_result_name(VkResult result)
{
    static const struct {
        VkResult result;
        const char *name;
    } names[] = {
        {VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY"},
        {VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
        {VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED"},
        {VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED"},
        {VK_ERROR_FORMAT_NOT_SUPPORTED, "VK_ERROR_FORMAT_NOT_SUPPORTED"},
        {VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS"},
        {VK_ERROR_OUT_OF_POOL_MEMORY, "VK_ERROR_OUT_OF_POOL_MEMORY"},
        {VK_ERROR_SURFACE_LOST_KHR, "the surface was lost"},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i].result == result) {
            return names[i].name;
        }
    }
    return "an unexpected VkResult";
}

enum weir_result weir_vk_check(weir_context *context, VkResult result, const char *call)
{
    switch (result) {
    case VK_SUCCESS:
        return WEIR_OK;
    case VK_TIMEOUT:
    case VK_NOT_READY:
        return WEIR_NOT_READY;
    case VK_ERROR_DEVICE_LOST:
        if (atomic_exchange(&context->is_lost, true)) {
            return WEIR_ERROR_DEVICE_LOST; // which was logged, perhaps by another thread
        }
        return weir_fail(
            &context->log, WEIR_ERROR_DEVICE_LOST, WEIR_LOG_CODE_DEVICE_LOST,
            "%s: the device was lost; create it again, and everything that was made on it", call);
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
        return weir_fail(&context->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "%s: %s; close other programs, or use a smaller size or less at a time",
                         call, vulkan_result_name(result));
    default:
        return weir_fail(&context->log, WEIR_ERROR_VULKAN, WEIR_LOG_CODE_VULKAN_ERROR,
                         "%s: %s (%d)", call, vulkan_result_name(result), (int)result);
    }
}

enum weir_result weir_vk_check_made(weir_context *context, VkResult result, const char *call,
                                    void *handle)
{
    if (result != VK_SUCCESS) {
        memset(handle, 0, sizeof(uint64_t)); // the size of every such handle
    }
    return weir_vk_check(context, result, call);
}
