// SPDX-License-Identifier: MIT
// Calls of a device that a test puts in place of Vulkan's. REPLACE_CALLS(USE(…) …) makes
// replaced_instance_proc() of them, for weir_context_params.get_instance_proc_addr.
#pragma once

#include <string.h>

#include <vulkan/vulkan.h>

// prefix##name() in place of vk##name(), which real_##name becomes.
#define REPLACE(prefix, vk, name)                                                                  \
    if (strcmp(call, #vk #name) == 0) {                                                            \
        real_##name = (PFN_##vk##name)vkGetDeviceProcAddr(device, call);                           \
        return (PFN_vkVoidFunction)prefix##name;                                                   \
    }
#define REPLACE_CALLS(replacements)                                                                \
    static PFN_vkVoidFunction VKAPI_CALL replaced_device_proc(VkDevice device, const char *call)   \
    {                                                                                              \
        replacements return vkGetDeviceProcAddr(device, call);                                     \
    }                                                                                              \
    static PFN_vkVoidFunction VKAPI_CALL replaced_instance_proc(VkInstance instance,               \
                                                                const char *call)                  \
    {                                                                                              \
        return strcmp(call, "vkGetDeviceProcAddr") == 0 ? (PFN_vkVoidFunction)replaced_device_proc \
                                                        : vkGetInstanceProcAddr(instance, call);   \
    }
