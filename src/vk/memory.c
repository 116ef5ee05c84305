// SPDX-License-Identifier: MIT
// Allocates buffers and images.
#include "vk/memory.h"

#include <string.h>

#include "base/size.h"

enum {
    VISIBLE = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
    CACHED = VISIBLE | VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
    COHERENT = VISIBLE | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
};

// What a kind of memory is made of: properties to try, the best first; the device takes the first
// ones that it has. Device-local memory is never mapped for reading: over the bus a host reads some
// ten megabytes a second.
static const struct {
    bool mapped;
    VkMemoryPropertyFlags choices[3];
} kinds[] = {
    [WEIR_VK_MEMORY_DEVICE] = {false, {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, 0}},
    [WEIR_VK_MEMORY_SHARED] = {false, {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, 0}},
    [WEIR_VK_MEMORY_COPIED] = {false, {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, 0}},
    [WEIR_VK_MEMORY_READBACK] = {true, {CACHED | COHERENT, CACHED, VISIBLE}},
    [WEIR_VK_MEMORY_HOST] = {true, {CACHED | COHERENT, COHERENT, COHERENT}},
    [WEIR_VK_MEMORY_DEVICE_MAPPED] = {true,
                                      {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | COHERENT, COHERENT,
                                       COHERENT}},
};

static uint32_t find_type(const weir_context *context, uint32_t allowed,
                          VkMemoryPropertyFlags wanted)
{
    for (uint32_t i = 0; i < context->memory.memoryTypeCount; i++) {
        if ((allowed >> i & 1) &&
            (context->memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
            return i;
        }
    }
    return UINT32_MAX;
}

enum weir_result weir_vk_allocate(weir_context *context, const VkMemoryRequirements *requirements,
                                  enum weir_vk_memory memory, VkDeviceMemory *out,
                                  VkMemoryPropertyFlags *properties)
{
    uint32_t type = UINT32_MAX;
    *out = VK_NULL_HANDLE;
    for (int i = 0; i < 3 && type == UINT32_MAX; i++) {
        type = find_type(context, requirements->memoryTypeBits, kinds[memory].choices[i]);
    }
    WEIR_FAIL_IF(type == UINT32_MAX, &context->log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_FEATURE,
                 "the device has no memory type that the host can read and write");
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = requirements->size,
        .memoryTypeIndex = type,
    };
    *properties = context->memory.memoryTypes[type].propertyFlags;
    return weir_vk_check_made(context,
                              context->vk.AllocateMemory(context->device, &info, NULL, out),
                              "vkAllocateMemory", out);
}

static enum weir_result map(weir_context *context, VkMemoryPropertyFlags properties,
                            struct weir_vk_buffer *buffer)
{
    void *mapped = NULL;
    WEIR_TRY(WEIR_VK_CALL(context, MapMemory, context->device, buffer->memory, 0, VK_WHOLE_SIZE, 0,
                          &mapped));
    buffer->mapped = mapped;
    buffer->coherent = properties & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    return WEIR_OK;
}

// Make memory of results ready for the frame path: its first touch is slow.
static void prepare_readback(const weir_context *context, VkMemoryPropertyFlags properties,
                             uint64_t size, struct weir_vk_buffer *buffer)
{
    memset(buffer->mapped, 0, size);
    if (!(properties & VK_MEMORY_PROPERTY_HOST_CACHED_BIT)) {
        weir_log_printf(&context->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                        "no cached memory on this device: reading results is slow");
    }
}

// Let several queue families use a buffer, where it is one for them.
static void share(const weir_context *context, enum weir_vk_memory memory, VkBufferCreateInfo *info)
{
    const bool is_copied = memory == WEIR_VK_MEMORY_COPIED;
    const uint32_t num = is_copied ? context->num_copy_families : context->num_families;
    if ((is_copied || memory == WEIR_VK_MEMORY_SHARED) && num > 1) {
        info->sharingMode = VK_SHARING_MODE_CONCURRENT;
        info->queueFamilyIndexCount = num;
        info->pQueueFamilyIndices = is_copied ? context->copy_families : context->families;
    }
}

