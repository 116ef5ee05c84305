// SPDX-License-Identifier: MIT
// weir palette: a movie, each frame by itself, or all by one palette. For that the frames are read
// twice before it is made: to count the distinct colours, which the device needs room for, and to
// count the pixels of each.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/size.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/movie/movie.h"
#include "capture/weir/palette/palette.h"

struct pass {
    struct palette *palette;
    const struct cli_movie *movie;
    struct palette_set set;       // colours of all frames
    uint8_t *rows;                // a frame as the source gives it
    struct palette_pixels pixels; // the same, opaque and without padding
    uint64_t num_frames;          // of this pass
};

static enum weir_result check_num_frames(const struct pass *pass, uint64_t num_frames)
{
    const uint64_t area = (uint64_t)pass->movie->info.width * pass->movie->info.height;
    return palette_check_pixels(num_frames,
                                num_frames <= UINT64_MAX / area ? num_frames * area : UINT64_MAX,
                                pass->movie->params.output);
}

static enum weir_result allocate(struct pass *pass)
{
    const struct weir_source_info *info = &pass->movie->info;
    pass->pixels.width = info->width;
    pass->pixels.height = info->height;
    pass->pixels.rgba = malloc(4 * (size_t)info->width * info->height);
    pass->rows = aligned_alloc(WEIR_SOURCE_ALIGNMENT,
                               cli_staging_pitch(info->width) * info->height);
    CLI_FAIL_IF(!pass->pixels.rgba || !pass->rows, WEIR_ERROR_OUT_OF_MEMORY,
                "no memory for a frame of %ux%u texels", info->width, info->height);
    return WEIR_OK;
}

// The alpha of a source of movies says nothing.
static void take_pixels(struct pass *pass)
{
    const size_t row = 4 * (size_t)pass->pixels.width;
    for (uint32_t y = 0; y < pass->pixels.height; y++) {
        uint8_t *pixels = pass->pixels.rgba + y * row;
        memcpy(pixels, pass->rows + y * cli_staging_pitch(pass->pixels.width), row);
        for (size_t i = 3; i < row; i += 4) {
            pixels[i] = UINT8_MAX;
        }
    }
}

static enum weir_result scan_frame(struct pass *pass)
{
    WEIR_TRY(palette_scan(&pass->set, cli_source_name(pass->movie->source), &pass->pixels));
    return check_num_frames(pass, pass->num_frames + 1);
}

static enum weir_result count_frame(struct pass *pass)
{
    return palette_count(pass->palette, cli_source_name(pass->movie->source), &pass->pixels,
                         pass->num_frames == 0);
}

static enum weir_result take_frames(struct pass *pass, cli_source *source,
                                    enum weir_result take(struct pass *pass))
{
    cli_source_frame *frame = NULL;
    enum weir_result result = cli_source_frame_create(source, &frame);
    int64_t time_ns;
    bool end = false;
    while (result == WEIR_OK && !cli_interrupted()) {
        result = cli_source_take(source, frame, &time_ns, &end);
        if (result == WEIR_OK && !end) {
            result = cli_source_frame_convert(frame, pass->rows,
                                              cli_staging_pitch(pass->pixels.width));
        }
        if (result != WEIR_OK || end) {
            break;
        }
        take_pixels(pass);
        result = take(pass);
        cli_progress_step(&pass->palette->progress, ++pass->num_frames,
                          pass->movie->info.num_frames, "colours of frames");
    }
    cli_source_frame_destroy(&frame);
    return result;
}

static enum weir_result run_pass(struct pass *pass, enum weir_result take(struct pass *pass))
{
    cli_source *source = NULL;
    enum weir_result result = cli_movie_open_again(pass->movie, &source);
    pass->num_frames = 0;
    if (result == WEIR_OK) {
        result = take_frames(pass, source, take);
    }
    cli_source_close(&source);
    CLI_FAIL_IF(cli_interrupted(), WEIR_ERROR_IO, "interrupted");
    return result;
}

