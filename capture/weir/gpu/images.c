// SPDX-License-Identifier: MIT
// Images of a pyramid's format or of depth, all alike, in one allocation.
#include "capture/weir/gpu/images.h"

#include <stdio.h>
#include <stdlib.h>

#include "capture/base/size.h"
#include "capture/weir/gpu/barrier.h"
#include "capture/weir/gpu/commands.h"

// Of the device's memory: methods have scratch memory too, and others use the device.
static const double memory_share = 0.6;

static VkImageCreateInfo image_info(const struct cli_images *images)
{
    return (VkImageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = images->format->flags | images->flags,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = images->format->format,
        .extent = {images->width, images->height, 1},
        .mipLevels = images->levels,
        .arrayLayers = images->layers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = images->usage,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
    };
}

// False, and why, where the device takes no such image.
static bool is_possible(const struct cli_images *images, char *why, size_t why_size)
{
    const VkImageCreateInfo info = image_info(images);
    const struct cli_gpu *gpu = images->gpu;
    VkImageFormatProperties limits = {0};
    const VkResult result = vkGetPhysicalDeviceImageFormatProperties(
        gpu->import->physical_device, info.format, info.imageType, info.tiling, info.usage,
        info.flags, &limits);
    if (result != VK_SUCCESS) {
        snprintf(why, why_size, "the device makes no image of %s with the usage 0x%x",
                 images->format->name, (unsigned)info.usage);
        return false;
    }
    if (images->width > limits.maxExtent.width || images->height > limits.maxExtent.height ||
        images->layers > limits.maxArrayLayers || images->levels > limits.maxMipLevels) {
        snprintf(why, why_size, "the device takes at most %ux%u texels and %u layers",
                 limits.maxExtent.width, limits.maxExtent.height, limits.maxArrayLayers);
        return false;
    }
    return true;
}

// How many of `needs` fit, at most `num`.
static uint32_t num_fitting(const struct cli_gpu *gpu, const VkMemoryRequirements *needs,
                            uint32_t type, uint32_t num)
{
    VkPhysicalDeviceMaintenance3Properties allocation = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &allocation};
    vkGetPhysicalDeviceProperties2(gpu->import->physical_device, &properties);
    const VkMemoryHeap *heap = &gpu->memory.memoryHeaps[gpu->memory.memoryTypes[type].heapIndex];
    double most = (double)heap->size * memory_share;
    if (most > (double)allocation.maxMemoryAllocationSize) {
        most = (double)allocation.maxMemoryAllocationSize;
    }
    const double fitting = most / (double)needs->size;
    return fitting < num ? (uint32_t)fitting : num;
}

// One allocation for all: devices allow few.
static enum weir_result bind(struct cli_images *images, uint32_t least, uint32_t num)
{
    struct cli_gpu *gpu = images->gpu;
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(gpu->vk, images->images[0], &needs);
    needs.size = weir_round_up(needs.size, needs.alignment);
    images->image_size = needs.size;
    uint32_t type = cli_gpu_find_memory(gpu, needs.memoryTypeBits,
                                        VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (type == UINT32_MAX) {
        type = cli_gpu_find_memory(gpu, needs.memoryTypeBits, 0);
    }
    num = num_fitting(gpu, &needs, type, num);
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    for (; num >= least && num > 0; num /= 2) {
        const VkMemoryAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
            .allocationSize = needs.size * num,
            .memoryTypeIndex = type,
        };
        result = vkAllocateMemory(gpu->vk, &info, NULL, &images->memory);
        if (result == VK_SUCCESS) {
            break;
        }
        images->memory = VK_NULL_HANDLE; // undefined after a failure
    }
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
        return WEIR_OK; // images->num stays 0
    }
    for (uint32_t i = 0; i < num && result == VK_SUCCESS; i++) {
        result = vkBindImageMemory(gpu->vk, images->images[i], images->memory, needs.size * i);
    }
    images->num = num;
    return cli_gpu_check(result, "vkBindImageMemory");
}

static enum weir_result wrap(struct cli_images *images)
{
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < images->num && result == WEIR_OK; i++) {
        result = weir_image_create(
            images->gpu->context,
            weir_image_params(.image = images->images[i], .format = images->format->format,
                              .width = images->width, .height = images->height,
                              .levels = images->levels, .layers = images->layers,
                              .usage = images->usage,
                              .flags = images->format->flags | images->flags),
            &images->wrapped[i]);
    }
    return result;
}

static enum weir_result change_layouts(struct cli_images *images)
{
    const struct cli_image_scope unused = {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0,
                                           VK_IMAGE_LAYOUT_UNDEFINED};
    const struct cli_image_scope general = {VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0,
                                            VK_IMAGE_LAYOUT_GENERAL};
    const VkImageAspectFlags aspect = images->format->format == VK_FORMAT_D32_SFLOAT
                                          ? VK_IMAGE_ASPECT_DEPTH_BIT
                                          : VK_IMAGE_ASPECT_COLOR_BIT;
    VkCommandBuffer commands;
    const enum weir_result result = cli_once_begin(images->gpu, &commands);
    for (uint32_t i = 0; i < images->num && result == WEIR_OK; i++) {
        cli_cmd_aspect_barrier(commands, images->images[i], aspect, unused, general);
    }
    return result == WEIR_OK ? cli_once_run(images->gpu, commands) : result;
}

enum weir_result cli_images_init(struct cli_images *images, uint32_t least, uint32_t num, char *why,
                                 size_t why_size)
{
    struct cli_gpu *gpu = images->gpu;
    if (!is_possible(images, why, why_size)) {
        return WEIR_OK;
    }
    images->images = calloc(num, sizeof(*images->images));
    images->wrapped = calloc(num, sizeof(*images->wrapped));
    if (!images->images || !images->wrapped) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const VkImageCreateInfo info = image_info(images);
    enum weir_result result = WEIR_OK;
    uint32_t made = 0;
    for (; made < num && result == WEIR_OK; made++) {
        result = cli_gpu_check_made(vkCreateImage(gpu->vk, &info, NULL, &images->images[made]),
                                    "vkCreateImage", &images->images[made]);
    }
    if (result == WEIR_OK) {
        result = bind(images, least, num);
    }
    for (uint32_t i = images->num; i < made; i++) {
        vkDestroyImage(gpu->vk, images->images[i], NULL);
        images->images[i] = VK_NULL_HANDLE;
    }
    if (result == WEIR_OK && images->num == 0) {
        snprintf(why, why_size, "%u image%s of %.1f MB do%s not fit into the device's memory",
                 least, least == 1 ? "" : "s", (double)images->image_size / 1e6,
                 least == 1 ? "es" : "");
    }
    if (result == WEIR_OK && images->num > 0) {
        result = wrap(images);
    }
    return result == WEIR_OK && images->num > 0 ? change_layouts(images) : result;
}

void cli_images_finish(struct cli_images *images)
{
    if (!images->gpu) {
        return;
    }
    for (uint32_t i = 0; i < images->num; i++) {
        weir_image_destroy(&images->wrapped[i]);
        vkDestroyImage(images->gpu->vk, images->images[i], NULL);
    }
    vkFreeMemory(images->gpu->vk, images->memory, NULL);
    free(images->wrapped);
    free(images->images);
    *images = (struct cli_images){0};
}
