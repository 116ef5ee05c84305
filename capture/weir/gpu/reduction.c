// SPDX-License-Identifier: MIT
// A palette reduction on the device, stage by stage, each with its GPU time.
#include "capture/weir/gpu/reduction.h"

#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"

// In a submission: a few dispatches that find nothing to do cost less than to ask after each.
enum { DISPATCHES_PER_SUBMISSION = 4 };

enum weir_result cli_reduction_init(struct cli_reduction *run, struct cli_gpu *gpu,
                                    const struct cli_reduction_params *params)
{
    *run = (struct cli_reduction){.params = *params, .gpu = gpu};
    struct cli_image like;
    enum weir_result result = cli_image_init(
        gpu, weir_image_params(.format = VK_FORMAT_R8G8B8A8_UNORM, .width = 1, .height = 1), &like);
    if (result == WEIR_OK) {
        result = weir_palette_create(
            gpu->context,
            weir_palette_params(.like = like.weir, .weight = params->weight, .light = params->light,
                                .method = params->method, .metric = params->metric,
                                .dither = params->dither, .max_colors = params->max_colors,
                                .table = params->table, .no_merge = params->no_merge),
            &run->palette);
        cli_image_finish(gpu, &like);
    }
    return result == WEIR_OK ? cli_timer_init(&run->timer, gpu, 1) : result;
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

// The host reads the stats next, which a kernel or a copy has written.
static void record_host_barrier(const struct cli_reduction *run)
{
    const struct weir_gpu_scope written = {
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, 0};
    const struct weir_gpu_scope host = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT, 0};
    weir_cmd_barrier(run->gpu->work, run->timer.commands, NULL, written, host);
}

static enum weir_result submit_and_wait(struct cli_reduction *run, enum cli_reduction_stage stage)
{
    record_host_barrier(run);
    double ns = 0;
    const enum weir_result result = cli_timer_run(&run->timer, 1, &ns);
    run->stage_ns[stage] += ns;
    return result;
}

enum weir_result cli_reduction_count(struct cli_reduction *run, const weir_image *source,
                                     bool clear)
{
    const struct weir_palette_count count = {.source = source, .clear = clear};
    WEIR_TRY(cli_timer_begin(&run->timer));
    cli_timer_start(&run->timer, 0);
    WEIR_TRY(weir_cmd_palette_count(run->palette, run->timer.commands, &count));
    cli_timer_stop(&run->timer, 0);
    return submit_and_wait(run, CLI_REDUCTION_COUNT);
}

// One of the stages between counting and mapping; `start` is for the first.
static enum weir_result move(struct cli_reduction *run, enum cli_reduction_stage stage,
                             const struct weir_palette_start *start)
{
    WEIR_TRY(cli_timer_begin(&run->timer));
    cli_timer_start(&run->timer, 0);
    if (stage == CLI_REDUCTION_START) {
        WEIR_TRY(weir_cmd_palette_start(run->palette, run->timer.commands, start));
    } else if (stage == CLI_REDUCTION_ITERATE) {
        WEIR_TRY(
            weir_cmd_palette_iterate(run->palette, run->timer.commands, DISPATCHES_PER_SUBMISSION));
    } else {
        WEIR_TRY(weir_cmd_palette_finish(run->palette, run->timer.commands));
    }
    cli_timer_stop(&run->timer, 0);
    return submit_and_wait(run, stage);
}

// Of mean shift, the colours that have ended; of k-means, the new colours that were found.
static void show_progress(const struct cli_reduction *run, const struct weir_palette_start *start,
                          const struct weir_palette_stats *stats)
{
    const bool is_k_means = run->params.method == WEIR_PALETTE_METHOD_K_MEANS;
    const uint32_t all = is_k_means ? start->num_colors + 1 : stats->num_colors;
    if (run->params.progress) {
        cli_progress_step(run->params.progress, all - stats->num_unfinished,
                          is_k_means ? start->num_colors : all,
                          is_k_means ? "new colours" : "colours");
    }
}

enum weir_result cli_reduction_reduce(struct cli_reduction *run,
                                      const struct weir_palette_start *start,
                                      struct weir_palette_stats *stats)
{
    enum weir_result result = move(run, CLI_REDUCTION_START, start);
    while (result == WEIR_OK) {
        *stats = weir_palette_get_stats(run->palette);
        if (stats->num_unfinished == 0 || stats->overflow) {
            break;
        }
        if (cli_interrupted()) {
            return WEIR_ERROR_IO;
        }
        show_progress(run, start, stats);
        result = move(run, CLI_REDUCTION_ITERATE, start);
    }
    if (result == WEIR_OK) {
        result = move(run, CLI_REDUCTION_FINISH, start);
    }
    if (result != WEIR_OK) {
        return result;
    }
    *stats = weir_palette_get_stats(run->palette);
    if (stats->overflow) {
        cli_report_error("there are more colours than room for %u", run->params.max_colors);
        return WEIR_ERROR_UNSUPPORTED;
    }
    return WEIR_OK;
}

enum weir_result cli_reduction_map(struct cli_reduction *run, const weir_image *source,
                                   const struct cli_image *image)
{
    const VkPipelineStageFlags compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const struct weir_gpu_scope unused = {compute, 0, VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope written = {compute, VK_ACCESS_SHADER_WRITE_BIT,
                                           VK_IMAGE_LAYOUT_GENERAL};
    const struct weir_gpu_scope read = {compute, VK_ACCESS_SHADER_READ_BIT,
                                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    WEIR_TRY(cli_timer_begin(&run->timer));
    weir_cmd_barrier(run->gpu->work, run->timer.commands, &image->gpu.params, unused, written);
    cli_timer_start(&run->timer, 0);
    WEIR_TRY(weir_cmd_palette_map(run->palette, run->timer.commands, source, image->weir));
    cli_timer_stop(&run->timer, 0);
    weir_cmd_barrier(run->gpu->work, run->timer.commands, &image->gpu.params, written, read);
    return submit_and_wait(run, CLI_REDUCTION_MAP);
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
