// SPDX-License-Identifier: MIT
// The methods of weir-bench palette on one picture.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/report.h"
#include "tests/bench/palette/palette.h"

struct bench {
    struct cli_gpu *gpu;
    const struct bench_palette_result *result;
    struct bench_palette_row *row;
    struct bench_palette_picture picture;
    struct bench_palette_device device;
    struct cli_reduction reduction;
    struct bench_samples samples[BENCH_PALETTE_NUM_STAGES];
    struct bench_times times[BENCH_PALETTE_NUM_STAGES];
};

static const char *const stage_names[BENCH_PALETTE_NUM_STAGES] = {
    [BENCH_PALETTE_COUNT] = "count",     [BENCH_PALETTE_START] = "start",
    [BENCH_PALETTE_ITERATE] = "iterate", [BENCH_PALETTE_FINISH] = "finish",
    [BENCH_PALETTE_MAP] = "map",         [BENCH_PALETTE_COPY] = "copy",
    [BENCH_PALETTE_TOTAL] = "total",
};

double bench_palette_ratio(double a, double b)
{
    return a > 0 && b > 0 ? a / b : (double)NAN;
}

static enum weir_result run_stages(struct bench *bench, struct weir_palette_stats *stats)
{
    struct cli_reduction *run = &bench->reduction;
    struct bench_samples *samples = bench->samples;
    const weir_image *source = bench->device.images.source.weir;
    const struct weir_palette_start start = {.radius = (float)bench->result->options->radius};
    cli_reduction_reset_times(run);
    WEIR_TRY(cli_reduction_count(run, source, true));
    WEIR_TRY(cli_reduction_reduce(run, &start, stats));
    WEIR_TRY(bench_palette_device_run(&bench->device, NULL, NULL, &samples[BENCH_PALETTE_COPY]));
    WEIR_TRY(cli_reduction_map(run, source, &bench->device.images.image));
    for (int i = 0; i < CLI_REDUCTION_NUM_STAGES; i++) {
        bench_samples_add(&samples[i], run->stage_ns[i]);
    }
    bench_samples_add(&samples[BENCH_PALETTE_TOTAL], cli_reduction_total_ns(run));
    return WEIR_OK;
}

static enum weir_result repeat(struct bench *bench, struct weir_palette_stats *stats)
{
    for (uint64_t i = 0; i < bench->result->options->repeats; i++) {
        WEIR_TRY(run_stages(bench, stats));
    }
    if (stats->num_colors != bench->picture.num_colors) {
        cli_report_error("%s has %u colours, and the device counted %u", bench->row->name,
                         bench->picture.num_colors, stats->num_colors);
        return WEIR_ERROR_DATA;
    }
    for (int i = 0; i < BENCH_PALETTE_NUM_STAGES; i++) {
        bench->times[i] = bench_samples_take(&bench->samples[i]);
    }
    return WEIR_OK;
}

static void put_ours(const struct bench *bench, const struct weir_palette_stats *stats,
                     struct bench_value *to)
{
    const double iterate = bench->times[BENCH_PALETTE_ITERATE].median;
    bench_put_integer(to, "new_colors", stats->num_new_colors);
    bench_put_integer(to, "unfinished", stats->num_unfinished);
    bench_put_integer(to, "evaluations", stats->num_evaluations);
    bench_put_number(to, "ns_per_evaluation",
                     bench_palette_ratio(iterate * 1000, (double)stats->num_evaluations));
    bench_put_integer(to, "max_steps", stats->max_steps);
    struct bench_value *stages = bench_add(to, "stages", BENCH_OBJECT);
    for (int i = 0; i < BENCH_PALETTE_NUM_STAGES; i++) {
        bench_put_times(stages, stage_names[i], &bench->times[i]);
    }
}

// Count reads the image, which is half of what a copy moves; map reads and writes as much.
static void put_ratios(const struct bench_times *ours, struct bench_value *to)
{
    const double copy = ours[BENCH_PALETTE_COPY].median;
    bench_put_number(to, "count_ratio_to_copy",
                     bench_palette_ratio(ours[BENCH_PALETTE_COUNT].median, copy / 2));
    bench_put_number(to, "map_ratio_to_copy",
                     bench_palette_ratio(ours[BENCH_PALETTE_MAP].median, copy));
}

static enum weir_result measure_ours(struct bench *bench, struct bench_value *to)
{
    const struct bench_palette_options *options = bench->result->options;
    struct weir_palette_stats stats = {0};
    enum weir_result result = cli_reduction_init(
        &bench->reduction, bench->gpu,
        &(const struct weir_palette_params){.weight = (enum weir_palette_weight)options->weight,
                                            .light = (enum weir_palette_light)options->light,
                                            .max_colors = bench->picture.num_colors});
    bench->reduction.progress = bench->result->progress;
    if (result == WEIR_OK) {
        result = repeat(bench, &stats);
    }
    cli_reduction_finish(&bench->reduction);
    put_ours(bench, &stats, to);
    return result;
}

static enum weir_result measure_methods(struct bench *bench, struct bench_value *to)
{
    const bool *methods = bench->result->methods;
    struct bench_value *values[BENCH_PALETTE_NUM_METHODS];
    for (int i = 0; i < BENCH_PALETTE_NUM_METHODS; i++) {
        values[i] = bench_add(to, bench_palette_method_names[i],
                              methods[i] ? BENCH_OBJECT : BENCH_NULL);
    }
    if (methods[BENCH_PALETTE_OURS]) {
        WEIR_TRY(measure_ours(bench, values[BENCH_PALETTE_OURS]));
        put_ratios(bench->times, to);
    }
    return methods[BENCH_PALETTE_LIVE]
               ? bench_palette_live_measure(bench->gpu, bench->result->options, &bench->picture,
                                            values[BENCH_PALETTE_LIVE])
               : WEIR_OK;
}

static enum weir_result measure(struct bench *bench, struct bench_value *to)
{
    struct bench_palette_row *row = bench->row;
    const struct bench_palette_picture *picture = &bench->picture;
    const char *slash = row->source == BENCH_PALETTE_FILE ? strrchr(row->name, '/') : NULL;
    char size[24];
    WEIR_TRY(bench_palette_picture_init(&bench->picture, row));
    snprintf(size, sizeof(size), "%ux%u", picture->width, picture->height);
    bench_put_text(to, "name", row->name);
    bench_put_text(to, ".name", slash ? slash + 1 : row->name);
    bench_put_text(to, "size", size);
    bench_put_integer(to, "width", picture->width);
    bench_put_integer(to, "height", picture->height);
    bench_put_integer(to, "colors", picture->num_colors);
    WEIR_TRY(bench_palette_device_init(&bench->device, bench->gpu, picture, row->name));
    return measure_methods(bench, to);
}

enum weir_result bench_palette_measure(struct cli_gpu *gpu,
                                       const struct bench_palette_result *result,
                                       struct bench_palette_row *row, struct bench_value *to)
{
    static struct bench only; // whose samples are many for a stack
    struct bench *bench = &only;
    *bench = (struct bench){.gpu = gpu, .result = result, .row = row};
    const enum weir_result status = measure(bench, to);
    bench_palette_device_finish(&bench->device);
    bench_palette_picture_finish(&bench->picture);
    return status;
}
