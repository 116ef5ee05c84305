// SPDX-License-Identifier: MIT
// Each method of weir-bench palette on one picture, and whether they agree.
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/report.h"
#include "capture/weir/gpu/barrier.h"
#include "capture/weir/gpu/reduction.h"
#include "tests/bench/palette/grid_method.h"
#include "tests/bench/palette/images.h"
#include "tests/bench/palette/palette.h"

enum { NUM_CODES = 1 << 24 };

struct bench {
    struct cli_gpu *gpu;
    const struct bench_palette_result *result;
    struct bench_palette_row *row;
    struct bench_palette_picture picture;
    struct cli_picture images;
    struct cli_timer watch;
    uint8_t *pixels;                              // of the image in new colours
    uint32_t *outputs[BENCH_PALETTE_NUM_METHODS]; // the new colour of each colour
};

// One method of the library on the picture: what lives as long as its repetitions.
struct library {
    struct bench *bench;
    struct cli_reduction run;
    uint64_t *samples[BENCH_PALETTE_NUM_STAGES]; // [ns]
    uint64_t num;                                // repetitions
};

static void keep_sample(struct library *library, enum bench_palette_stage stage, uint64_t i,
                        double ns)
{
    library->samples[stage][i] = (uint64_t)(ns + 0.5);
}

static enum weir_result run_stages(struct library *library, uint64_t i,
                                   struct weir_palette_stats *stats)
{
    struct cli_reduction *run = &library->run;
    struct bench *bench = library->bench;
    const struct weir_palette_start start = {.radius = (float)bench->result->options->radius};
    double copy_ns = 0;
    memset(run->stage_ns, 0, sizeof(run->stage_ns));
    enum weir_result result = cli_reduction_count(run, bench->images.source.weir, true);
    if (result == WEIR_OK) {
        result = cli_reduction_reduce(run, &start, stats);
    }
    if (result == WEIR_OK) {
        result = bench_palette_images_copy(&bench->images, &bench->watch, &copy_ns);
    }
    if (result == WEIR_OK) {
        result = cli_reduction_map(run, bench->images.source.weir, &bench->images.image);
    }
    if (result != WEIR_OK) {
        return result;
    }
    keep_sample(library, BENCH_PALETTE_COUNT, i, run->stage_ns[CLI_REDUCTION_COUNT]);
    keep_sample(library, BENCH_PALETTE_START, i, run->stage_ns[CLI_REDUCTION_START]);
    keep_sample(library, BENCH_PALETTE_ITERATE, i, run->stage_ns[CLI_REDUCTION_ITERATE]);
    keep_sample(library, BENCH_PALETTE_FINISH, i, run->stage_ns[CLI_REDUCTION_FINISH]);
    keep_sample(library, BENCH_PALETTE_MAP, i, run->stage_ns[CLI_REDUCTION_MAP]);
    keep_sample(library, BENCH_PALETTE_COPY, i, copy_ns);
    keep_sample(library, BENCH_PALETTE_TOTAL, i, cli_reduction_total_ns(run));
    keep_sample(library, BENCH_PALETTE_REDUCE, i,
                cli_reduction_total_ns(run) - run->stage_ns[CLI_REDUCTION_COUNT] -
                    run->stage_ns[CLI_REDUCTION_MAP]);
    return WEIR_OK;
}

// All stages in one call, as a render loop has them.
static enum weir_result run_frame(struct library *library, uint64_t i, uint32_t *num_unfinished)
{
    struct bench *bench = library->bench;
    VkCommandBuffer commands = bench->watch.commands;
    const struct cli_scope written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                          VK_PIPELINE_STAGE_TRANSFER_BIT,
                                      VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
    const struct cli_scope host = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};
    enum weir_result result = cli_timer_begin(&bench->watch);
    if (result != WEIR_OK) {
        return result;
    }
    bench_palette_images_change(commands, &bench->images.image, VK_IMAGE_LAYOUT_UNDEFINED,
                                VK_IMAGE_LAYOUT_GENERAL);
    cli_timer_start(&bench->watch, 0);
    result = weir_cmd_palette(
        library->run.palette, commands,
        &(const struct weir_palette_run){.source = bench->images.source.weir,
                                         .output = bench->images.image.weir,
                                         .radius = (float)bench->result->options->radius});
    if (result != WEIR_OK) {
        return result;
    }
    cli_timer_stop(&bench->watch, 0);
    bench_palette_images_change(commands, &bench->images.image, VK_IMAGE_LAYOUT_GENERAL,
                                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    cli_cmd_barrier(commands, written, host);
    double ns = 0;
    result = bench_stopwatch_submit(&bench->watch, &ns);
    keep_sample(library, BENCH_PALETTE_FRAME, i, ns);
    *num_unfinished = weir_palette_get_stats(library->run.palette).num_unfinished;
    return result;
}

