// SPDX-License-Identifier: MIT
// A palette reduction on the device, stage by stage, each with its GPU time.
#include "capture/weir/gpu/reduction.h"

#include <string.h>

#include "capture/weir/common/interrupt.h"

// In a submission: a few dispatches that find nothing to do cost less than to ask after each.
enum { DISPATCHES_PER_SUBMISSION = 4 };

enum weir_result cli_reduction_init(struct cli_reduction *run, struct cli_gpu *gpu,
                                    const struct weir_palette_params *params)
{
    *run = (struct cli_reduction){.params = *params, .gpu = gpu};
    struct cli_image like;
    WEIR_TRY(cli_image_init(
        gpu, weir_image_params(.format = VK_FORMAT_R8G8B8A8_UNORM, .width = 1, .height = 1),
        &like));
    run->params.like = like.weir;
    const enum weir_result result = weir_palette_create(gpu->context, &run->params, &run->palette);
    run->params.like = NULL;
    cli_image_finish(gpu, &like);
    cli_timer_init(&run->timer, gpu, 1);
    return result;
}

void cli_reduction_finish(struct cli_reduction *run)
{
    if (!run->gpu) {
        return;
    }
    cli_timer_finish(&run->timer);
    weir_palette_destroy(&run->palette);
    *run = (struct cli_reduction){0};
}

// What a stage works on.
struct work {
    const weir_image *source;
    bool clear;
    const struct weir_palette_start *start;
    const struct cli_image *image;
};

static enum weir_result record(const struct cli_reduction *run, enum cli_reduction_stage stage,
                               const struct work *work)
{
    const VkCommandBuffer commands = run->timer.commands;
    const struct weir_palette_count count = {.source = work->source, .clear = work->clear};
    switch (stage) {
    case CLI_REDUCTION_COUNT:
        return weir_cmd_palette_count(run->palette, commands, &count);
    case CLI_REDUCTION_START:
        return weir_cmd_palette_start(run->palette, commands, work->start);
    case CLI_REDUCTION_ITERATE:
        return weir_cmd_palette_iterate(run->palette, commands, DISPATCHES_PER_SUBMISSION);
    case CLI_REDUCTION_FINISH:
        return weir_cmd_palette_finish(run->palette, commands);
    default:
        return weir_cmd_palette_map(run->palette, commands, work->source, work->image->weir);
    }
}

// Record a stage, submit it, and wait. The host reads the stats next, which a kernel or a copy has
// written.
static enum weir_result run_stage(struct cli_reduction *run, enum cli_reduction_stage stage,
                                  const struct work *work)
{
    const struct weir_gpu_scope unused = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0,
                                          VK_IMAGE_LAYOUT_UNDEFINED};
    const weir_gpu *gpu = run->gpu->work;
    double ns = 0;
    WEIR_TRY(cli_timer_begin(&run->timer));
    if (work->image) {
        weir_cmd_barrier(gpu, run->timer.commands, &work->image->gpu.params, unused,
                         cli_kernel_writes);
    }
    cli_timer_start(&run->timer, 0);
    WEIR_TRY(record(run, stage, work));
    cli_timer_stop(&run->timer, 0);
    if (work->image) {
        weir_cmd_barrier(gpu, run->timer.commands, &work->image->gpu.params, cli_kernel_writes,
                         cli_kernel_reads);
    }
    weir_cmd_barrier(gpu, run->timer.commands, NULL, cli_device_writes, cli_host_reads);
    const enum weir_result result = cli_timer_run(&run->timer, 1, &ns);
    run->stage_ns[stage] += ns;
    return result;
}

enum weir_result cli_reduction_count(struct cli_reduction *run, const weir_image *source,
                                     bool clear)
{
    return run_stage(run, CLI_REDUCTION_COUNT,
                     &(const struct work){.source = source, .clear = clear});
}

