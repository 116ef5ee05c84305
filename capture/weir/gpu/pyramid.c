// SPDX-License-Identifier: MIT
// A pyramid on the device: level 0 is uploaded, one run makes the other levels, and all levels are
// read back.
#include "capture/weir/gpu/pyramid.h"

#include "capture/weir/common/report.h"
#include "capture/weir/gpu/barrier.h"
#include "capture/weir/gpu/commands.h"

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
    run->images = (struct cli_images){
        .gpu = run->gpu,
        .format = params->format,
        .width = params->width,
        .height = params->height,
        .layers = 1,
        .levels = params->levels,
        .usage = run->scope.usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                 VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    char why[256] = "";
    enum weir_result result = cli_images_init(&run->images, 1, 1, why, sizeof(why));
    if (result == WEIR_OK && run->images.num == 0) {
        cli_report_error("a pyramid of %ux%u in %s: %s; a smaller picture or another --format may "
                         "do",
                         params->width, params->height, params->format->name, why);
        result = WEIR_ERROR_UNSUPPORTED;
    }
    return result;
}

static enum weir_result make_target(struct cli_pyramid *run)
{
    enum weir_result result = weir_pyramid_target_create(
        run->pyramid,
        weir_pyramid_target_params(.images = (const weir_image *const *)run->images.wrapped),
        &run->target);
    if (result == WEIR_OK) {
        run->params.method = weir_pyramid_target_get_method(run->target);
        run->num_dispatches = weir_pyramid_target_get_num_dispatches(run->target);
    }
    return result;
}

static enum weir_result make_objects(struct cli_pyramid *run)
{
    struct cli_gpu *gpu = run->gpu;
    const uint64_t row = row_size(run, 0), whole = row * run->params.height;
    const uint64_t size = whole < band_size ? whole : row < band_size ? band_size / row * row : row;
    enum weir_result result = cli_buffer_init(
        gpu, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, true,
        &run->staging);
    return result == WEIR_OK ? cli_timer_init(&run->timer, gpu, 1) : result;
}

enum weir_result cli_pyramid_init(struct cli_pyramid *run, struct cli_gpu *gpu,
                                  const struct cli_pyramid_params *params)
{
    *run = (struct cli_pyramid){.params = *params, .gpu = gpu};
    enum weir_result result = weir_pyramid_create(
        gpu->context,
        weir_pyramid_params(.method = params->method, .reduction = params->reduction,
                            .format = params->format->format, .exact_srgb = params->exact_srgb),
        &run->pyramid);
    if (result != WEIR_OK) {
        return result;
    }
    run->scope = weir_pyramid_get_scope(run->pyramid);
    result = make_image(run);
    if (result == WEIR_OK) {
        result = make_target(run);
    }
    return result == WEIR_OK ? make_objects(run) : result;
}

void cli_pyramid_finish(struct cli_pyramid *run)
{
    if (!run->gpu) {
        return;
    }
    struct cli_gpu *gpu = run->gpu;
    cli_timer_finish(&run->timer);
    cli_buffer_finish(gpu, &run->staging);
    weir_pyramid_target_destroy(&run->target);
    cli_images_finish(&run->images);
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

enum weir_result cli_pyramid_upload(struct cli_pyramid *run, cli_pyramid_row *fill, void *user)
{
    const uint64_t row = row_size(run, 0);
    enum weir_result result = WEIR_OK;
    for (uint32_t top = 0, bottom; result == WEIR_OK && top < run->params.height; top = bottom) {
        bottom = band_end(run, 0, top);
        for (uint32_t y = top; y < bottom; y++) {
            fill(user, y, run->staging.mapped + (y - top) * row);
        }
        result = cli_commands_begin(run->timer.commands);
        if (result != WEIR_OK) {
            break;
        }
        const VkBufferImageCopy copy = band_copy(run, 0, top, bottom);
        vkCmdCopyBufferToImage(run->timer.commands, run->staging.buffer, run->images.images[0],
                               VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
        result = cli_commands_run(run->gpu, run->timer.commands);
    }
    return result;
}

enum weir_result cli_pyramid_execute(struct cli_pyramid *run)
{
    const struct weir_pyramid_run barriers = {
        .src_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .src_access = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dst_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .dst_access = VK_ACCESS_TRANSFER_READ_BIT,
    };
    enum weir_result result = cli_timer_begin(&run->timer);
    if (result != WEIR_OK) {
        return result;
    }
    cli_timer_start(&run->timer, 0);
    result = weir_cmd_pyramid(run->target, run->timer.commands, &barriers);
    cli_timer_stop(&run->timer, 0);
    return result == WEIR_OK ? cli_timer_run(&run->timer, 1, &run->gpu_ns) : result;
}

static void record_readback(struct cli_pyramid *run, const VkBufferImageCopy *copy)
{
    const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const struct cli_scope written = {transfer, VK_ACCESS_TRANSFER_WRITE_BIT};
    const struct cli_scope read = {transfer, VK_ACCESS_TRANSFER_READ_BIT};
    const struct cli_scope host = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};
    // Level 0, and a chain of one level, were written by a copy and not by the pyramid.
    cli_cmd_barrier(run->timer.commands, written, read);
    vkCmdCopyImageToBuffer(run->timer.commands, run->images.images[0], VK_IMAGE_LAYOUT_GENERAL,
                           run->staging.buffer, 1, copy);
    cli_cmd_barrier(run->timer.commands, written, host);
}

enum weir_result cli_pyramid_download(struct cli_pyramid *run, uint32_t level,
                                      cli_pyramid_row *take, void *user)
{
    const uint32_t height = extent_of(run, level).height;
    const uint64_t row = row_size(run, level);
    enum weir_result result = WEIR_OK;
    for (uint32_t top = 0, bottom; result == WEIR_OK && top < height; top = bottom) {
        bottom = band_end(run, level, top);
        result = cli_commands_begin(run->timer.commands);
        if (result != WEIR_OK) {
            break;
        }
        const VkBufferImageCopy copy = band_copy(run, level, top, bottom);
        record_readback(run, &copy);
        result = cli_commands_run(run->gpu, run->timer.commands);
        for (uint32_t y = top; result == WEIR_OK && y < bottom; y++) {
            take(user, y, run->staging.mapped + (y - top) * row);
        }
    }
    return result;
}
