// SPDX-License-Identifier: MIT
// Parts of pictures on the device become blocks: an encoder with an optimiser behind it, and tiles,
// which are an image and buffers for its blocks.
#include "capture/weir/gpu/tile.h"

#include <string.h>

static enum weir_result init_coder(struct cli_gpu *gpu, const struct weir_encoder_params *params,
                                   uint32_t quality, bool texture, struct cli_coder *coder)
{
    WEIR_TRY(weir_encoder_create(gpu->context, params, &coder->encoder));
    if (quality == CLI_QUALITY_UNCHANGED) {
        return WEIR_OK;
    }
    return weir_rdo_create(
        gpu->context,
        weir_rdo_params(.codec = params->codec, .like = params->like,
                        .no_dither = params->no_dither, .bc4_alpha = params->bc4_alpha,
                        .bc7_alpha_unread = params->bc7_alpha_unread, .steady = params->steady,
                        .texture = texture, .control = true),
        &coder->rdo);
}

enum weir_result cli_coder_init(struct cli_gpu *gpu, VkFormat format,
                                const struct weir_encoder_params *params, uint32_t quality,
                                bool texture, struct cli_coder *coder)
{
    *coder = (struct cli_coder){
        .gpu = gpu, .codec = params->codec, .format = format, .lambda = weir_rdo_lambda(quality)};
    struct cli_image like;
    WEIR_TRY(
        cli_image_init(gpu, weir_image_params(.format = format, .width = 1, .height = 1), &like));
    struct weir_encoder_params complete = *params;
    complete.like = like.weir;
    const enum weir_result result = init_coder(gpu, &complete, quality, texture, coder);
    cli_image_finish(gpu, &like);
    return result;
}

void cli_coder_finish(struct cli_coder *coder)
{
    weir_rdo_destroy(&coder->rdo);
    weir_encoder_destroy(&coder->encoder);
    *coder = (struct cli_coder){0};
}

static enum weir_result wrap(const struct cli_tile *tile, const struct weir_gpu_buffer *buffer,
                             weir_buffer **wrapper)
{
    return weir_buffer_create(tile->gpu->context,
                              weir_buffer_params(.buffer = buffer->buffer, .size = buffer->size),
                              wrapper);
}

// Make the memory in which the optimiser gets lambda, which is that of all tiles, and says what the
// blocks have come to.
static enum weir_result make_control(struct cli_tile *tile, uint32_t width, uint32_t height)
{
    const struct weir_rdo_control control = {.lambda = tile->coder->lambda};
    WEIR_TRY(cli_buffer_init(tile->gpu, weir_rdo_control_size(width, height),
                             VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true, &tile->control));
    memcpy(tile->control.mapped, &control, sizeof(control));
    return wrap(tile, &tile->control, &tile->control_buffer);
}

// `buffer` comes last: a tile that has it is complete.
static enum weir_result make_buffers(struct cli_tile *tile, uint32_t width, uint32_t height)
{
    const struct cli_coder *coder = tile->coder;
    const uint64_t texels = (uint64_t)width * height * cli_texel_size(coder->format);
    const uint64_t size = weir_codec_image_size(coder->codec, width, height);
    WEIR_TRY(cli_buffer_init(tile->gpu, texels > size ? texels : size,
                             VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             true, &tile->staging));
    if (coder->rdo) {
        WEIR_TRY(make_control(tile, width, height));
    }
    WEIR_TRY(cli_buffer_init(tile->gpu, size,
                             VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                             false, &tile->blocks));
    return wrap(tile, &tile->blocks, &tile->buffer);
}

enum weir_result cli_tile_prepare(struct cli_tile *tile, const struct cli_coder *coder,
                                  uint32_t width, uint32_t height)
{
    const struct weir_image_params *image = &tile->image.gpu.params;
    if (tile->buffer && image->width == width && image->height == height) {
        return WEIR_OK;
    }
    cli_tile_finish(tile);
    tile->gpu = coder->gpu;
    tile->coder = coder;
    WEIR_TRY(cli_image_init(
        tile->gpu, weir_image_params(.format = coder->format, .width = width, .height = height),
        &tile->image));
    return make_buffers(tile, width, height);
}