static enum weir_result run_passes(struct pass *pass, struct palette_result *found)
{
    struct palette *palette = pass->palette;
    WEIR_TRY(check_num_frames(pass, pass->movie->info.num_frames));
    WEIR_TRY(allocate(pass));
    WEIR_TRY(run_pass(pass, scan_frame));
    WEIR_TRY(palette_prepare(palette, pass->set.num));
    WEIR_TRY(run_pass(pass, count_frame));
    return palette_reduce(palette, &pass->set, found);
}

// Reduce the colours of all frames of a movie to one palette, before the movie is made. Prints the
// reason of a failure.
static enum weir_result share_movie(struct palette *palette, const struct cli_movie *movie,
                                    struct palette_result *found)
{
    struct pass pass = {.palette = palette, .movie = movie};
    cli_progress_start(&palette->progress, false);
    const enum weir_result result = run_passes(&pass, found);
    cli_progress_finish(&palette->progress);
    cli_picture_finish(&palette->picture);
    palette_pixels_free(&pass.pixels);
    palette_set_free(&pass.set);
    free(pass.rows);
    return result;
}

enum { MAX_ROOM = 1 << 24, MAX_TABLE_ROOM = 1 << 18 };

struct reduction {
    struct cli_movie movie;
    struct palette palette;
    struct palette_result found; // with --share: of all frames
    // By slot: the frames, and the images in new colours.
    const weir_image *sources[CLI_STREAM_MAX_SLOTS];
    struct cli_image outputs[CLI_STREAM_MAX_SLOTS];

    // Of all frames so far.
    uint64_t num_frames, num_evaluations;
    uint32_t min_colors, max_colors, min_new_colors, max_new_colors, max_steps;
};

static void add_stats(struct reduction *reduction, const struct weir_palette_stats *stats)
{
    const uint32_t old = stats->num_colors, new = stats->num_new_colors;
    const bool first = reduction->num_frames++ == 0;
    reduction->num_evaluations += stats->num_evaluations;
    reduction->min_colors = first ? old : weir_min(reduction->min_colors, old);
    reduction->min_new_colors = first ? new : weir_min(reduction->min_new_colors, new);
    reduction->max_colors = weir_max(reduction->max_colors, old);
    reduction->max_new_colors = weir_max(reduction->max_new_colors, new);
    reduction->max_steps = weir_max(reduction->max_steps, stats->max_steps);
}

static enum weir_result prepare_slot(void *user, uint32_t slot, const weir_image *source,
                                     const weir_image **result)
{
    struct reduction *reduction = user;
    const struct weir_source_info *info = &reduction->movie.info;
    struct cli_image *output = &reduction->outputs[slot];
    const enum weir_result made = cli_image_init(
        &reduction->movie.gpu,
        weir_image_params(.format = VK_FORMAT_R8G8B8A8_UNORM, .width = info->width,
                          .height = info->height, .usage = VK_IMAGE_USAGE_STORAGE_BIT),
        output);
    reduction->sources[slot] = source;
    *result = output->weir;
    return made;
}

static enum weir_result reduce_frame(void *user, uint32_t slot, struct weir_point *ready)
{
    struct reduction *reduction = user;
    struct cli_reduction *run = &reduction->palette.run;
    const weir_image *source = reduction->sources[slot];
    const bool is_shared = reduction->palette.options->share;
    if (!is_shared) {
        WEIR_TRY(cli_reduction_count(run, source, true));
        const struct weir_palette_start start = palette_choose_start(reduction->palette.options);
        reduction->found.radius = start.radius;
        WEIR_TRY(cli_reduction_reduce(run, &start, &reduction->found.stats));
    }
    WEIR_TRY(cli_reduction_map(run, source, &reduction->outputs[slot]));
    add_stats(reduction, &reduction->found.stats);
    *ready = weir_gpu_get_last(reduction->movie.gpu.work);
    return WEIR_OK;
}

