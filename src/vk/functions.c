// SPDX-License-Identifier: MIT
// Loads the function table from the host's proc address.
#include "vk/functions.h"

#include <stddef.h>

const char *weir_vk_functions_load(struct weir_vk_functions *vk, PFN_vkGetInstanceProcAddr get_proc,
                                   VkInstance instance, VkDevice device, bool debug_utils)
{
#define LOAD_INSTANCE(name)                                                                        \
    vk->name = (PFN_vk##name)get_proc(instance, "vk" #name);                                       \
    if (!vk->name) {                                                                               \
        return "vk" #name;                                                                         \
    }
    WEIR_VK_INSTANCE_FUNCTIONS(LOAD_INSTANCE)
#define LOAD_DEVICE(name)                                                                          \
    vk->name = (PFN_vk##name)vk->GetDeviceProcAddr(device, "vk" #name);                            \
    if (!vk->name) {                                                                               \
        return "vk" #name;                                                                         \
    }
    WEIR_VK_DEVICE_FUNCTIONS(LOAD_DEVICE)
    if (debug_utils) {
#define LOAD_DEBUG(name) vk->name = (PFN_vk##name)get_proc(instance, "vk" #name);
        WEIR_VK_DEBUG_FUNCTIONS(LOAD_DEBUG)
    }
    return NULL;
}
