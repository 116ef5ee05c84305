// SPDX-License-Identifier: MIT
// A device's report: which of Weir's requirements it meets, and which queues Weir uses on it.
#include "capture/weir/info/info.h"

#include <stdio.h>
#include <vulkan/vulkan.h>

#include <weir/pyramid.h>

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
        const struct weir_queue *transfer = &weir_device_import(device)->transfer[0];
        report->copy_family = transfer->queue ? transfer->family : report->queue.family;
        report->async = weir_context_is_async(context);
        list_pyramid_formats(report, physical);
    }
    weir_context_destroy(&context);
    weir_device_destroy(&device);
}
