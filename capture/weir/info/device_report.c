// SPDX-License-Identifier: MIT
// A device's report: which of Weir's requirements it meets, and which queues Weir uses on it.
#include "capture/weir/info/device_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

const char *cli_requirement_state(enum cli_requirement_state state)
{
    static const char *const names[] = {"yes", "missing", "unknown"};
    return names[state];
}

const char *cli_device_type(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated GPU";
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete GPU";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual GPU";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "software";
    default:
        return "other";
    }
}

void cli_queue_kinds(VkQueueFlags flags, char *text, size_t size)
{
    // The last three flags are numbers, because older headers do not name them.
    static const struct {
        VkQueueFlags flag;
        const char *name;
    } kinds[] = {
        {VK_QUEUE_GRAPHICS_BIT, "graphics"},
        {VK_QUEUE_COMPUTE_BIT, "compute"},
        {VK_QUEUE_TRANSFER_BIT, "transfer"},
        {VK_QUEUE_SPARSE_BINDING_BIT, "sparse"},
        {0x20, "video-decode"},
        {0x40, "video-encode"},
        {0x100, "optical-flow"},
    };
    size_t length = 0;
    text[0] = 0;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && length < size; i++) {
        if ((flags & kinds[i].flag) != 0) {
            length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? " " : "",
                                       kinds[i].name);
        }
    }
}

static bool has_extension(VkPhysicalDevice device, const char *name)
{
    uint32_t num = 0;
    vkEnumerateDeviceExtensionProperties(device, NULL, &num, NULL);
    VkExtensionProperties *extensions = calloc(num + 1, sizeof(*extensions));
    bool found = false;
    if (extensions && vkEnumerateDeviceExtensionProperties(device, NULL, &num, extensions) >= 0) {
        for (uint32_t i = 0; i < num && !found; i++) {
            found = strcmp(extensions[i].extensionName, name) == 0;
        }
    }
    free(extensions);
    return found;
}

static enum cli_requirement_state state_of(bool there)
{
    return there ? CLI_REQUIREMENT_THERE : CLI_REQUIREMENT_MISSING;
}

static bool has_subgroup_size_control(VkPhysicalDevice device)
{
    VkPhysicalDeviceSubgroupSizeControlFeatures sizes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES};
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &sizes,
    };
    if (!has_extension(device, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)) {
        return false;
    }
    vkGetPhysicalDeviceFeatures2(device, &features);
    return sizes.subgroupSizeControl == VK_TRUE;
}

static enum cli_requirement_state check_feature(const char *name,
                                                const struct weir_device_entry *entry,
                                                VkPhysicalDevice device)
{
    static const struct {
        const char *name;
        size_t offset;
    } core[] = {
        {"shaderStorageImageWriteWithoutFormat",
         offsetof(VkPhysicalDeviceFeatures, shaderStorageImageWriteWithoutFormat)},
        {"shaderStorageImageArrayDynamicIndexing",
         offsetof(VkPhysicalDeviceFeatures, shaderStorageImageArrayDynamicIndexing)},
        {"shaderSampledImageArrayDynamicIndexing",
         offsetof(VkPhysicalDeviceFeatures, shaderSampledImageArrayDynamicIndexing)},
    };
    if (strcmp(name, "timelineSemaphore") == 0) {
        return state_of(entry->timeline_semaphore);
    }
    if (device == VK_NULL_HANDLE) {
        return CLI_REQUIREMENT_UNKNOWN;
    }
    if (strcmp(name, "subgroupSizeControl") == 0) {
        return state_of(has_subgroup_size_control(device));
    }
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(device, &features);
    for (size_t i = 0; i < sizeof(core) / sizeof(core[0]); i++) {
        if (strcmp(name, core[i].name) == 0) {
            VkBool32 there;
            memcpy(&there, (const char *)&features + core[i].offset, sizeof(there));
            return state_of(there == VK_TRUE);
        }
    }
    return CLI_REQUIREMENT_UNKNOWN;
}

static enum cli_requirement_state check(const struct weir_requirement *asked,
                                        const struct weir_device_entry *entry,
                                        VkPhysicalDevice device)
{
    unsigned major = 0, minor = 0;
    switch (asked->kind) {
    case WEIR_REQUIREMENT_VERSION:
        sscanf(asked->name, "%u.%u", &major, &minor);
        return state_of(entry->api_version >= VK_MAKE_API_VERSION(0, major, minor, 0));
    case WEIR_REQUIREMENT_EXTENSION:
        return device != VK_NULL_HANDLE ? state_of(has_extension(device, asked->name))
                                        : CLI_REQUIREMENT_UNKNOWN;
    case WEIR_REQUIREMENT_FEATURE:
        return check_feature(asked->name, entry, device);
    }
    return CLI_REQUIREMENT_UNKNOWN;
}

static VkFormatFeatureFlags format_features(VkPhysicalDevice device, VkFormat format)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(device, format, &properties);
    return properties.optimalTilingFeatures;
}

static void list_pyramid_formats(struct cli_device_report *report, VkPhysicalDevice device)
{
    size_t num;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num);
    for (size_t i = 0; i < num && i < CLI_MAX_PYRAMID_FORMATS; i++) {
        const VkFormatFeatureFlags read = format_features(device, formats[i].format);
        const VkFormatFeatureFlags write = format_features(device, formats[i].store);
        if ((read & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) != 0 &&
            (write & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT) != 0) {
            report->pyramid_formats[report->num_pyramid_formats++] = formats[i].name;
        }
    }
}

// Keep the first error, which is the reason of the others.
static void keep_error(void *user, const struct weir_log_message *message)
{
    struct cli_device_report *report = user;
    if (message->severity == WEIR_LOG_ERROR && report->obstacle[0] == 0) {
        snprintf(report->obstacle, sizeof(report->obstacle), "%s", message->text);
    }
}

void cli_device_report_make(struct cli_device_report *report, const struct weir_device_entry *entry,
                            uint32_t index)
{
    *report = (struct cli_device_report){.entry = *entry};
    weir_device *device = NULL;
    weir_context *context = NULL;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    if (entry->unusable) {
        snprintf(report->obstacle, sizeof(report->obstacle), "%s", entry->unusable);
    } else {
        struct weir_log log = {keep_error, report, WEIR_LOG_ERROR};
        enum weir_result result = weir_device_create(weir_device_params(.index = index, .log = log),
                                                     &device);
        if (result == WEIR_OK) {
            physical = weir_device_import(device)->physical_device;
            result = weir_context_create(weir_device_import(device), &context);
        }
        report->opened = result == WEIR_OK;
        if (!report->opened && report->obstacle[0] == 0) {
            snprintf(report->obstacle, sizeof(report->obstacle), "%s", weir_result_name(result));
        }
    }
    if (report->opened) {
        report->queue = weir_context_get_queue(context);
        report->async = weir_context_is_async(context);
        list_pyramid_formats(report, physical);
    }
    size_t num = 0;
    const struct weir_requirement *asked = weir_requirement_list(&num);
    for (size_t i = 0; i < num && i < CLI_MAX_REQUIREMENTS; i++) {
        report->requirements[report->num_requirements++] = (struct cli_requirement){
            &asked[i], check(&asked[i], entry, physical)};
    }
    weir_context_destroy(&context);
    weir_device_destroy(&device);
}
