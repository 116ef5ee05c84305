// SPDX-License-Identifier: MIT
// Imports the host's device: loads the function table from its proc address.
#include "vk/context.h"

#include "base/check.h"

// Load the table. Returns NULL, or the name of the first function that is missing.
static const char *load(struct weir_vk_functions *vk, const struct weir_context_params *params)
{
    const PFN_vkGetInstanceProcAddr get_proc = params->get_instance_proc_addr;
#define LOAD_INSTANCE(name)                                                                        \
    vk->name = (PFN_vk##name)get_proc(params->instance, "vk" #name);                               \
    if (!vk->name) {                                                                               \
        return "vk" #name;                                                                         \
    }
    WEIR_VK_INSTANCE_FUNCTIONS(LOAD_INSTANCE)
#define LOAD_DEVICE(name)                                                                          \
    vk->name = (PFN_vk##name)vk->GetDeviceProcAddr(params->device, "vk" #name);                    \
    if (!vk->name) {                                                                               \
        return "vk" #name;                                                                         \
    }
    WEIR_VK_DEVICE_FUNCTIONS(LOAD_DEVICE)
    if (weir_has_name(params->instance_extensions, params->num_instance_extensions,
                      VK_EXT_DEBUG_UTILS_EXTENSION_NAME)) {
#define LOAD_DEBUG(name) vk->name = (PFN_vk##name)get_proc(params->instance, "vk" #name);
        WEIR_VK_DEBUG_FUNCTIONS(LOAD_DEBUG)
    }
    return NULL;
}

enum weir_result weir_vk_import(weir_context *context, const struct weir_context_params *params)
{
    context->device = params->device;
    context->physical_device = params->physical_device;
    context->lock_queue = params->lock_queue;
    context->unlock_queue = params->unlock_queue;
    context->lock_user = params->lock_user;
    context->log = params->log;
    const char *missing = load(&context->vk, params);
    if (missing) {
        return weir_fail(&context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FUNCTION,
                         "get_instance_proc_addr does not know %s; Vulkan 1.2 is required",
                         missing);
    }
    context->vk.GetPhysicalDeviceMemoryProperties(params->physical_device, &context->memory);
    return WEIR_OK;
}
