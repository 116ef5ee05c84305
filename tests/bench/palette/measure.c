// SPDX-License-Identifier: MIT
// Each method of weir-bench palette on one picture, and whether they agree.
#include <stdlib.h>

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
};

static enum weir_result run_stages(struct bench *bench, struct weir_palette_stats *stats)
{
    struct cli_reduction *run = &bench->reduction;
    struct bench_samples *samples = bench->samples;
    const weir_image *source = bench->device.images.source.weir;
    const struct weir_palette_start start = {.radius = (float)bench->result->options->radius};
    cli_reduction_reset_times(run);
    WEIR_TRY(cli_reduction_count(run, source, true));
    WEIR_TRY(cli_reduction_reduce(run, &start, stats));
    WEIR_TRY(bench_palette_device_copy(&bench->device, &samples[BENCH_PALETTE_COPY]));
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

static enum weir_result repeat(struct bench *bench, uint64_t num, bool frame,
                               struct bench_palette_run *run, uint32_t *outputs)
{
    struct weir_palette_stats stats = {0};
    for (uint64_t i = 0; i < num; i++) {
        WEIR_TRY(run_stages(bench, &stats));
    }
    WEIR_TRY(read_outputs(bench, outputs));
    for (uint64_t i = 0; i < num && frame; i++) {
        WEIR_TRY(bench_palette_device_run(&bench->device, record_frame, bench,
                                          &bench->samples[BENCH_PALETTE_FRAME]));
        run->frame_unfinished = weir_palette_get_stats(bench->reduction.palette).num_unfinished;
    }
    if (stats.num_colors != bench->picture.num_colors) {
        cli_report_error("%s has %u colours, and the device counted %u", bench->row->name,
                         bench->picture.num_colors, stats.num_colors);
        return WEIR_ERROR_DATA;
    }
    for (int i = 0; i < BENCH_PALETTE_NUM_STAGES; i++) {
        run->stages[i] = bench_samples_take(&bench->samples[i]);
    }
    run->measured = true;
    run->num_new_colors = stats.num_new_colors;
    run->num_unfinished = stats.num_unfinished;
    run->max_steps = stats.max_steps;
    run->num_evaluations = stats.num_evaluations;
    return WEIR_OK;
}

static enum weir_result measure_library(struct bench *bench, enum bench_palette_method method)
{
    const struct bench_palette_options *options = bench->result->options;
    const bool merges = method == BENCH_PALETTE_OURS;
    const bool frame = merges && (options->frame || bench->row->source == BENCH_PALETTE_FLAT);
    enum weir_result result = cli_reduction_init(
        &bench->reduction, bench->gpu,
        &(const struct weir_palette_params){.weight = (enum weir_palette_weight)options->weight,
                                            .light = (enum weir_palette_light)options->light,
                                            .max_colors = bench->picture.num_colors,
                                            .no_merge = !merges});
    bench->reduction.progress = bench->result->progress;
    if (result == WEIR_OK) {
        result = repeat(bench, merges ? options->repeats : 1, frame, &bench->row->runs[method],
                        bench->outputs[method]);
    }
    cli_reduction_finish(&bench->reduction);
    return result;
}

// Without merging the colours must be the same.
static enum weir_result compare_outputs(struct bench *bench)
{
    struct bench_palette_run *run = &bench->row->runs[BENCH_PALETTE_NO_MERGE];
    for (uint32_t i = 0; i < bench->picture.num_colors && run->measured; i++) {
        run->num_different += bench->outputs[BENCH_PALETTE_NO_MERGE][i] !=
                              bench->outputs[BENCH_PALETTE_OURS][i];
    }
    if (run->num_different == 0) {
        return WEIR_OK;
    }
    cli_report_error("%s: without merging %u colours are others; the device or its driver is wrong",
                     bench->row->name, run->num_different);
    return WEIR_ERROR_DATA;
}

static enum weir_result measure(struct bench *bench)
{
    struct bench_palette_row *row = bench->row;
    const struct bench_palette_picture *picture = &bench->picture;
    const bool *methods = bench->result->methods;
    WEIR_TRY(bench_palette_picture_init(&bench->picture, row));
    row->width = picture->width;
    row->height = picture->height;
    row->num_colors = picture->num_colors;
    for (int i = 0; i < BENCH_PALETTE_NUM_METHODS; i++) {
        bench->outputs[i] = calloc(picture->num_colors, sizeof(*bench->outputs[i]));
        if (!bench->outputs[i]) {
            return WEIR_ERROR_OUT_OF_MEMORY;
        }
    }
    WEIR_TRY(bench_palette_device_init(&bench->device, bench->gpu, picture, row->name));
    for (int i = BENCH_PALETTE_OURS; i < BENCH_PALETTE_NUM_METHODS; i++) {
        if (methods[i]) {
            WEIR_TRY(measure_library(bench, (enum bench_palette_method)i));
        }
    }
    if (methods[BENCH_PALETTE_LIVE]) {
        WEIR_TRY(
            bench_palette_live_measure(bench->gpu, bench->result->options, picture, &row->live));
    }
    return methods[BENCH_PALETTE_OURS] ? compare_outputs(bench) : WEIR_OK;
}

enum weir_result bench_palette_measure(struct cli_gpu *gpu,
                                       const struct bench_palette_result *result,
                                       struct bench_palette_row *row)
{
    static struct bench only; // whose samples are many for a stack
    struct bench *bench = &only;
    *bench = (struct bench){.gpu = gpu, .result = result, .row = row};
    const enum weir_result status = measure(bench);
    bench_palette_device_finish(&bench->device);
    for (int i = 0; i < BENCH_PALETTE_NUM_METHODS; i++) {
        free(bench->outputs[i]);
    }
    bench_palette_picture_finish(&bench->picture);
    return status;
}