// Of mean shift, the colours that have ended; of k-means, the new colours that were found.
static void show_progress(const struct cli_reduction *run, const struct weir_palette_start *start,
                          const struct weir_palette_stats *stats)
{
    const bool is_k_means = run->params.method == WEIR_PALETTE_METHOD_K_MEANS;
    const uint32_t all = is_k_means ? start->num_colors + 1 : stats->num_colors;
    if (run->progress) {
        cli_progress_step(run->progress, all - stats->num_unfinished,
                          is_k_means ? start->num_colors : all,
                          is_k_means ? "new colours" : "colours");
    }
}

enum weir_result cli_reduction_reduce(struct cli_reduction *run,
                                      const struct weir_palette_start *start,
                                      struct weir_palette_stats *stats)
{
    const struct work work = {.start = start};
    WEIR_TRY(run_stage(run, CLI_REDUCTION_START, &work));
    for (;;) {
        *stats = weir_palette_get_stats(run->palette);
        if (stats->num_unfinished == 0 || stats->overflow) {
            break;
        }
        if (cli_interrupted()) {
            return WEIR_ERROR_IO;
        }
        show_progress(run, start, stats);
        WEIR_TRY(run_stage(run, CLI_REDUCTION_ITERATE, &work));
    }
    WEIR_TRY(run_stage(run, CLI_REDUCTION_FINISH, &work));
    *stats = weir_palette_get_stats(run->palette);
    CLI_FAIL_IF(stats->overflow, WEIR_ERROR_UNSUPPORTED,
                "the input has more than %u colours, too many for this reduction",
                run->params.max_colors);
    return WEIR_OK;
}

enum weir_result cli_reduction_map(struct cli_reduction *run, const weir_image *source,
                                   const struct cli_image *image)
{
    return run_stage(run, CLI_REDUCTION_MAP,
                     &(const struct work){.source = source, .image = image});
}

void cli_reduction_reset_times(struct cli_reduction *run)
{
    for (int i = 0; i < CLI_REDUCTION_NUM_STAGES; i++) {
        run->stage_ns[i] = 0;
    }
}

double cli_reduction_total_ns(const struct cli_reduction *run)
{
    double total = 0;
    for (int i = 0; i < CLI_REDUCTION_NUM_STAGES; i++) {
        total += run->stage_ns[i];
    }
    return total;
}

static enum weir_result make_objects(struct cli_picture *picture, struct cli_gpu *gpu,
                                     uint32_t width, uint32_t height)
{
    picture->gpu = gpu;
    WEIR_TRY(cli_buffer_init(gpu, 4 * (uint64_t)width * height,
                             VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             true, &picture->staging));
    WEIR_TRY(cli_image_init(
        gpu,
        weir_image_params(.format = VK_FORMAT_R8G8B8A8_UNORM, .width = width, .height = height),
        &picture->source));
    return cli_image_init(gpu,
                          weir_image_params(.format = VK_FORMAT_R8G8B8A8_UNORM, .width = width,
                                            .height = height, .usage = VK_IMAGE_USAGE_STORAGE_BIT),
                          &picture->image);
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
    memcpy(picture->staging.mapped, rgba, picture->staging.size);
    weir_cmd_upload(gpu->work, commands,
                    &(const struct weir_gpu_copy){.image = &picture->source.gpu.params,
                                                  .buffer = picture->staging.buffer,
                                                  .scope = cli_kernel_reads});
    return weir_gpu_run(gpu->work, commands);
}

enum weir_result cli_picture_download(struct cli_picture *picture, uint8_t *rgba)
{
    weir_gpu *gpu = picture->gpu->work;
    VkCommandBuffer commands;
    WEIR_TRY(weir_gpu_begin(gpu, &commands));
    weir_cmd_download(
        gpu, commands,
        &(const struct weir_gpu_copy){
            .image = &picture->image.gpu.params,
            .buffer = picture->staging.buffer,
            .scope = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
        });
    WEIR_TRY(weir_gpu_run(gpu, commands));
    memcpy(rgba, picture->staging.mapped, picture->staging.size);
    return WEIR_OK;
}