static uint32_t choose_room(const struct reduction *reduction)
{
    const uint64_t num_pixels = (uint64_t)reduction->movie.info.width *
                                reduction->movie.info.height;
    const uint32_t most = reduction->palette.options->table ? MAX_TABLE_ROOM : MAX_ROOM;
    return num_pixels < most ? (uint32_t)num_pixels : most;
}

static void print_range(uint32_t least, uint32_t most)
{
    printf(least == most ? "%u" : "%u .. %u", least, most);
}

static void report(const struct reduction *reduction)
{
    const struct palette *palette = &reduction->palette;
    const double gpu_ns = cli_reduction_total_ns(&palette->run);
    cli_print(stdout, "%s: ", reduction->movie.params.output);
    if (palette->options->share) {
        fputs("one palette, ", stdout);
        palette_print_result(palette, &reduction->found);
        return;
    }
    print_range(reduction->min_colors, reduction->max_colors);
    fputs(" colours -> ", stdout);
    print_range(reduction->min_new_colors, reduction->max_new_colors);
    if (palette->run.params.method == WEIR_PALETTE_METHOD_K_MEANS) {
        fputs(" by k-means", stdout);
    } else {
        printf(" at radius %g, %u step%s at most, %" PRIu64 " evaluations",
               (double)reduction->found.radius, reduction->max_steps,
               reduction->max_steps == 1 ? "" : "s", reduction->num_evaluations);
    }
    if (gpu_ns > 0) {
        printf(", %.1f ms a frame", gpu_ns / 1e6 / (double)reduction->num_frames);
    }
    printf(" on %s\n", reduction->movie.gpu.properties.deviceName);
}

// Make the reduction, and with --share the palette.
static enum weir_result prepare(struct reduction *reduction)
{
    struct palette *palette = &reduction->palette;
    if (palette->options->share) {
        return share_movie(palette, &reduction->movie, &reduction->found);
    }
    const struct weir_palette_params params = palette_choose_run(palette->options,
                                                                 choose_room(reduction));
    return cli_reduction_init(&palette->run, palette->gpu, &params);
}

static enum weir_result run_movie(struct reduction *reduction)
{
    WEIR_TRY(prepare(reduction));
    WEIR_TRY(
        cli_movie_run(&reduction->movie, &(const struct cli_stream_filter){.prepare = prepare_slot,
                                                                           .run = reduce_frame,
                                                                           .wants_opaque = true,
                                                                           .user = reduction}));
    report(reduction);
    return WEIR_OK;
}

enum weir_result palette_reduce_movie(const struct palette_options *options,
                                      const struct cli_inputs *inputs, const char *output)
{
    struct reduction reduction = {.palette.options = options};
    struct cli_movie *movie = &reduction.movie;
    reduction.palette.gpu = &movie->gpu;
    enum weir_result result = cli_movie_open_input(
        movie, &(const struct cli_movie_params){
                   .inputs = *inputs,
                   .output = output,
                   .codec = weir_movie_codec_get_info(WEIR_MOVIE_CODEC_DEFAULT),
                   .device = (uint32_t)options->device,
                   .validation = options->validation,
                   .max_memory = options->max_memory,
                   .source.still = cli_still_params(options->layer, options->profile, false),
               });
    if (result == WEIR_OK) {
        result = cli_movie_open_output(movie);
    }
    if (result == WEIR_OK) {
        result = run_movie(&reduction);
    }
    for (int i = 0; movie->gpu.device && i < CLI_STREAM_MAX_SLOTS; i++) {
        cli_image_finish(&movie->gpu, &reduction.outputs[i]);
    }
    cli_picture_finish(&reduction.palette.picture);
    cli_reduction_finish(&reduction.palette.run);
    return cli_movie_close(movie, result);
}
