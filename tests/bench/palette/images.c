// SPDX-License-Identifier: MIT
// The image that weir-bench palette counts, what comes back of the one that it writes, and the copy
// between them.
#include "tests/bench/palette/images.h"

#include <string.h>

#include "capture/weir/gpu/barrier.h"
#include "capture/weir/gpu/commands.h"

void bench_palette_images_change(VkCommandBuffer commands, const struct cli_image *image,
                                 VkImageLayout from, VkImageLayout to)
{
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                        VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    const VkAccessFlags reads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    cli_cmd_image_barrier(commands, image->image, (struct cli_image_scope){stages, writes, from},
                          (struct cli_image_scope){stages, reads | writes, to});
}

static enum weir_result upload(struct bench_palette_images *images, const uint8_t *rgba)
{
    const struct cli_image *source = &images->source;
    const size_t pitch = cli_staging_pitch(source->width), row = 4 * (size_t)source->width;
    for (uint32_t y = 0; y < source->height; y++) {
        memcpy(images->staging.mapped + pitch * y, rgba + row * y, row);
    }
    VkCommandBuffer commands;
    const enum weir_result result = cli_once_begin(images->gpu, &commands);
    if (result != WEIR_OK) {
        return result;
    }
    cli_cmd_upload(commands, &images->staging, source);
    return cli_once_run(images->gpu, commands);
}

enum weir_result bench_palette_images_init(struct bench_palette_images *images, struct cli_gpu *gpu,
                                           const struct bench_palette_picture *picture)
{
    *images = (struct bench_palette_images){.gpu = gpu};
    const uint32_t width = picture->width, height = picture->height;
    enum weir_result result = cli_image_init(gpu, width, height, &images->source);
    if (result == WEIR_OK) {
        result = cli_buffer_init(gpu, cli_staging_size(width, height),
                                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                 true, &images->staging);
    }
    return result == WEIR_OK ? upload(images, picture->rgba) : result;
}

void bench_palette_images_finish(struct bench_palette_images *images)
{
    if (!images->gpu) {
        return;
    }
    cli_image_finish(images->gpu, &images->source);
    cli_buffer_finish(images->gpu, &images->staging);
    *images = (struct bench_palette_images){0};
}

enum weir_result bench_palette_images_copy(struct bench_palette_images *images,
                                           struct cli_timer *watch, const struct cli_image *target,
                                           double *ns)
{
    const VkImageLayout read = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                        from = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                        to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkImageCopy region = {
        .srcSubresource = layers,
        .dstSubresource = layers,
        .extent = {target->width, target->height, 1},
    };
    const enum weir_result result = cli_timer_begin(watch);
    if (result != WEIR_OK) {
        return result;
    }
    bench_palette_images_change(watch->commands, &images->source, read, from);
    bench_palette_images_change(watch->commands, target, VK_IMAGE_LAYOUT_UNDEFINED, to);
    cli_timer_start(watch, 0);
    vkCmdCopyImage(watch->commands, images->source.image, from, target->image, to, 1, &region);
    cli_timer_stop(watch, 0);
    bench_palette_images_change(watch->commands, &images->source, from, read);
    return bench_stopwatch_submit(watch, ns);
}

enum weir_result bench_palette_images_read(struct bench_palette_images *images,
                                           const struct cli_image *image, uint8_t *rgba)
{
    const size_t pitch = cli_staging_pitch(image->width), row = 4 * (size_t)image->width;
    const VkImageLayout read = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                        from = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkBufferImageCopy region = {
        .bufferRowLength = (uint32_t)(pitch / 4),
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {image->width, image->height, 1},
    };
    const struct cli_scope copied = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
    const struct cli_scope host = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};
    VkCommandBuffer commands;
    enum weir_result result = cli_once_begin(images->gpu, &commands);
    if (result != WEIR_OK) {
        return result;
    }
    bench_palette_images_change(commands, image, read, from);
    vkCmdCopyImageToBuffer(commands, image->image, from, images->staging.buffer, 1, &region);
    bench_palette_images_change(commands, image, from, read);
    cli_cmd_barrier(commands, copied, host);
    result = cli_once_run(images->gpu, commands);
    for (uint32_t y = 0; y < image->height && result == WEIR_OK; y++) {
        memcpy(rgba + row * y, images->staging.mapped + pitch * y, row);
    }
    return result;
}