enum weir_result weir_vk_buffer_init(weir_context *context, uint64_t size, VkBufferUsageFlags usage,
                                     enum weir_vk_memory memory, const char *what, const char *tag,
                                     struct weir_vk_buffer *out)
{
    *out = (struct weir_vk_buffer){0};
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = usage,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
    };
    share(context, memory, &info);
    WEIR_TRY(WEIR_VK_MAKE(context, Buffer, &info, &out->buffer));
    weir_vk_name(context, VK_OBJECT_TYPE_BUFFER, (uint64_t)out->buffer, what, tag);
    VkMemoryRequirements requirements;
    context->vk.GetBufferMemoryRequirements(context->device, out->buffer, &requirements);
    VkMemoryPropertyFlags properties = 0;
    enum weir_result result = weir_vk_allocate(context, &requirements, memory, &out->memory,
                                               &properties);
    if (result == WEIR_OK) {
        result = WEIR_VK_CALL(context, BindBufferMemory, context->device, out->buffer, out->memory,
                              0);
    }
    if (result == WEIR_OK && kinds[memory].mapped) {
        result = map(context, properties, out);
    }
    if (result == WEIR_OK && memory == WEIR_VK_MEMORY_READBACK) {
        prepare_readback(context, properties, size, out);
    }
    if (result != WEIR_OK) {
        weir_vk_buffer_finish(context, out);
    }
    return result;
}

void weir_vk_buffer_finish(weir_context *context, struct weir_vk_buffer *buffer)
{
    context->vk.DestroyBuffer(context->device, buffer->buffer, NULL);
    context->vk.FreeMemory(context->device, buffer->memory, NULL);
    *buffer = (struct weir_vk_buffer){0};
}

static VkMappedMemoryRange whole(const struct weir_vk_buffer *buffer)
{
    return (VkMappedMemoryRange){
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
        .memory = buffer->memory,
        .size = VK_WHOLE_SIZE,
    };
}

enum weir_result weir_vk_buffer_flush(weir_context *context, const struct weir_vk_buffer *buffer)
{
    if (buffer->coherent || !buffer->memory) {
        return WEIR_OK;
    }
    const VkMappedMemoryRange range = whole(buffer);
    return WEIR_VK_CALL(context, FlushMappedMemoryRanges, context->device, 1, &range);
}

enum weir_result weir_vk_buffer_invalidate(weir_context *context,
                                           const struct weir_vk_buffer *buffer)
{
    if (buffer->coherent || !buffer->memory) {
        return WEIR_OK;
    }
    const VkMappedMemoryRange range = whole(buffer);
    return WEIR_VK_CALL(context, InvalidateMappedMemoryRanges, context->device, 1, &range);
}

enum weir_result weir_vk_image_init(weir_context *context, const struct weir_image_params *params,
                                    VkSampleCountFlagBits samples, const char *what,
                                    struct weir_vk_image *out)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = params->flags,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = params->format,
        .extent = {params->width, params->height, 1},
        .mipLevels = weir_at_least_1(params->levels),
        .arrayLayers = weir_at_least_1(params->layers),
        .samples = samples ? samples : VK_SAMPLE_COUNT_1_BIT,
        .usage = params->usage,
    };
    *out = (struct weir_vk_image){0};
    WEIR_TRY(WEIR_VK_MAKE(context, Image, &info, &out->image));
    weir_vk_name(context, VK_OBJECT_TYPE_IMAGE, (uint64_t)out->image, what, params->debug_tag);
    VkMemoryRequirements requirements;
    context->vk.GetImageMemoryRequirements(context->device, out->image, &requirements);
    VkMemoryPropertyFlags properties = 0;
    enum weir_result result = weir_vk_allocate(context, &requirements, WEIR_VK_MEMORY_DEVICE,
                                               &out->memory, &properties);
    if (result == WEIR_OK) {
        result = WEIR_VK_CALL(context, BindImageMemory, context->device, out->image, out->memory,
                              0);
    }
    if (result != WEIR_OK) {
        weir_vk_image_finish(context, out);
    }
    return result;
}

void weir_vk_image_finish(weir_context *context, struct weir_vk_image *image)
{
    context->vk.DestroyImage(context->device, image->image, NULL);
    context->vk.FreeMemory(context->device, image->memory, NULL);
    *image = (struct weir_vk_image){0};
}

bool weir_vk_has_format(const weir_context *context, VkFormat format, VkFormatFeatureFlags features)
{
    VkFormatProperties properties;
    context->vk.GetPhysicalDeviceFormatProperties(context->physical_device, format, &properties);
    return (properties.optimalTilingFeatures & features) == features;
}

VkImageAspectFlags weir_vk_aspect_of(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D32_SFLOAT:
    case VK_FORMAT_D16_UNORM_S8_UINT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
        return VK_IMAGE_ASPECT_DEPTH_BIT;
    default:
        return VK_IMAGE_ASPECT_COLOR_BIT;
    }
}

enum weir_result weir_vk_view_init(weir_context *context, const struct weir_vk_view_params *params,
                                   VkImageView *out)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = params->usage,
    };
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = params->image,
        .viewType = params->type,
        .format = params->format,
        .subresourceRange = {weir_vk_aspect_of(params->format), params->first_level,
                             params->num_levels, 0, params->num_layers},
    };
    return WEIR_VK_MAKE(context, ImageView, &info, out);
}
