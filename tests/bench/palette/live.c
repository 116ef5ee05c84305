// SPDX-License-Identifier: MIT
// A palette that follows from frame to frame, on frames of 2160p, beside palettes that are found
// anew for each and a copy of the frame.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/gpu/barrier.h"
#include "capture/weir/gpu/reduction.h"
#include "tests/bench/palette/copy.h"
#include "tests/bench/palette/images.h"
#include "tests/bench/palette/palette.h"

enum { WIDTH = 3840, HEIGHT = 2160, QUICK_WIDTH = 320, QUICK_HEIGHT = 180 };
// Frames before those that are timed: a palette comes to rest on a picture in fewer.
enum { FRAMES_BEFORE = 42 };

struct bench {
    struct cli_gpu *gpu;
    const struct bench_palette_options *options;
    struct bench_palette_live *live;
    struct bench_palette_picture frame;
    struct cli_picture images;
    struct bench_palette_copy copy;
    struct cli_timer watch;
    uint8_t *pixels;      // of the image in new colours
    uint64_t *samples[3]; // [ns]
};

// A picture beside and below itself until the frame is full.
static enum weir_result fill_frame(struct bench *bench, const struct bench_palette_picture *picture)
{
    struct bench_palette_picture *frame = &bench->frame;
    const bool quick = bench->options->quick;
    *frame = (struct bench_palette_picture){.width = quick ? QUICK_WIDTH : WIDTH,
                                            .height = quick ? QUICK_HEIGHT : HEIGHT};
    const size_t size = 4 * (size_t)frame->width * frame->height;
    frame->rgba = malloc(size);
    bench->pixels = malloc(size);
    if (!frame->rgba || !bench->pixels) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t y = 0; y < frame->height; y++) {
        for (uint32_t x = 0; x < frame->width; x++) {
            const size_t from = (size_t)(y % picture->height) * picture->width + x % picture->width;
            memcpy(frame->rgba + 4 * ((size_t)y * frame->width + x), picture->rgba + 4 * from, 4);
        }
    }
    bench->live->width = frame->width;
    bench->live->height = frame->height;
    return WEIR_OK;
}

// PSNR of the image in new colours, over red, green and blue. Infinite where all are the same.
static enum weir_result compare(struct bench *bench, double *decibels)
{
    const enum weir_result result = cli_picture_download(&bench->images, bench->pixels);
    const size_t size = 4 * (size_t)bench->frame.width * bench->frame.height;
    double sum = 0;
    for (size_t i = 0; i < size && result == WEIR_OK; i++) {
        const double difference = i % 4 < 3 ? bench->pixels[i] - bench->frame.rgba[i] : 0;
        sum += difference * difference;
    }
    *decibels = 10 * log10(255.0 * 255.0 * 0.75 * (double)size / sum);
    return result;
}

