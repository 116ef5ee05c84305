// SPDX-License-Identifier: MIT
// A pyramid on the device: level 0 is uploaded, one run makes the other levels, and all levels are
// read back.
#include "capture/weir/gpu/pyramid.h"

#include "capture/weir/common/report.h"

// Enough for a bus at full speed, and small beside any picture that needs several bands [bytes].
static const uint64_t band_size = 64 << 20;

static VkExtent2D extent_of(const struct cli_pyramid *run, uint32_t level)
{
    return weir_pyramid_level_extent(run->params.width, run->params.height, level);
}

static uint64_t row_size(const struct cli_pyramid *run, uint32_t level)
{
    return (uint64_t)extent_of(run, level).width * run->params.format->texel_size;
}

static enum weir_result make_image(struct cli_pyramid *run)
{
    const struct cli_pyramid_params *params = &run->params;
    enum weir_result result = weir_gpu_image_init(
        run->gpu->work,
        weir_image_params(.format = params->format->format, .width = params->width,
                          .height = params->height, .levels = params->levels,
                          .usage = run->scope.usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                   VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                          .flags = params->format->flags),
        0, &run->image);
    CLI_FAIL_IF(result != WEIR_OK, result,
                "no pyramid of %ux%u in %s can be made; try a smaller picture or another --format",
                params->width, params->height, params->format->name);
    return WEIR_OK;
}

static enum weir_result make_target(struct cli_pyramid *run)
{
    WEIR_TRY(weir_image_create(run->gpu->context, &run->image.params, &run->wrapped));
    WEIR_TRY(weir_pyramid_target_create(
        run->pyramid,
        weir_pyramid_target_params(.images = (const weir_image *const[]){run->wrapped}),
        &run->target));
    run->params.method = weir_pyramid_target_get_method(run->target);
    run->num_dispatches = weir_pyramid_target_get_num_dispatches(run->target);
    return WEIR_OK;
}

static enum weir_result make_objects(struct cli_pyramid *run)
{
    struct cli_gpu *gpu = run->gpu;
    const uint64_t row = row_size(run, 0), whole = row * run->params.height;
    const uint64_t size = whole < band_size ? whole : row < band_size ? band_size / row * row : row;
    WEIR_TRY(cli_buffer_init(gpu, size,
                             VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             true, &run->staging));
    cli_timer_init(&run->timer, gpu, 1);
    return WEIR_OK;
}

enum weir_result cli_pyramid_init(struct cli_pyramid *run, struct cli_gpu *gpu,
                                  const struct cli_pyramid_params *params)
{
    *run = (struct cli_pyramid){.params = *params, .gpu = gpu};
    if (params->by_host) {
        WEIR_TRY(make_image(run));
        return make_objects(run);
    }
    WEIR_TRY(weir_pyramid_create(
        gpu->context,
        weir_pyramid_params(.method = params->method, .reduction = params->reduction,
                            .precision = params->exact_srgb ? WEIR_PYRAMID_PRECISION_EXACT
                                                            : WEIR_PYRAMID_PRECISION_NEAREST,
                            .format = params->format->format),
        &run->pyramid));
    run->scope = weir_pyramid_get_scope(run->pyramid);
    WEIR_TRY(make_image(run));
    WEIR_TRY(make_target(run));
    return make_objects(run);
}

void cli_pyramid_finish(struct cli_pyramid *run)
{
    if (!run->gpu) {
        return;
    }
    struct cli_gpu *gpu = run->gpu;
    cli_timer_finish(&run->timer);
    weir_gpu_buffer_finish(gpu->work, &run->staging);
    weir_pyramid_target_destroy(&run->target);
    weir_image_destroy(&run->wrapped);
    weir_gpu_image_finish(gpu->work, &run->image);
    weir_pyramid_destroy(&run->pyramid);
    *run = (struct cli_pyramid){0};
}

