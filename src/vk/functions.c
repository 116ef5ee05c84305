// SPDX-License-Identifier: MIT
// Imports the host's device: loads the function table from its proc address.
#include "vk/context.h"

#include "base/size.h"

static bool has_version(const weir_context *context, const struct weir_context_params *params)
{
    const char *const *extensions = params->device_extensions;
    const uint32_t num = params->num_device_extensions;
    return context->api_version >= VK_API_VERSION_1_2 ||
           (context->api_version >= VK_API_VERSION_1_1 &&
            weir_has_name(extensions, num, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME) &&
            weir_has_name(extensions, num, VK_KHR_SPIRV_1_4_EXTENSION_NAME));
}

// Find the version that the host may use, and check that it is enough.
static enum weir_result check_version(weir_context *context,
                                      const struct weir_context_params *params)
{
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
    };
    context->vk.GetPhysicalDeviceProperties2(params->physical_device, &properties);
    const uint32_t device = properties.properties.apiVersion;
    const uint32_t instance = params->api_version ? params->api_version : VK_API_VERSION_1_2;
    context->api_version = weir_min(device, instance);
    WEIR_FAIL_IF(!has_version(context, params), &context->log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_VULKAN_VERSION,
                 "Vulkan 1.2 is required, or 1.1 with VK_KHR_timeline_semaphore and "
                 "VK_KHR_spirv_1_4 enabled: %s has %u.%u, VkApplicationInfo::apiVersion "
                 "(weir_context_params.api_version) is %u.%u",
                 properties.properties.deviceName, VK_API_VERSION_MAJOR(device),
                 VK_API_VERSION_MINOR(device), VK_API_VERSION_MAJOR(instance),
                 VK_API_VERSION_MINOR(instance));
    return WEIR_OK;
}

// A proc address knows no function that is newer than the version that the host asked for.
static enum weir_result missing(const weir_context *context, const char *name)
{
    return weir_fail(&context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FUNCTION,
                     "%s is missing: set VkApplicationInfo::apiVersion of the instance to "
                     "VK_API_VERSION_1_2, or give weir_context_params.api_version and "
                     ".device_extensions as they are",
                     name);
}

#define LOAD(name, get_proc, handle, suffix)                                                       \
    vk->name = (PFN_vk##name)get_proc(handle, "vk" #name suffix);                                  \
    if (!vk->name) {                                                                               \
        return missing(context, "vk" #name suffix);                                                \
    }

static enum weir_result load_instance(weir_context *context,
                                      const struct weir_context_params *params)
{
    struct weir_vk_functions *vk = &context->vk;
#define LOAD_INSTANCE(name) LOAD(name, params->get_instance_proc_addr, params->instance, "")
    WEIR_VK_INSTANCE_FUNCTIONS(LOAD_INSTANCE)
    if (weir_has_name(params->instance_extensions, params->num_instance_extensions,
                      VK_EXT_DEBUG_UTILS_EXTENSION_NAME)) {
#define LOAD_DEBUG(name)                                                                           \
    vk->name = (PFN_vk##name)params->get_instance_proc_addr(params->instance, "vk" #name);
        WEIR_VK_DEBUG_FUNCTIONS(LOAD_DEBUG)
    }
    return WEIR_OK;
}

static enum weir_result load_device(weir_context *context)
{
    struct weir_vk_functions *vk = &context->vk;
#define LOAD_DEVICE(name) LOAD(name, vk->GetDeviceProcAddr, context->device, "")
#define LOAD_EXTENSION(name) LOAD(name, vk->GetDeviceProcAddr, context->device, "KHR")
    WEIR_VK_DEVICE_FUNCTIONS(LOAD_DEVICE)
    if (context->api_version >= VK_API_VERSION_1_2) {
        WEIR_VK_TIMELINE_FUNCTIONS(LOAD_DEVICE)
    } else {
        WEIR_VK_TIMELINE_FUNCTIONS(LOAD_EXTENSION)
    }
    return WEIR_OK;
}

enum weir_result weir_vk_import(weir_context *context, const struct weir_context_params *params)
{
    context->device = params->device;
    context->physical_device = params->physical_device;
    context->lock_queue = params->lock_queue;
    context->unlock_queue = params->unlock_queue;
    context->lock_user = params->lock_user;
    context->log = params->log;
    WEIR_TRY(load_instance(context, params));
    WEIR_TRY(check_version(context, params));
    WEIR_TRY(load_device(context));
    context->vk.GetPhysicalDeviceMemoryProperties(params->physical_device, &context->memory);
    return WEIR_OK;
}
