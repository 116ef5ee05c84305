// SPDX-License-Identifier: MIT
// Makes a Vulkan instance, with the validation layer where it is asked for.
#include "device/instance.h"

#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "base/check.h"

bool weir_extensions_add(struct weir_extensions *extensions, const char *name)
{
    if (weir_has_name(extensions->names, extensions->num, name)) {
        return true;
    }
    const size_t size = strlen(name) + 1;
    if (extensions->num == WEIR_MAX_EXTENSIONS || size > VK_MAX_EXTENSION_NAME_SIZE) {
        return false;
    }
    char *copy = extensions->storage[extensions->num];
    memcpy(copy, name, size);
    extensions->names[extensions->num++] = copy;
    return true;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    (void)types;
    struct weir_instance *self = user;
    atomic_fetch_add(&self->num_messages, 1);
    weir_log_printf(&self->log,
                    severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT ? WEIR_LOG_ERROR
                                                                             : WEIR_LOG_WARNING,
                    WEIR_LOG_CODE_VALIDATION, "validation: %s", data->pMessage);
    return VK_FALSE;
}

static VkDebugUtilsMessengerCreateInfoEXT messenger_info(struct weir_instance *self,
                                                         const void *next)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .pNext = next,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = self,
    };
}

static VkResult list_extensions(const struct weir_instance *self, VkPhysicalDevice handle,
                                uint32_t *num, VkExtensionProperties *out)
{
    if (handle) {
        return WEIR_INSTANCE_PROC(self, EnumerateDeviceExtensionProperties)(handle, NULL, num, out);
    }
    const PFN_vkEnumerateInstanceExtensionProperties enumerate =
        (PFN_vkEnumerateInstanceExtensionProperties)self->get_proc(
            NULL, "vkEnumerateInstanceExtensionProperties");
    return enumerate ? enumerate(NULL, num, out) : VK_ERROR_UNKNOWN;
}

bool weir_device_has_extension(const struct weir_instance *self, VkPhysicalDevice handle,
                               const char *name)
{
    uint32_t num = 0;
    if (list_extensions(self, handle, &num, NULL) != VK_SUCCESS || num == 0) {
        return false;
    }
    VkExtensionProperties *all = weir_alloc(&self->log, num, sizeof(*all),
                                            "the list of extensions");
    bool found = false;
    if (all && list_extensions(self, handle, &num, all) >= 0) {
        for (uint32_t i = 0; i < num && !found; i++) {
            found = strcmp(all[i].extensionName, name) == 0;
        }
    }
    free(all);
    return found;
}

static bool has_validation_layer(const struct weir_instance *self, const char *name)
{
    const PFN_vkEnumerateInstanceLayerProperties enumerate =
        (PFN_vkEnumerateInstanceLayerProperties)self->get_proc(
            NULL, "vkEnumerateInstanceLayerProperties");
    VkLayerProperties layers[64];
    uint32_t num = 64;
    if (!enumerate || enumerate(&num, layers) < 0) {
        return false;
    }
    for (uint32_t i = 0; i < num; i++) {
        if (strcmp(layers[i].layerName, name) == 0) {
            return true;
        }
    }
    return false;
}

static enum weir_result collect_extensions(struct weir_instance *self,
                                           const char *const *extensions, uint32_t num_extensions)
{
    for (uint32_t i = 0; i < num_extensions; i++) {
        WEIR_FAIL_IF(!weir_device_has_extension(self, NULL, extensions[i]), &self->log,
                     WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE,
                     "this Vulkan has no instance extension %s", extensions[i]);
        WEIR_FAIL_IF(!weir_extensions_add(&self->extensions, extensions[i]), &self->log,
                     WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                     "more than %d instance extensions", WEIR_MAX_EXTENSIONS);
    }
    if (weir_device_has_extension(self, NULL, VK_EXT_DEBUG_UTILS_EXTENSION_NAME)) {
        weir_extensions_add(&self->extensions, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    }
    return WEIR_OK;
}

static enum weir_result create(struct weir_instance *self, bool validation)
{
    static const char layer[] = "VK_LAYER_KHRONOS_validation";
    static const char *const layers[] = {layer};
    WEIR_FAIL_IF(validation && !has_validation_layer(self, layer), &self->log,
                 WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE,
                 "%s is not installed (Debian: vulkan-validationlayers)", layer);
    static const VkValidationFeatureEnableEXT enables[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    const VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = enables,
    };
    const VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(self, &features);
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "weir",
        .apiVersion = VK_API_VERSION_1_2,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = validation ? &messenger : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = validation ? 1 : 0,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = self->extensions.num,
        .ppEnabledExtensionNames = self->extensions.names,
    };
    const PFN_vkCreateInstance create_instance = (PFN_vkCreateInstance)self->get_proc(
        NULL, "vkCreateInstance");
    const VkResult result = create_instance ? create_instance(&info, NULL, &self->instance)
                                            : VK_ERROR_UNKNOWN;
    if (result != VK_SUCCESS) {
        self->instance = VK_NULL_HANDLE;
        return weir_fail(&self->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_NO_DEVICE,
                         "no Vulkan driver was found (vkCreateInstance: %d); install one, "
                         "such as mesa-vulkan-drivers for a software device",
                         (int)result);
    }
    return WEIR_OK;
}

static enum weir_result create_messenger(struct weir_instance *self)
{
    const VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(self, NULL);
    const PFN_vkCreateDebugUtilsMessengerEXT create_it = WEIR_INSTANCE_PROC(
        self, CreateDebugUtilsMessengerEXT);
    WEIR_FAIL_IF(!create_it ||
                     create_it(self->instance, &info, NULL, &self->messenger) != VK_SUCCESS,
                 &self->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE,
                 "the validation layer cannot report: no %s", VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    return WEIR_OK;
}

enum weir_result weir_instance_init(struct weir_instance *self, PFN_vkGetInstanceProcAddr get_proc,
                                    const struct weir_log *log, const char *const *extensions,
                                    uint32_t num_extensions, bool validation)
{
    self->get_proc = get_proc ? get_proc : vkGetInstanceProcAddr;
    self->log = *log;
    WEIR_TRY(collect_extensions(self, extensions, num_extensions));
    WEIR_TRY(create(self, validation));
    return validation ? create_messenger(self) : WEIR_OK;
}

void weir_instance_finish(struct weir_instance *self)
{
    if (!self->instance) {
        return;
    }
    if (self->messenger) {
        WEIR_INSTANCE_PROC(self, DestroyDebugUtilsMessengerEXT)
        (self->instance, self->messenger, NULL);
    }
    WEIR_INSTANCE_PROC(self, DestroyInstance)(self->instance, NULL);
    self->instance = VK_NULL_HANDLE;
}
