// SPDX-License-Identifier: MIT
// Pictures of RGBA8 on the device, one at a time, and the image that a palette reduction writes.
#include "capture/weir/gpu/picture.h"

#include <string.h>

static enum weir_result make_objects(struct cli_picture *picture, struct cli_gpu *gpu,
                                     uint32_t width, uint32_t height)
{
    picture->gpu = gpu;
    WEIR_TRY(cli_buffer_init(gpu, cli_staging_size(width, height),
                             VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             true, &picture->staging));
    WEIR_TRY(cli_image_init(
        gpu,
        weir_image_params(.format = VK_FORMAT_R8G8B8A8_UNORM, .width = width, .height = height),
        &picture->source));
    return cli_image_init_written(gpu, VK_FORMAT_R8G8B8A8_UNORM, width, height, &picture->image);
}

void cli_picture_finish(struct cli_picture *picture)
{
    if (!picture->gpu) {
        return;
    }
    cli_image_finish(picture->gpu, &picture->image);
    cli_image_finish(picture->gpu, &picture->source);
    weir_gpu_buffer_finish(picture->gpu->work, &picture->staging);
    *picture = (struct cli_picture){0};
}

enum weir_result cli_picture_upload(struct cli_picture *picture, struct cli_gpu *gpu,
                                    const char *name, VkExtent2D size, const uint8_t *rgba)
{
    const struct weir_image_params *source = &picture->source.gpu.params;
    VkCommandBuffer commands;
    WEIR_TRY(cli_gpu_check_side(gpu, name, size.width, size.height));
    if (source->width != size.width || source->height != size.height) {
        cli_picture_finish(picture);
        const enum weir_result result = make_objects(picture, gpu, size.width, size.height);
        if (result != WEIR_OK) {
            cli_picture_finish(picture);
            return result;
        }
    }
    WEIR_TRY(weir_gpu_begin(gpu->work, &commands));
    const size_t pitch = cli_staging_pitch(size.width), row = 4 * (size_t)size.width;
    for (uint32_t y = 0; y < size.height; y++) {
        memcpy(picture->staging.mapped + y * pitch, rgba + y * row, row);
    }
    cli_cmd_upload(gpu, commands, &picture->staging, &picture->source);
    return weir_gpu_run(gpu->work, commands);
}

enum weir_result cli_picture_download(struct cli_picture *picture, uint8_t *rgba)
{
    const struct weir_image_params *image = &picture->image.gpu.params;
    const size_t pitch = cli_staging_pitch(image->width), row = 4 * (size_t)image->width;
    weir_gpu *gpu = picture->gpu->work;
    VkCommandBuffer commands;
    WEIR_TRY(weir_gpu_begin(gpu, &commands));
    weir_cmd_download(
        gpu, commands,
        &(const struct weir_gpu_copy){
            .image = image,
            .buffer = picture->staging.buffer,
            .row_length = (uint32_t)(pitch / 4),
            .scope = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
        });
    WEIR_TRY(weir_gpu_run(gpu, commands));
    for (uint32_t y = 0; y < image->height; y++) {
        memcpy(rgba + y * row, picture->staging.mapped + y * pitch, row);
    }
    return WEIR_OK;
}