// Read the new colour of each colour from the picture in its new colours.
static enum weir_result read_outputs(struct library *library, uint32_t *outputs)
{
    struct bench *bench = library->bench;
    const struct bench_palette_picture *picture = &bench->picture;
    const size_t size = 4 * (size_t)picture->width * picture->height;
    enum weir_result result = cli_picture_download(&bench->images, bench->pixels);
    uint32_t *table = result == WEIR_OK ? calloc(NUM_CODES, sizeof(*table)) : NULL;
    if (result == WEIR_OK && !table) {
        result = WEIR_ERROR_OUT_OF_MEMORY;
    }
    if (result != WEIR_OK) {
        return result;
    }
    for (size_t i = 0; i < size; i += 4) {
        const uint8_t *from = picture->rgba + i, *to = bench->pixels + i;
        if (from[3] != 0) {
            table[(uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2]] =
                (uint32_t)to[0] << 16 | (uint32_t)to[1] << 8 | to[2];
        }
    }
    for (uint32_t i = 0; i < picture->num_colors; i++) {
        outputs[i] = table[picture->colors[i]];
    }
    free(table);
    return WEIR_OK;
}

static enum weir_result repeat(struct library *library, bool frame, struct bench_palette_run *run,
                               uint32_t *outputs)
{
    struct weir_palette_stats stats = {0};
    enum weir_result result = WEIR_OK;
    for (uint64_t i = 0; i < library->num && result == WEIR_OK; i++) {
        result = run_stages(library, i, &stats);
    }
    if (result == WEIR_OK) {
        result = read_outputs(library, outputs);
    }
    for (uint64_t i = 0; i < library->num && frame && result == WEIR_OK; i++) {
        result = run_frame(library, i, &run->frame_unfinished);
    }
    if (result != WEIR_OK) {
        return result;
    }
    if (stats.num_colors != library->bench->picture.num_colors) {
        cli_report_error("%s has %u colours, and the device counted %u", library->bench->row->name,
                         library->bench->picture.num_colors, stats.num_colors);
        return WEIR_ERROR_DATA;
    }
    for (int i = 0; i < BENCH_PALETTE_NUM_STAGES; i++) {
        if (i != BENCH_PALETTE_FRAME || frame) {
            run->stages[i] = bench_times_of(library->samples[i], library->num);
        }
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
    struct bench_palette_run *run = &bench->row->runs[method];
    const bool merges = method == BENCH_PALETTE_OURS;
    struct library library = {.bench = bench, .num = merges ? options->repeats : 1};
    enum weir_result result = cli_reduction_init(
        &library.run, bench->gpu,
        &(const struct cli_reduction_params){.weight = (enum weir_palette_weight)options->weight,
                                             .light = (enum weir_palette_light)options->light,
                                             .max_colors = bench->picture.num_colors,
                                             .no_merge = !merges,
                                             .progress = bench->result->progress});
    for (int i = 0; i < BENCH_PALETTE_NUM_STAGES && result == WEIR_OK; i++) {
        if (!(library.samples[i] = calloc(library.num, sizeof(uint64_t)))) {
            result = WEIR_ERROR_OUT_OF_MEMORY;
        }
    }
    if (result == WEIR_OK) {
        result = repeat(&library,
                        merges && (options->frame || bench->row->kind == BENCH_PALETTE_FLAT), run,
                        bench->outputs[method]);
    }
    for (int i = 0; i < BENCH_PALETTE_NUM_STAGES; i++) {
        free(library.samples[i]);
    }
    cli_reduction_finish(&library.run);
    return result;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static enum weir_result measure_grid(struct bench *bench)
{
    const struct bench_palette_options *options = bench->result->options;
    const uint32_t num = bench->picture.num_colors;
    struct bench_palette_run *run = &bench->row->runs[BENCH_PALETTE_GRID];
    uint32_t *outputs = bench->outputs[BENCH_PALETTE_GRID];
    const struct bench_palette_grid_params params = {
        .picture = &bench->picture,
        .radius = (float)options->radius,
        .frequency = options->weight == WEIR_PALETTE_WEIGHT_FREQUENCY,
        .srgb = options->light == WEIR_PALETTE_LIGHT_SRGB,
        .progress = bench->result->progress,
    };
    const enum weir_result result = bench_palette_grid_measure(bench->gpu, &params, run, outputs);
    if (!run->measured) {
        return result;
    }
    uint32_t *sorted = malloc(num * sizeof(*sorted));
    if (!sorted) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    memcpy(sorted, outputs, num * sizeof(*sorted));
    qsort(sorted, num, sizeof(*sorted), compare);
    for (uint32_t i = 0; i < num; i++) {
        run->num_new_colors += i == 0 || sorted[i] != sorted[i - 1];
    }
    free(sorted);
    return WEIR_OK;
}

// True if two colours are more than `codes` apart in a channel.
static bool differ(uint32_t a, uint32_t b, int codes)
{
    for (int shift = 0; shift < 24; shift += 8) {
        if (abs((int)(a >> shift & 255) - (int)(b >> shift & 255)) > codes) {
            return true;
        }
    }
    return false;
}

// Against ours. Without merging the colours must be the same. In floats some are not, and an end
// half way between two codes, as of two neighbours, is rounded either way: that is no difference.
static enum weir_result compare_outputs(struct bench *bench)
{
    const uint32_t *ours = bench->outputs[BENCH_PALETTE_OURS];
    for (int i = BENCH_PALETTE_NO_MERGE; i < BENCH_PALETTE_NUM_METHODS; i++) {
        struct bench_palette_run *run = &bench->row->runs[i];
        for (uint32_t j = 0; j < bench->picture.num_colors && run->measured; j++) {
            run->num_different += differ(bench->outputs[i][j], ours[j],
                                         i == BENCH_PALETTE_GRID ? 1 : 0);
        }
    }
    const uint32_t num = bench->row->runs[BENCH_PALETTE_NO_MERGE].num_different;
    if (num == 0) {
        return WEIR_OK;
    }
    cli_report_error("%s: without merging %u colours are others; the device or its driver is wrong",
                     bench->row->name, num);
    return WEIR_ERROR_DATA;
}

static enum weir_result prepare(struct bench *bench)
{
    struct bench_palette_row *row = bench->row;
    const struct bench_palette_picture *picture = &bench->picture;
    enum weir_result result = bench_palette_picture_init(&bench->picture, row);
    if (result != WEIR_OK) {
        return result;
    }
    row->width = picture->width;
    row->height = picture->height;
    row->num_colors = picture->num_colors;
    bench->pixels = malloc(4 * (size_t)picture->width * picture->height);
    bool good = bench->pixels;
    for (int i = 0; i < BENCH_PALETTE_NUM_METHODS && good; i++) {
        bench->outputs[i] = calloc(picture->num_colors, sizeof(*bench->outputs[i]));
        good = bench->outputs[i];
    }
    if (!good) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    result = cli_picture_upload(&bench->images, bench->gpu, row->name,
                                (VkExtent2D){picture->width, picture->height}, picture->rgba);
    return result == WEIR_OK ? bench_stopwatch_init(&bench->watch, bench->gpu) : result;
}

enum weir_result bench_palette_measure(struct cli_gpu *gpu,
                                       const struct bench_palette_result *result,
                                       struct bench_palette_row *row)
{
    struct bench bench = {.gpu = gpu, .result = result, .row = row};
    enum weir_result status = prepare(&bench);
    for (int i = BENCH_PALETTE_OURS; i <= BENCH_PALETTE_NO_MERGE && status == WEIR_OK; i++) {
        if (result->methods[i]) {
            status = measure_library(&bench, (enum bench_palette_method)i);
        }
    }
    if (status == WEIR_OK && result->methods[BENCH_PALETTE_GRID]) {
        status = measure_grid(&bench);
    }
    if (status == WEIR_OK && result->methods[BENCH_PALETTE_LIVE]) {
        status = bench_palette_live_measure(gpu, result->options, &bench.picture, &row->live);
    }
    if (status == WEIR_OK && result->methods[BENCH_PALETTE_OURS]) {
        status = compare_outputs(&bench);
    }
    cli_timer_finish(&bench.watch);
    cli_picture_finish(&bench.images);
    for (int i = 0; i < BENCH_PALETTE_NUM_METHODS; i++) {
        free(bench.outputs[i]);
    }
    free(bench.pixels);
    bench_palette_picture_finish(&bench.picture);
    return status;
}
