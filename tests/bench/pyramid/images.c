// SPDX-License-Identifier: MIT
// Images of a pyramid's format or of depth, all alike.
#include "tests/bench/pyramid/images.h"

#include <stdlib.h>

// Of the device's memory: methods have scratch memory too, and others use the device.
static const double memory_share = 0.6;

// Check that the next image leaves some of the memory.
static bool has_room(const struct cli_images *images)
{
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(images->gpu->import->physical_device, &memory);
    double most = 0;
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++) {
        const VkMemoryHeap *heap = &memory.memoryHeaps[i];
        if ((heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && (double)heap->size > most) {
            most = (double)heap->size;
        }
    }
    return (double)(images->num + 1) * (double)images->image_size <= memory_share * most;
}

static enum weir_result add_image(struct cli_images *images)
{
    const struct cli_gpu *gpu = images->gpu;
    struct weir_gpu_image *image = &images->images[images->num];
    VkMemoryRequirements needs;
    WEIR_TRY(weir_gpu_image_init(gpu->work,
                                 weir_image_params(.format = images->format->format,
                                                   .width = images->width, .height = images->height,
                                                   .levels = images->levels,
                                                   .layers = images->layers, .usage = images->usage,
                                                   .flags = images->format->flags | images->flags),
                                 0, image));
    vkGetImageMemoryRequirements(gpu->vk, image->params.image, &needs);
    images->image_size = needs.size;
    const enum weir_result result = weir_image_create(gpu->context, &image->params,
                                                      &images->wrapped[images->num]);
    images->num++;
    return result;
}

static enum weir_result change_layouts(struct cli_images *images)
{
    const struct weir_gpu_scope unused = {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0,
                                          VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope general = {VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0,
                                           VK_IMAGE_LAYOUT_GENERAL};
    VkCommandBuffer commands;
    WEIR_TRY(weir_gpu_begin(images->gpu->work, &commands));
    for (uint32_t i = 0; i < images->num; i++) {
        weir_cmd_barrier(images->gpu->work, commands, &images->images[i].params, unused, general);
    }
    return weir_gpu_run(images->gpu->work, commands);
}

enum weir_result cli_images_init(struct cli_images *images, uint32_t least, uint32_t num)
{
    images->images = calloc(num, sizeof(*images->images));
    images->wrapped = calloc(num, sizeof(*images->wrapped));
    if (!images->images || !images->wrapped) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    enum weir_result result = WEIR_OK;
    while (images->num < num && result == WEIR_OK) {
        result = has_room(images) ? add_image(images) : WEIR_ERROR_OUT_OF_MEMORY;
    }
    if (result != WEIR_OK && (result != WEIR_ERROR_OUT_OF_MEMORY || images->num < least)) {
        return result;
    }
    return change_layouts(images);
}

void cli_images_finish(struct cli_images *images)
{
    for (uint32_t i = 0; i < images->num; i++) {
        weir_image_destroy(&images->wrapped[i]);
        weir_gpu_image_finish(images->gpu->work, &images->images[i]);
    }
    free(images->wrapped);
    free(images->images);
    *images = (struct cli_images){0};
}