// Record between begin and submit, with that image in GENERAL.
static enum weir_result begin(struct bench *bench)
{
    const enum weir_result result = cli_timer_begin(&bench->watch);
    if (result == WEIR_OK) {
        bench_palette_images_change(bench->watch.commands, &bench->images.image,
                                    VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
        cli_timer_start(&bench->watch, 0);
    }
    return result;
}

static enum weir_result submit(struct bench *bench, uint64_t *sample)
{
    const struct cli_scope copied = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
    const struct cli_scope host = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};
    double ns = 0;
    cli_timer_stop(&bench->watch, 0);
    bench_palette_images_change(bench->watch.commands, &bench->images.image,
                                VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    cli_cmd_barrier(bench->watch.commands, copied, host);
    const enum weir_result result = bench_stopwatch_submit(&bench->watch, &ns);
    *sample = (uint64_t)(ns + 0.5);
    return result;
}

static void keep_fastest(struct bench *bench, uint64_t num)
{
    const struct bench_times times = bench_times_of(bench->samples[0], num);
    if (bench->live->copy.num == 0 || times.median < bench->live->copy.median) {
        bench->live->copy = times;
    }
}

// The floor: the fastest of a copy by the driver and of copies by kernels.
static enum weir_result measure_copy(struct bench *bench)
{
    const uint64_t num = bench->options->repeats;
    enum weir_result result = WEIR_OK;
    for (uint64_t i = 0; i < num && result == WEIR_OK; i++) {
        double ns = 0;
        result = bench_palette_images_copy(&bench->images, &bench->watch, &ns);
        bench->samples[0][i] = (uint64_t)(ns + 0.5);
    }
    keep_fastest(bench, num);
    for (uint32_t form = 0; form < BENCH_PALETTE_NUM_COPY_FORMS; form++) {
        for (uint64_t i = 0; i < num && result == WEIR_OK; i++) {
            result = begin(bench);
            if (result == WEIR_OK) {
                bench_palette_copy_record(&bench->copy, form, bench->watch.commands);
                result = submit(bench, &bench->samples[0][i]);
            }
        }
        keep_fastest(bench, num);
    }
    return result;
}

static enum weir_result find_anew(struct bench *bench, struct cli_reduction *run, uint64_t i)
{
    const struct weir_palette_start start = {.num_colors = (uint32_t)bench->options->num_colors};
    struct weir_palette_stats stats;
    cli_reduction_reset_times(run);
    enum weir_result result = cli_reduction_count(run, bench->images.source.weir, true);
    if (result == WEIR_OK) {
        result = cli_reduction_reduce(run, &start, &stats);
    }
    if (result == WEIR_OK) {
        result = cli_reduction_map(run, bench->images.source.weir, &bench->images.image);
    }
    const double count = run->stage_ns[CLI_REDUCTION_COUNT], map = run->stage_ns[CLI_REDUCTION_MAP];
    bench->samples[0][i] = (uint64_t)(count + 0.5);
    bench->samples[1][i] = (uint64_t)(cli_reduction_total_ns(run) - count - map + 0.5);
    bench->samples[2][i] = (uint64_t)(map + 0.5);
    return result;
}

// Colours that are found anew for each frame: of all codes, or of a table's.
static enum weir_result measure_anew(struct bench *bench, bool table)
{
    struct bench_palette_anew *anew = &bench->live->anew[table];
    const uint64_t num = bench->options->repeats;
    struct cli_reduction run;
    enum weir_result result = cli_reduction_init(
        &run, bench->gpu,
        &(const struct cli_reduction_params){.weight = WEIR_PALETTE_WEIGHT_FREQUENCY,
                                             .method = WEIR_PALETTE_METHOD_K_MEANS,
                                             .max_colors = table ? 0 : 1 << 23,
                                             .table = table});
    for (uint64_t i = 0; i < num && result == WEIR_OK; i++) {
        result = find_anew(bench, &run, i);
    }
    cli_reduction_finish(&run);
    anew->count = bench_times_of(bench->samples[0], num);
    anew->choose = bench_times_of(bench->samples[1], num);
    anew->map = bench_times_of(bench->samples[2], num);
    return result == WEIR_OK ? compare(bench, &anew->decibels) : result;
}

static enum weir_result run_frames(struct bench *bench, weir_palette *palette)
{
    const struct weir_palette_run run = {.source = bench->images.source.weir,
                                         .output = bench->images.image.weir,
                                         .num_colors = (uint32_t)bench->options->num_colors};
    const uint64_t num = 3 * bench->options->repeats;
    enum weir_result result = WEIR_OK;
    for (uint64_t i = 0; i < FRAMES_BEFORE + num && result == WEIR_OK; i++) {
        uint64_t ns = 0;
        result = begin(bench);
        if (result == WEIR_OK) {
            result = weir_cmd_palette(palette, bench->watch.commands, &run);
        }
        if (result == WEIR_OK) {
            result = submit(bench, &ns);
        }
        if (i >= FRAMES_BEFORE) { // each frame has one of three things to do, in turns
            bench->samples[i % 3][(i - FRAMES_BEFORE) / 3] = ns;
        }
    }
    return result;
}

static enum weir_result measure_live(struct bench *bench)
{
    struct bench_palette_live *live = bench->live;
    const uint64_t num = bench->options->repeats;
    weir_palette *palette = NULL;
    enum weir_result result = weir_palette_create(
        bench->gpu->context,
        weir_palette_params(.like = bench->images.source.weir,
                            .weight = WEIR_PALETTE_WEIGHT_FREQUENCY,
                            .method = WEIR_PALETTE_METHOD_K_MEANS, .live = true),
        &palette);
    if (result == WEIR_OK) {
        result = run_frames(bench, palette);
    }
    weir_palette_destroy(&palette);
    live->look = bench_times_of(bench->samples[0], num);
    live->move = bench_times_of(bench->samples[1], num);
    live->fill = bench_times_of(bench->samples[2], num);
    live->measured = result == WEIR_OK;
    return result == WEIR_OK ? compare(bench, &live->decibels) : result;
}

static enum weir_result prepare(struct bench *bench, const struct bench_palette_picture *picture)
{
    enum weir_result result = fill_frame(bench, picture);
    for (int i = 0; i < 3 && result == WEIR_OK; i++) {
        bench->samples[i] = calloc(bench->options->repeats, sizeof(uint64_t));
        result = bench->samples[i] ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
    }
    if (result == WEIR_OK) {
        result = cli_picture_upload(&bench->images, bench->gpu, "the frame",
                                    (VkExtent2D){bench->frame.width, bench->frame.height},
                                    bench->frame.rgba);
    }
    if (result == WEIR_OK) {
        result = bench_palette_copy_init(&bench->copy, bench->gpu, &bench->images.source,
                                         &bench->images.image);
    }
    return result == WEIR_OK ? bench_stopwatch_init(&bench->watch, bench->gpu) : result;
}

enum weir_result bench_palette_live_measure(struct cli_gpu *gpu,
                                            const struct bench_palette_options *options,
                                            const struct bench_palette_picture *picture,
                                            struct bench_palette_live *live)
{
    struct bench bench = {.gpu = gpu, .options = options, .live = live};
    enum weir_result result = prepare(&bench, picture);
    if (result == WEIR_OK) {
        result = measure_copy(&bench);
    }
    for (int table = 0; table < 2 && result == WEIR_OK; table++) {
        result = measure_anew(&bench, table);
    }
    if (result == WEIR_OK) {
        result = measure_live(&bench);
    }
    cli_timer_finish(&bench.watch);
    bench_palette_copy_finish(&bench.copy);
    cli_picture_finish(&bench.images);
    bench_palette_picture_finish(&bench.frame);
    free(bench.pixels);
    for (int i = 0; i < 3; i++) {
        free(bench.samples[i]);
    }
    return result;
}
