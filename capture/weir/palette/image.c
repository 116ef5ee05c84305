// SPDX-License-Identifier: MIT
// A picture in 8 bits, in host memory and on the device, before and after a palette reduction.
#include "capture/weir/palette/image.h"

#include <stdlib.h>
#include <string.h>

#include "capture/files/picture/picture.h"
#include "capture/files/picture/texel.h"
#include "capture/weir/common/memory.h"
#include "capture/weir/common/report.h"
#include "capture/weir/gpu/barrier.h"
#include "capture/weir/gpu/commands.h"

static enum weir_result fill_rows(const struct weir_picture *picture, uint8_t *rgba)
{
    const struct weir_pyramid_format_info *format = weir_pyramid_format_get_info(
        VK_FORMAT_R8G8B8A8_UNORM);
    const size_t pitch = 4 * (size_t)picture->width;
    if (weir_picture_bytes(picture, 0)) {
        for (uint32_t y = 0; y < picture->height; y++) {
            memcpy(rgba + y * pitch, weir_picture_bytes(picture, y), pitch);
        }
        return WEIR_OK;
    }
    float *row = malloc(pitch * sizeof(*row));
    if (!row) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t y = 0; y < picture->height; y++) {
        weir_picture_row(picture, y, row);
        weir_texel_pack(format, row, picture->width, rgba + y * pitch);
    }
    free(row);
    return WEIR_OK;
}

static enum weir_result take_picture(struct palette_pixels *pixels, const char *path,
                                     const struct weir_picture *picture)
{
    if (picture->is_linear) {
        cli_report_error("%s holds linear light, and a palette is of codes of 0 .. 255; convert it "
                         "to a .png first",
                         path);
        return WEIR_ERROR_UNSUPPORTED;
    }
    pixels->width = picture->width;
    pixels->height = picture->height;
    pixels->is_rounded = picture->kind != WEIR_PICTURE_8;
    pixels->rgba = malloc(4 * (size_t)picture->width * picture->height);
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (pixels->rgba) {
        result = fill_rows(picture, pixels->rgba);
    }
    if (result != WEIR_OK) {
        cli_report_error("no memory for the %ux%u texels of %s", picture->width, picture->height,
                         path);
    }
    return result;
}

enum weir_result palette_pixels_read(struct palette_pixels *pixels, const char *path,
                                     uint64_t max_memory)
{
    // The pixels, the staging buffer, two images on a device that shares the memory, and a copy of
    // the pixels for dither.
    const struct weir_memory_use memory = cli_memory_use(max_memory, 1, 20);
    const struct weir_log log = cli_report_log();
    struct weir_picture picture;
    *pixels = (struct palette_pixels){0};
    enum weir_result result = weir_picture_read(path, &memory, &log, &picture);
    if (result == WEIR_OK) {
        result = take_picture(pixels, path, &picture);
    }
    weir_picture_free(&picture);
    return result;
}

void palette_pixels_free(struct palette_pixels *pixels)
{
    free(pixels->rgba);
    *pixels = (struct palette_pixels){0};
}

static enum weir_result make_objects(struct palette_image *image, struct cli_gpu *gpu,
                                     uint32_t width, uint32_t height)
{
    image->gpu = gpu;
    enum weir_result result = cli_commands_allocate(gpu, &image->commands);
    if (result == WEIR_OK) {
        result = cli_buffer_init(gpu, cli_staging_size(width, height),
                                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                 true, &image->staging);
    }
    if (result == WEIR_OK) {
        result = cli_image_init(gpu, width, height, &image->source);
    }
    if (result == WEIR_OK) {
        result = cli_image_init_written(gpu, VK_FORMAT_R8G8B8A8_UNORM, width, height,
                                        &image->image);
    }
    return result;
}

void palette_image_finish(struct palette_image *image)
{
    if (!image->gpu) {
        return;
    }
    cli_image_finish(image->gpu, &image->image);
    cli_image_finish(image->gpu, &image->source);
    cli_buffer_finish(image->gpu, &image->staging);
    cli_commands_free(image->gpu, image->commands);
    *image = (struct palette_image){0};
}

enum weir_result palette_image_upload(struct palette_image *image, const struct cli_reduction *run,
                                      const char *name, const struct palette_pixels *pixels)
{
    enum weir_result result = cli_gpu_check_side(run->gpu, name, pixels->width, pixels->height);
    if (result == WEIR_OK &&
        (image->source.width != pixels->width || image->source.height != pixels->height)) {
        palette_image_finish(image);
        result = make_objects(image, run->gpu, pixels->width, pixels->height);
        if (result != WEIR_OK) {
            palette_image_finish(image);
        }
    }
    if (result == WEIR_OK) {
        result = cli_commands_begin(image->commands);
    }
    if (result != WEIR_OK) {
        return result;
    }
    const size_t pitch = cli_staging_pitch(pixels->width), row = 4 * (size_t)pixels->width;
    for (uint32_t y = 0; y < pixels->height; y++) {
        memcpy(image->staging.mapped + y * pitch, pixels->rgba + y * row, row);
    }
    cli_cmd_upload(image->commands, &image->staging, &image->source);
    return cli_commands_run(image->gpu, image->commands);
}

static void record_download(struct palette_image *image)
{
    const struct cli_image_scope written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                            VK_ACCESS_SHADER_WRITE_BIT,
                                            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const struct cli_image_scope read = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                         VK_ACCESS_TRANSFER_READ_BIT,
                                         VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
    const struct cli_scope copied = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
    const struct cli_scope host = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};
    cli_cmd_image_barrier(image->commands, image->image.image, written, read);
    const VkBufferImageCopy copy = {
        .bufferRowLength = (uint32_t)(cli_staging_pitch(image->image.width) / 4),
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {image->image.width, image->image.height, 1},
    };
    vkCmdCopyImageToBuffer(image->commands, image->image.image, read.layout, image->staging.buffer,
                           1, &copy);
    cli_cmd_barrier(image->commands, copied, host);
}

enum weir_result palette_image_download(struct palette_image *image, struct palette_pixels *pixels)
{
    enum weir_result result = cli_commands_begin(image->commands);
    if (result != WEIR_OK) {
        return result;
    }
    record_download(image);
    result = cli_commands_run(image->gpu, image->commands);
    const size_t pitch = cli_staging_pitch(pixels->width), row = 4 * (size_t)pixels->width;
    for (uint32_t y = 0; result == WEIR_OK && y < pixels->height; y++) {
        memcpy(pixels->rgba + y * row, image->staging.mapped + y * pitch, row);
    }
    return result;
}
