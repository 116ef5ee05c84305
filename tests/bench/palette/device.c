// SPDX-License-Identifier: MIT
// A picture of weir-bench palette on the device, and work on it that is timed.
#include "tests/bench/palette/palette.h"

#include <stdlib.h>

enum weir_result bench_palette_device_init(struct bench_palette_device *device, struct cli_gpu *gpu,
                                           const struct bench_palette_picture *picture,
                                           const char *name)
{
    const VkExtent2D size = {picture->width, picture->height};
    *device = (struct bench_palette_device){.gpu = gpu,
                                            .pixels = malloc(4 * (size_t)size.width * size.height)};
    if (!device->pixels) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    WEIR_TRY(cli_picture_upload(&device->images, gpu, name, size, picture->rgba));
    bench_timing_init(&device->timer, gpu);
    return WEIR_OK;
}

void bench_palette_device_finish(struct bench_palette_device *device)
{
    cli_timer_finish(&device->timer);
    cli_picture_finish(&device->images);
    free(device->pixels);
    *device = (struct bench_palette_device){0};
}

// An image goes from one layout to another, between any uses of it.
static void change(const struct cli_picture *images, VkCommandBuffer commands,
                   const struct cli_image *image, VkImageLayout from, VkImageLayout to)
{
    const VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    const VkAccessFlags reads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    weir_cmd_barrier(images->gpu->work, commands, &image->gpu.params,
                     (struct weir_gpu_scope){BENCH_DEVICE_STAGES, writes, from},
                     (struct weir_gpu_scope){BENCH_DEVICE_STAGES, reads | writes, to});
}

static enum weir_result before(void *user, VkCommandBuffer commands)
{
    const struct bench_palette_device *device = user;
    const struct cli_picture *images = &device->images;
    if (!device->record) {
        change(images, commands, &images->source, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
               VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    }
    change(images, commands, &images->image, VK_IMAGE_LAYOUT_UNDEFINED,
           device->record ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    return WEIR_OK;
}

static enum weir_result run(void *user, VkCommandBuffer commands)
{
    const struct bench_palette_device *device = user;
    if (device->record) {
        return device->record(device->user, commands);
    }
    bench_copy(commands, &device->images.source.gpu.params, &device->images.image.gpu.params);
    return WEIR_OK;
}

static enum weir_result after(void *user, VkCommandBuffer commands)
{
    const struct bench_palette_device *device = user;
    const struct cli_picture *images = &device->images;
    change(images, commands, device->record ? &images->image : &images->source,
           device->record ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
           VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    bench_barrier(commands, BENCH_DEVICE_STAGES | VK_PIPELINE_STAGE_HOST_BIT);
    return WEIR_OK;
}

enum weir_result bench_palette_device_run(struct bench_palette_device *device,
                                          bench_palette_record *record, void *user,
                                          struct bench_samples *samples)
{
    const struct bench_part part = {before, run, after, device};
    device->record = record;
    device->user = user;
    return bench_submit(&device->timer, &part, 1, 1, samples);
}
