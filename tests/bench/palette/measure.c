// SPDX-License-Identifier: MIT
// Each method of weir-bench palette on one picture, and whether they agree.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/report.h"
#include "tests/bench/palette/palette.h"

enum { NUM_CODES = 1 << 24 };

struct bench {
    struct cli_gpu *gpu;
    const struct bench_palette_result *result;
    struct bench_palette_row *row;
    struct bench_palette_picture picture;
    struct bench_palette_device device;
    uint32_t *outputs[BENCH_PALETTE_NUM_METHODS]; // the new colour of each colour
    struct cli_reduction reduction;               // of the method of the library that runs
    struct bench_samples samples[BENCH_PALETTE_NUM_STAGES];
    struct bench_times times[BENCH_PALETTE_NUM_STAGES]; // of the last method
};

static const char *const stage_names[BENCH_PALETTE_NUM_STAGES] = {
    [BENCH_PALETTE_COUNT] = "count",     [BENCH_PALETTE_START] = "start",
    [BENCH_PALETTE_ITERATE] = "iterate", [BENCH_PALETTE_FINISH] = "finish",
    [BENCH_PALETTE_MAP] = "map",         [BENCH_PALETTE_COPY] = "copy",
    [BENCH_PALETTE_TOTAL] = "total",     [BENCH_PALETTE_FRAME] = "frame",
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

// All stages in one call, as a render loop has them.
static enum weir_result record_frame(void *user, VkCommandBuffer commands)
{
    const struct bench *bench = user;
    return weir_cmd_palette(
        bench->reduction.palette, commands,
        &(const struct weir_palette_run){.source = bench->device.images.source.weir,
                                         .output = bench->device.images.image.weir,
                                         .radius = (float)bench->result->options->radius});
}

static uint32_t code_of(const uint8_t *texel)
{
    return (uint32_t)texel[0] << 16 | (uint32_t)texel[1] << 8 | texel[2];
}

// Read the new colour of each colour from the picture in its new colours.
static enum weir_result read_outputs(struct bench *bench, uint32_t *outputs)
{
    const struct bench_palette_picture *picture = &bench->picture;
    const size_t num_pixels = (size_t)picture->width * picture->height;
    WEIR_TRY(cli_picture_download(&bench->device.images, bench->device.pixels));
    uint32_t *table = calloc(NUM_CODES, sizeof(*table));
    if (!table) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < num_pixels; i++) {
        if (picture->rgba[4 * i + 3] != 0) {
            table[code_of(picture->rgba + 4 * i)] = code_of(bench->device.pixels + 4 * i);
        }
    }
    for (uint32_t i = 0; i < picture->num_colors; i++) {
        outputs[i] = table[picture->colors[i]];
    }
    free(table);
    return WEIR_OK;
}