// Rows `top` to `bottom` of a level lie at the start of the staging buffer.
static VkBufferImageCopy band_copy(const struct cli_pyramid *run, uint32_t level, uint32_t top,
                                   uint32_t bottom)
{
    return (VkBufferImageCopy){
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1},
        .imageOffset = {0, (int32_t)top, 0},
        .imageExtent = {extent_of(run, level).width, bottom - top, 1},
    };
}

static uint32_t band_end(const struct cli_pyramid *run, uint32_t level, uint32_t top)
{
    const uint32_t height = extent_of(run, level).height;
    const uint64_t rows = run->staging.size / row_size(run, level);
    return rows < height - top ? top + (uint32_t)rows : height;
}

enum weir_result cli_pyramid_upload(struct cli_pyramid *run, uint32_t level, cli_pyramid_row *fill,
                                    void *user)
{
    const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const struct weir_gpu_scope unused = {transfer, 0, VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope filled = {transfer, VK_ACCESS_TRANSFER_WRITE_BIT,
                                          VK_IMAGE_LAYOUT_GENERAL};
    const uint32_t height = extent_of(run, level).height;
    const uint64_t row = row_size(run, level);
    for (uint32_t top = 0, bottom; top < height; top = bottom) {
        bottom = band_end(run, level, top);
        for (uint32_t y = top; y < bottom; y++) {
            fill(user, y, run->staging.mapped + (y - top) * row);
        }
        VkCommandBuffer commands;
        WEIR_TRY(weir_gpu_begin(run->gpu->work, &commands));
        if (level == 0 && top == 0) {
            weir_cmd_barrier(run->gpu->work, commands, &run->image.params, unused, filled);
        }
        const VkBufferImageCopy copy = band_copy(run, level, top, bottom);
        vkCmdCopyBufferToImage(commands, run->staging.buffer, run->image.params.image,
                               VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
        WEIR_TRY(weir_gpu_run(run->gpu->work, commands));
    }
    return WEIR_OK;
}

enum weir_result cli_pyramid_execute(struct cli_pyramid *run)
{
    const struct weir_pyramid_run barriers = {
        .src_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .src_access = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dst_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .dst_access = VK_ACCESS_TRANSFER_READ_BIT,
    };
    WEIR_TRY(cli_timer_begin(&run->timer));
    cli_timer_start(&run->timer, 0);
    WEIR_TRY(weir_cmd_pyramid(run->target, run->timer.commands, &barriers));
    cli_timer_stop(&run->timer, 0);
    return cli_timer_run(&run->timer, 1, &run->gpu_ns);
}

static void record_readback(struct cli_pyramid *run, VkCommandBuffer commands,
                            const VkBufferImageCopy *copy)
{
    // Level 0, and a chain of one level, were written by a copy and not by the pyramid.
    weir_cmd_barrier(run->gpu->work, commands, NULL, cli_copy_writes, cli_copy_reads);
    vkCmdCopyImageToBuffer(commands, run->image.params.image, VK_IMAGE_LAYOUT_GENERAL,
                           run->staging.buffer, 1, copy);
    weir_cmd_barrier(run->gpu->work, commands, NULL, cli_copy_writes, cli_host_reads);
}

enum weir_result cli_pyramid_download(struct cli_pyramid *run, uint32_t level,
                                      cli_pyramid_row *take, void *user)
{
    const uint32_t height = extent_of(run, level).height;
    const uint64_t row = row_size(run, level);
    for (uint32_t top = 0, bottom; top < height; top = bottom) {
        bottom = band_end(run, level, top);
        VkCommandBuffer commands;
        WEIR_TRY(weir_gpu_begin(run->gpu->work, &commands));
        const VkBufferImageCopy copy = band_copy(run, level, top, bottom);
        record_readback(run, commands, &copy);
        WEIR_TRY(weir_gpu_run(run->gpu->work, commands));
        for (uint32_t y = top; y < bottom; y++) {
            take(user, y, run->staging.mapped + (y - top) * row);
        }
    }
    return WEIR_OK;
}
