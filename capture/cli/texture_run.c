// SPDX-License-Identifier: MIT
// A picture on the device: it goes up as 8-bit codes or half floats, is encoded, and its blocks come back.
#include "capture/cli/texture_run.h"

#include <math.h>
#include <stdlib.h>

#include "capture/cli/mips_texel.h"
#include "capture/cli/report.h"

void texture_run_row(const struct weir_picture *picture, uint32_t y, float *values, uint8_t *codes)
{
    weir_picture_row(picture, y, values);
    for (size_t i = 0; i < 4 * (size_t)picture->width; i++)
        codes[i] = (uint8_t)lrintf(values[i] * UINT8_MAX);
}

void texture_run_row_halves(const struct weir_picture *picture, uint32_t y, float *values,
                            uint8_t *halves)
{
    weir_picture_row(picture, y, values);
    mips_texel_pack(weir_pyramid_get_format(VK_FORMAT_R16G16B16A16_SFLOAT), values, picture->width,
                    halves);
}

static VkFormat source_format(const struct texture_run *run)
{
    return run->params.is_float ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R8G8B8A8_UNORM;
}

// As RGBA8 texels, of which a larger one takes the place of two.
static uint32_t staging_width(const struct texture_run *run)
{
    return run->params.picture->width * cli_texel_size(source_format(run)) / 4;
}

static enum weir_result make_buffers(struct texture_run *run)
{
    const struct weir_picture *picture = run->params.picture;
    const uint64_t texels = cli_staging_size(staging_width(run), picture->height);
    const uint64_t size = weir_codec_image_size(run->params.codec, picture->width, picture->height);
    enum weir_result result = cli_buffer_init(
        run->gpu, texels > size ? texels : size,
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, true, &run->staging);
    if (result == WEIR_OK)
        result = cli_buffer_init(
            run->gpu, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
            false, &run->blocks);
    if (result == WEIR_OK)
        result = weir_buffer_create(run->gpu->context,
                                    weir_buffer_params(.buffer = run->blocks.buffer, .size = size),
                                    &run->target);
    return result;
}

enum weir_result texture_run_init(struct texture_run *run, struct cli_gpu *gpu,
                                  const struct texture_run_params *params)
{
    *run = (struct texture_run){.gpu = gpu, .params = *params};
    enum weir_result result = WEIR_OK;
    if (params->encoder == NULL)
        result = weir_encoder_create(gpu->context,
                                     weir_encoder_params(.codec = params->codec,
                                                         .level = params->level,
                                                         .format = source_format(run)),
                                     &run->encoder);
    if (result == WEIR_OK)
        result = cli_image_init_as(gpu, source_format(run), params->picture->width,
                                   params->picture->height, &run->image);
    if (result == WEIR_OK)
        result = make_buffers(run);
    return result == WEIR_OK ? cli_commands_allocate(gpu, &run->commands) : result;
}

void texture_run_finish(struct texture_run *run)
{
    if (run->gpu == NULL)
        return;
    struct cli_gpu *gpu = run->gpu;
    if (run->commands != VK_NULL_HANDLE)
        vkFreeCommandBuffers(gpu->vk, gpu->pool, 1, &run->commands);
    weir_buffer_destroy(&run->target);
    cli_buffer_finish(gpu, &run->blocks);
    cli_buffer_finish(gpu, &run->staging);
    cli_image_finish(gpu, &run->image);
    weir_encoder_destroy(&run->encoder);
    *run = (struct texture_run){0};
}

static enum weir_result fill_staging(struct texture_run *run)
{
    const struct weir_picture *picture = run->params.picture;
    float *values = malloc((size_t)picture->width * 4 * sizeof *values);
    if (values == NULL) {
        cli_report_error("no memory for a row of %u texels", picture->width);
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const size_t pitch = cli_staging_pitch(staging_width(run));
    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *row = run->staging.mapped + y * pitch;
        if (run->params.is_float)
            texture_run_row_halves(picture, y, values, row);
        else
            texture_run_row(picture, y, values, row);
    }
    free(values);
    return WEIR_OK;
}

static void record_readback(struct texture_run *run)
{
    VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
    };
    const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    vkCmdPipelineBarrier(run->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, transfer, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
    // The kernel has waited for the copy that read the texels from here.
    const VkBufferCopy copy = {.size = run->blocks.size};
    vkCmdCopyBuffer(run->commands, run->blocks.buffer, run->staging.buffer, 1, &copy);
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    vkCmdPipelineBarrier(run->commands, transfer, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
}

enum weir_result texture_run_execute(struct texture_run *run)
{
    enum weir_result result = fill_staging(run);
    if (result == WEIR_OK)
        result = cli_commands_begin(run->commands);
    if (result != WEIR_OK)
        return result;
    cli_cmd_upload(run->commands, &run->staging, &run->image);
    result = weir_cmd_encode(
        run->encoder != NULL ? run->encoder : run->params.encoder, run->commands,
        &(const struct weir_encode){.source = run->image.weir, .target = run->target});
    if (result != WEIR_OK)
        return result;
    record_readback(run);
    struct weir_point done = {0};
    result = cli_commands_submit(run->gpu, run->commands, &done);
    return result == WEIR_OK ? cli_gpu_wait(run->gpu, done) : result;
}