void cli_tile_finish(struct cli_tile *tile)
{
    if (!tile->gpu) {
        return;
    }
    weir_buffer_destroy(&tile->control_buffer);
    weir_buffer_destroy(&tile->buffer);
    weir_gpu_buffer_finish(tile->gpu->work, &tile->control);
    weir_gpu_buffer_finish(tile->gpu->work, &tile->blocks);
    weir_gpu_buffer_finish(tile->gpu->work, &tile->staging);
    cli_image_finish(tile->gpu, &tile->image);
    *tile = (struct cli_tile){0};
}

// Record the copy of the source into the tile's image, and the barriers for kernels that read it.
static void load_image(const struct cli_tile *tile, VkCommandBuffer commands,
                       const struct cli_tile_source *source)
{
    const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const struct weir_gpu_scope unused = {transfer, 0, VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope filled = {transfer, VK_ACCESS_TRANSFER_WRITE_BIT,
                                          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
    const struct weir_image_params *image = &tile->image.gpu.params;
    const weir_gpu *gpu = tile->gpu->work;
    const VkImageCopy copy = {
        .srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, source->level, 0, 1},
        .srcOffset = {(int32_t)source->x, (int32_t)source->y, 0},
        .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .extent = {image->width, image->height, 1},
    };
    // Level 0 of a source was written by a copy, in another submission.
    weir_cmd_barrier(gpu, commands, NULL, cli_copy_writes, cli_copy_reads);
    weir_cmd_barrier(gpu, commands, image, unused, filled);
    vkCmdCopyImage(commands, source->image, VK_IMAGE_LAYOUT_GENERAL, image->image, filled.layout, 1,
                   &copy);
    weir_cmd_barrier(gpu, commands, image, filled, cli_kernel_reads);
}

static void load_staging(const struct cli_tile *tile, VkCommandBuffer commands)
{
    weir_cmd_upload(tile->gpu->work, commands,
                    &(const struct weir_gpu_copy){.image = &tile->image.gpu.params,
                                                  .buffer = tile->staging.buffer,
                                                  .scope = cli_kernel_reads});
}

static enum weir_result make_blocks(const struct cli_tile *tile, VkCommandBuffer commands)
{
    const struct weir_encode encode = {.source = tile->image.weir, .buffer = tile->buffer};
    WEIR_TRY(weir_cmd_encode(tile->coder->encoder, commands, &encode));
    if (!tile->coder->rdo) {
        return WEIR_OK;
    }
    return weir_cmd_rdo(tile->coder->rdo, commands,
                        &(const struct weir_rdo_run){.source = tile->image.weir,
                                                     .buffer = tile->buffer,
                                                     .control = tile->control_buffer});
}

// Record the copy of the blocks, which a kernel has written, into the staging buffer.
static void store(const struct cli_tile *tile, VkCommandBuffer commands)
{
    weir_cmd_barrier(tile->gpu->work, commands, NULL, cli_kernel_writes, cli_copy_reads);
    // The kernel has waited for the copy that read the texels from here.
    const VkBufferCopy copy = {.size = tile->blocks.size};
    vkCmdCopyBuffer(commands, tile->blocks.buffer, tile->staging.buffer, 1, &copy);
    // The copy of the blocks, and the control of the optimiser.
    weir_cmd_barrier(tile->gpu->work, commands, NULL, cli_device_writes, cli_host_reads);
}

enum weir_result cli_tile_encode(const struct cli_tile *tile, const struct cli_tile_source *source)
{
    VkCommandBuffer commands;
    WEIR_TRY(weir_gpu_begin(tile->gpu->work, &commands));
    if (source->image != VK_NULL_HANDLE) {
        load_image(tile, commands, source);
    } else {
        load_staging(tile, commands);
    }
    WEIR_TRY(make_blocks(tile, commands));
    store(tile, commands);
    return weir_gpu_run(tile->gpu->work, commands);
}

struct weir_rdo_result cli_tile_result(const struct cli_tile *tile)
{
    return weir_rdo_get_result(tile->control.mapped, tile->image.gpu.params.width,
                               tile->image.gpu.params.height);
}
