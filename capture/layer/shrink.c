// SPDX-License-Identifier: MIT
// Makes frames smaller before they are encoded.
//
// The pyramid reads the swapchain's image itself and writes levels of 8 bits, or of half floats
// where the window has them. Images in an SRGB format are averaged in linear light; of those in a
// UNORM format the codes are, as nothing says what they mean.
#include "capture/layer/shrink.h"

#include <stdlib.h>

// Get the format of the levels.
static VkFormat levels_format(VkFormat source)
{
    switch (source) {
    case VK_FORMAT_R8G8B8A8_SRGB:
    case VK_FORMAT_B8G8R8A8_SRGB:
    case VK_FORMAT_A8B8G8R8_SRGB_PACK32:
        return VK_FORMAT_R8G8B8A8_SRGB;
    case VK_FORMAT_R16G16B16A16_SFLOAT:
        return VK_FORMAT_R16G16B16A16_SFLOAT;
    case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
        return VK_FORMAT_A2B10G10R10_UNORM_PACK32;
    default:
        return VK_FORMAT_R8G8B8A8_UNORM;
    }
}

// Find memory that a device has of its own. Returns the number of types if there is none.
static uint32_t find_memory(const struct layer_device *device, uint32_t allowed)
{
    VkPhysicalDeviceMemoryProperties memory;
    device->instance->GetPhysicalDeviceMemoryProperties(device->physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
        if ((allowed >> i & 1) &&
            (memory.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)) {
            return i;
        }
    }
    return memory.memoryTypeCount;
}

static bool create_memory(struct layer_shrink *shrink)
{
    const struct layer_device *device = shrink->device;
    VkMemoryRequirements needed;
    device->GetImageMemoryRequirements(device->handle, shrink->handle, &needed);
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needed.size,
        .memoryTypeIndex = find_memory(device, needed.memoryTypeBits),
    };
    return device->AllocateMemory(device->handle, &info, NULL, &shrink->memory) == VK_SUCCESS &&
           device->BindImageMemory(device->handle, shrink->handle, shrink->memory, 0) == VK_SUCCESS;
}

static bool create_image(struct layer_shrink *shrink, weir_context *context,
                         const struct weir_image_params *source)
{
    const struct layer_device *device = shrink->device;
    const struct weir_pyramid_format_info *format = weir_pyramid_format_get_info(
        levels_format(source->format));
    const VkExtent2D size = weir_pyramid_level_extent(source->width, source->height, 1);
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = format->flags,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format->format,
        .extent = {size.width, size.height, 1},
        .mipLevels = shrink->level,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = weir_pyramid_get_scope(shrink->pyramid).usage | VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    return device->CreateImage(device->handle, &info, NULL, &shrink->handle) == VK_SUCCESS &&
           create_memory(shrink) &&
           weir_image_create(context,
                             weir_image_params(.image = shrink->handle, .format = info.format,
                                               .width = size.width, .height = size.height,
                                               .levels = info.mipLevels, .usage = info.usage,
                                               .flags = info.flags),
                             &shrink->image) == WEIR_OK;
}

static bool create_targets(struct layer_shrink *shrink, weir_image *const *images,
                           uint32_t num_images)
{
    shrink->targets = calloc(num_images, sizeof(shrink->targets[0]));
    shrink->num_targets = shrink->targets ? num_images : 0;
    bool is_done = shrink->targets;
    for (uint32_t i = 0; is_done && i < num_images; i++) {
        const weir_image *const levels = shrink->image, *const source = images[i];
        is_done = weir_pyramid_target_create(
                      shrink->pyramid,
                      weir_pyramid_target_params(.images = &levels, .sources = &source),
                      &shrink->targets[i]) == WEIR_OK;
    }
    return is_done;
}

bool layer_shrink_init(struct layer_shrink *shrink, const struct layer_device *device,
                       weir_context *context, weir_image *const *images, uint32_t num_images,
                       uint32_t level)
{
    const struct weir_image_params source = weir_image_get_params(images[0]);
    *shrink = (struct layer_shrink){.device = device, .level = level};
    const bool is_done = weir_pyramid_create(
                             context,
                             weir_pyramid_params(.format = levels_format(source.format),
                                                 .source_format = source.format),
                             &shrink->pyramid) == WEIR_OK &&
                         create_image(shrink, context, &source) &&
                         create_targets(shrink, images, num_images);
    if (!is_done) {
        layer_shrink_finish(shrink);
    }
    return is_done;
}

void layer_shrink_finish(struct layer_shrink *shrink)
{
    const struct layer_device *device = shrink->device;
    for (uint32_t i = 0; i < shrink->num_targets; i++) {
        weir_pyramid_target_destroy(&shrink->targets[i]);
    }
    free(shrink->targets);
    weir_pyramid_destroy(&shrink->pyramid);
    weir_image_destroy(&shrink->image);
    if (device) {
        device->DestroyImage(device->handle, shrink->handle, NULL);
        device->FreeMemory(device->handle, shrink->memory, NULL);
    }
    *shrink = (struct layer_shrink){.level = 0};
}

static void move(const struct layer_shrink *shrink, VkCommandBuffer cmd, VkImageLayout from,
                 VkImageLayout to, VkAccessFlags writes, VkAccessFlags reads)
{
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(shrink->pyramid);
    const VkPipelineStageFlags stages = scope.stages | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = writes,
        .dstAccessMask = reads,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = shrink->handle,
        .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                             .levelCount = shrink->level,
                             .layerCount = 1},
    };
    shrink->device->CmdPipelineBarrier(cmd, stages, stages, 0, 0, NULL, 0, NULL, 1, &barrier);
}

enum weir_result layer_cmd_shrink(const struct layer_shrink *shrink, VkCommandBuffer cmd,
                                  uint32_t image)
{
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(shrink->pyramid);
    // The encoder of the frame before has read the levels, and nobody needs them any more.
    move(shrink, cmd, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
         scope.reads | scope.writes);
    const enum weir_result result = weir_cmd_pyramid(shrink->targets[image], cmd, NULL);
    move(shrink, cmd, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
         scope.writes, VK_ACCESS_SHADER_READ_BIT);
    return result;
}
