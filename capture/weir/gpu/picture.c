// SPDX-License-Identifier: MIT
// Pictures of RGBA8 on the device, one at a time, and the image that a palette reduction writes.
#include "capture/weir/gpu/picture.h"

#include <string.h>

#include "capture/weir/gpu/barrier.h"
#include "capture/weir/gpu/commands.h"

static enum weir_result make_objects(struct cli_picture *picture, struct cli_gpu *gpu,
                                     uint32_t width, uint32_t height)
{
    picture->gpu = gpu;
    enum weir_result result = cli_commands_allocate(gpu, &picture->commands);
    if (result == WEIR_OK) {
        result = cli_buffer_init(gpu, cli_staging_size(width, height),
                                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                 true, &picture->staging);
    }
    if (result == WEIR_OK) {
        result = cli_image_init(gpu, width, height, &picture->source);
    }
    if (result == WEIR_OK) {
        result = cli_image_init_written(gpu, VK_FORMAT_R8G8B8A8_UNORM, width, height,
                                        &picture->image);
    }
    return result;
}

void cli_picture_finish(struct cli_picture *picture)
{
    if (!picture->gpu) {
        return;
    }
    cli_image_finish(picture->gpu, &picture->image);
    cli_image_finish(picture->gpu, &picture->source);
    cli_buffer_finish(picture->gpu, &picture->staging);
    cli_commands_free(picture->gpu, picture->commands);
    *picture = (struct cli_picture){0};
}

enum weir_result cli_picture_upload(struct cli_picture *picture, struct cli_gpu *gpu,
                                    const char *name, VkExtent2D size, const uint8_t *rgba)
{
    enum weir_result result = cli_gpu_check_side(gpu, name, size.width, size.height);
    if (result == WEIR_OK &&
        (picture->source.width != size.width || picture->source.height != size.height)) {
        cli_picture_finish(picture);
        result = make_objects(picture, gpu, size.width, size.height);
        if (result != WEIR_OK) {
            cli_picture_finish(picture);
        }
    }
    if (result == WEIR_OK) {
        result = cli_commands_begin(picture->commands);
    }
    if (result != WEIR_OK) {
        return result;
    }
    const size_t pitch = cli_staging_pitch(size.width), row = 4 * (size_t)size.width;
    for (uint32_t y = 0; y < size.height; y++) {
        memcpy(picture->staging.mapped + y * pitch, rgba + y * row, row);
    }
    cli_cmd_upload(picture->commands, &picture->staging, &picture->source);
    return cli_commands_run(picture->gpu, picture->commands);
}

static void record_download(struct cli_picture *picture)
{
    const struct cli_image_scope written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                            VK_ACCESS_SHADER_WRITE_BIT,
                                            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const struct cli_image_scope read = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                         VK_ACCESS_TRANSFER_READ_BIT,
                                         VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
    const struct cli_scope copied = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
    const struct cli_scope host = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};
    cli_cmd_image_barrier(picture->commands, picture->image.image, written, read);
    const VkBufferImageCopy copy = {
        .bufferRowLength = (uint32_t)(cli_staging_pitch(picture->image.width) / 4),
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {picture->image.width, picture->image.height, 1},
    };
    vkCmdCopyImageToBuffer(picture->commands, picture->image.image, read.layout,
                           picture->staging.buffer, 1, &copy);
    cli_cmd_barrier(picture->commands, copied, host);
}

enum weir_result cli_picture_download(struct cli_picture *picture, uint8_t *rgba)
{
    enum weir_result result = cli_commands_begin(picture->commands);
    if (result != WEIR_OK) {
        return result;
    }
    record_download(picture);
    result = cli_commands_run(picture->gpu, picture->commands);
    const uint32_t width = picture->image.width, height = picture->image.height;
    const size_t pitch = cli_staging_pitch(width), row = 4 * (size_t)width;
    for (uint32_t y = 0; result == WEIR_OK && y < height; y++) {
        memcpy(rgba + y * row, picture->staging.mapped + y * pitch, row);
    }
    return result;
}