static enum weir_result repeat(struct bench *bench, uint64_t num, bool frame, uint32_t *outputs,
                               struct weir_palette_stats *stats)
{
    for (uint64_t i = 0; i < num; i++) {
        WEIR_TRY(run_stages(bench, stats));
    }
    WEIR_TRY(read_outputs(bench, outputs));
    for (uint64_t i = 0; i < num && frame; i++) {
        WEIR_TRY(bench_palette_device_run(&bench->device, record_frame, bench,
                                          &bench->samples[BENCH_PALETTE_FRAME]));
        bench->row->frame_unfinished =
            weir_palette_get_stats(bench->reduction.palette).num_unfinished;
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

static void put_method(const struct bench *bench, const struct weir_palette_stats *stats,
                       struct bench_value *to)
{
    const double iterate = bench->times[BENCH_PALETTE_ITERATE].median;
    bench_put_integer(to, "new_colors", stats->num_new_colors);
    bench_put_integer(to, "unfinished", stats->num_unfinished);
    bench_put_integer(to, "evaluations", stats->num_evaluations);
    bench_put_number(to, "ns_per_evaluation",
                     bench_palette_ratio(iterate * 1000, (double)stats->num_evaluations));
    bench_put_integer(to, "max_steps", stats->max_steps);
    bench_put_integer(to, "frame_unfinished", bench->row->frame_unfinished);
    struct bench_value *stages = bench_add(to, "stages", BENCH_OBJECT);
    for (int i = 0; i < BENCH_PALETTE_NUM_STAGES; i++) {
        if (bench->times[i].num > 0) {
            bench_put_times(stages, stage_names[i], &bench->times[i]);
        }
    }
}

static enum weir_result measure_library(struct bench *bench, enum bench_palette_method method,
                                        struct bench_value *to)
{
    const struct bench_palette_options *options = bench->result->options;
    const bool merges = method == BENCH_PALETTE_OURS;
    const bool frame = merges && (options->frame || bench->row->source == BENCH_PALETTE_FLAT);
    struct weir_palette_stats stats = {0};
    enum weir_result result = cli_reduction_init(
        &bench->reduction, bench->gpu,
        &(const struct weir_palette_params){.weight = (enum weir_palette_weight)options->weight,
                                            .light = (enum weir_palette_light)options->light,
                                            .max_colors = bench->picture.num_colors,
                                            .no_merge = !merges});
    bench->reduction.progress = bench->result->progress;
    if (result == WEIR_OK) {
        result = repeat(bench, merges ? options->repeats : 1, frame, bench->outputs[method],
                        &stats);
    }
    cli_reduction_finish(&bench->reduction);
    put_method(bench, &stats, to);
    return result;
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

// Without merging the colours must be the same.
static enum weir_result compare_outputs(struct bench *bench, struct bench_value *to)
{
    uint32_t num_different = 0;
    for (uint32_t i = 0; i < bench->picture.num_colors; i++) {
        num_different += bench->outputs[BENCH_PALETTE_NO_MERGE][i] !=
                         bench->outputs[BENCH_PALETTE_OURS][i];
    }
    bench_put_number(to, "share_different",
                     (double)num_different / (double)bench->picture.num_colors);
    if (num_different == 0) {
        return WEIR_OK;
    }
    cli_report_error("%s: without merging %u colours are others; the device or its driver is wrong",
                     bench->row->name, num_different);
    return WEIR_ERROR_DATA;
}

static enum weir_result measure_methods(struct bench *bench, struct bench_value *to)
{
    const bool *methods = bench->result->methods;
    struct bench_value *values[BENCH_PALETTE_NUM_CHOICES];
    for (int i = 0; i < BENCH_PALETTE_NUM_CHOICES; i++) {
        values[i] = bench_add(to, bench_palette_method_names[i],
                              methods[i] ? BENCH_OBJECT : BENCH_NULL);
    }
    if (methods[BENCH_PALETTE_OURS]) {
        WEIR_TRY(measure_library(bench, BENCH_PALETTE_OURS, values[BENCH_PALETTE_OURS]));
        put_ratios(bench->times, to);
    }
    if (methods[BENCH_PALETTE_NO_MERGE]) {
        struct bench_value *no_merge = values[BENCH_PALETTE_NO_MERGE];
        WEIR_TRY(measure_library(bench, BENCH_PALETTE_NO_MERGE, no_merge));
        WEIR_TRY(methods[BENCH_PALETTE_OURS] ? compare_outputs(bench, no_merge) : WEIR_OK);
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
    for (int i = 0; i < BENCH_PALETTE_NUM_METHODS; i++) {
        bench->outputs[i] = calloc(picture->num_colors, sizeof(*bench->outputs[i]));
        if (!bench->outputs[i]) {
            return WEIR_ERROR_OUT_OF_MEMORY;
        }
    }
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
    for (int i = 0; i < BENCH_PALETTE_NUM_METHODS; i++) {
        free(bench->outputs[i]);
    }
    bench_palette_picture_finish(&bench->picture);
    return status;
}
