// SPDX-License-Identifier: MIT
// Images of one size that repetitions take in turn, so many that no cache keeps them.
#include "tests/bench/images.h"

#include <stdlib.h>

#include "tests/bench/timing.h"

// More than twice the last level cache of any GPU of 2026.
static const double rotation_size = 256 << 20;
// Of the device's memory: methods have scratch memory too, and others use the device.
static const double memory_share = 0.6;

uint32_t bench_rotation(double image_size, uint32_t least)
{
    const double num = rotation_size / image_size + 1;
    return num < least ? least : num > BENCH_MAX_ROTATION ? BENCH_MAX_ROTATION : (uint32_t)num;
}

// Check that the next image leaves some of the memory.
static bool has_room(const struct bench_images *images)
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

static enum weir_result add_image(struct bench_images *images)
{
    struct cli_image *image = &images->images[images->num];
    VkMemoryRequirements needs;
    WEIR_TRY(cli_image_init(images->gpu, &images->params, image));
    vkGetImageMemoryRequirements(images->gpu->vk, image->gpu.params.image, &needs);
    images->image_size = needs.size;
    images->num++;
    return WEIR_OK;
}

enum weir_result bench_images_init(struct bench_images *images, uint32_t least, uint32_t num)
{
    images->images = calloc(num, sizeof(*images->images));
    if (!images->images) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    enum weir_result result = WEIR_OK;
    while (images->num < num && result == WEIR_OK) {
        result = has_room(images) ? add_image(images) : WEIR_ERROR_OUT_OF_MEMORY;
    }
    return result == WEIR_ERROR_OUT_OF_MEMORY && images->num >= least ? WEIR_OK : result;
}

void bench_images_finish(struct bench_images *images)
{
    for (uint32_t i = 0; i < images->num; i++) {
        cli_image_finish(images->gpu, &images->images[i]);
    }
    free(images->images);
    *images = (struct bench_images){0};
}

static void record_copies(const struct bench_images *images, const struct bench_fill *fill,
                          VkBuffer staging, VkImage image, VkCommandBuffer commands)
{
    const struct weir_image_params *params = &images->params;
    for (uint32_t layer = 0; layer == 0 || layer < params->layers; layer++) {
        for (uint32_t y = 0; y < params->height; y += fill->num_rows) {
            const uint32_t left = params->height - y;
            const VkBufferImageCopy region = {
                .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, layer, 1},
                .imageOffset = {0, (int32_t)y, 0},
                .imageExtent = {params->width, left < fill->num_rows ? left : fill->num_rows, 1},
            };
            vkCmdCopyBufferToImage(commands, staging, image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
        }
    }
}

static enum weir_result copy(const struct bench_images *images, const struct bench_fill *fill,
                             VkBuffer staging)
{
    const VkAccessFlags reads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    const struct weir_gpu_scope unused = {BENCH_DEVICE_STAGES, 0, VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope written = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                           VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
    const struct weir_gpu_scope read = {BENCH_DEVICE_STAGES, reads, fill->layout};
    weir_gpu *work = images->gpu->work;
    VkCommandBuffer commands;
    WEIR_TRY(weir_gpu_begin(work, &commands));
    for (uint32_t i = 0; i < images->num; i++) {
        const struct weir_image_params *params = &images->images[i].gpu.params;
        weir_cmd_barrier(work, commands, params, unused, written);
        record_copies(images, fill, staging, params->image, commands);
        weir_cmd_barrier(work, commands, params, written, read);
    }
    return weir_gpu_run(work, commands);
}

enum weir_result bench_images_fill(const struct bench_images *images, const struct bench_fill *fill)
{
    const size_t pitch = (size_t)images->format->texel_size * images->params.width;
    struct weir_gpu_buffer staging;
    WEIR_TRY(cli_buffer_init(images->gpu, pitch * fill->num_rows, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                             true, &staging));
    for (uint32_t y = 0; y < fill->num_rows; y++) {
        fill->draw(fill->user, images, y, staging.mapped + pitch * y);
    }
    const enum weir_result result = copy(images, fill, staging.buffer);
    weir_gpu_buffer_finish(images->gpu->work, &staging);
    return result;
}
