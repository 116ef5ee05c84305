// SPDX-License-Identifier: MIT
// Images of a pyramid's format or of depth, all alike, in one allocation.
#include "tests/bench/pyramid/images.h"

#include <stdio.h>
#include <stdlib.h>

#include "capture/base/size.h"

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

// Get how many images of this size fit, at most `num`.
static uint32_t num_fitting(const struct cli_gpu *gpu, VkDeviceSize image_size, uint32_t num)
{
    VkPhysicalDeviceMaintenance3Properties allocation = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &allocation};
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceProperties2(gpu->import->physical_device, &properties);
    vkGetPhysicalDeviceMemoryProperties(gpu->import->physical_device, &memory);
    double most = 0;
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++) {
        const VkMemoryHeap *heap = &memory.memoryHeaps[i];
        if ((heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && (double)heap->size > most) {
            most = (double)heap->size;
        }
    }
    most *= memory_share;
    if (most > (double)allocation.maxMemoryAllocationSize) {
        most = (double)allocation.maxMemoryAllocationSize;
    }
    const double fitting = most / (double)image_size;
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
    const VkDeviceSize image_size = needs.size;
    num = num_fitting(gpu, image_size, num);
    enum weir_result made = WEIR_ERROR_OUT_OF_MEMORY;
    for (; made == WEIR_ERROR_OUT_OF_MEMORY && num >= least && num > 0; num /= 2) {
        needs.size = image_size * num;
        made = weir_gpu_allocate(gpu->work, &needs, WEIR_GPU_MEMORY_DEVICE, &images->memory);
        if (made == WEIR_OK) {
            break;
        }
    }
    if (made != WEIR_OK) {
        return made == WEIR_ERROR_OUT_OF_MEMORY ? WEIR_OK : made; // images->num stays 0
    }
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < num && result == VK_SUCCESS; i++) {
        result = vkBindImageMemory(gpu->vk, images->images[i], images->memory, image_size * i);
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
    const struct weir_gpu_scope unused = {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0,
                                          VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope general = {VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0,
                                           VK_IMAGE_LAYOUT_GENERAL};
    VkCommandBuffer commands;
    const enum weir_result result = weir_gpu_begin(images->gpu->work, &commands);
    for (uint32_t i = 0; i < images->num && result == WEIR_OK; i++) {
        weir_cmd_barrier(images->gpu->work, commands,
                         WEIR_REF(weir_image_params, .image = images->images[i],
                                  .format = images->format->format),
                         unused, general);
    }
    return result == WEIR_OK ? weir_gpu_run(images->gpu->work, commands) : result;
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
