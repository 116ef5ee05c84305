// SPDX-License-Identifier: MIT
// weir palette: one picture becomes one file, by k-means, or by mean shift with a radius that is
// given or looked for.
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/interrupt.h"
#include "capture/weir/palette/palette.h"

enum { LEAST_ROOM = 1 << 16 };

struct weir_palette_params palette_choose_run(const struct palette_options *options,
                                              uint32_t max_colors)
{
    return (struct weir_palette_params){
        .method = (enum weir_palette_method)options->method,
        .metric = (enum weir_palette_metric)options->metric,
        .dither = options->dither != PALETTE_DITHER_DIFFUSION
                      ? (enum weir_palette_dither)options->dither
                      : WEIR_PALETTE_DITHER_NONE,
        .weight = (enum weir_palette_weight)options->weight,
        .light = (enum weir_palette_light)options->light,
        .max_colors = max_colors,
        .table = options->table,
    };
}

// Room doubles: the next picture of a folder may have a few more.
enum weir_result palette_prepare(struct palette *palette, uint32_t num_colors)
{
    uint32_t room = LEAST_ROOM;
    while (room < num_colors) {
        room *= 2;
    }
    if (palette->run.gpu && palette->run.params.max_colors >= room) {
        return WEIR_OK;
    }
    cli_picture_finish(&palette->picture);
    cli_reduction_finish(&palette->run);
    struct weir_palette_params params = palette_choose_run(palette->options, room);
    const enum weir_result result = cli_reduction_init(&palette->run, palette->gpu, &params);
    palette->run.progress = &palette->progress;
    if (result != WEIR_OK) {
        cli_reduction_finish(&palette->run);
    }
    return result;
}

enum weir_result palette_upload(struct palette *palette, const char *name,
                                const struct palette_pixels *pixels)
{
    const VkExtent2D size = {pixels->width, pixels->height};
    return cli_picture_upload(&palette->picture, palette->gpu, name, size, pixels->rgba);
}

enum weir_result palette_scan(struct palette_set *set, const char *name,
                              const struct palette_pixels *pixels)
{
    if (palette_set_add_pixels(set, pixels)) {
        return WEIR_OK;
    }
    return cli_fail(WEIR_ERROR_OUT_OF_MEMORY, "no memory to count the colours of %s", name);
}

enum weir_result palette_count(struct palette *palette, const char *name,
                               const struct palette_pixels *pixels, bool clear)
{
    WEIR_TRY(palette_upload(palette, name, pixels));
    return cli_reduction_count(&palette->run, palette->picture.source.weir, clear);
}

// Read the picture in new colours back into its pixels, and dither them in the palette that the
// device has found, if that is left to do.
static enum weir_result take_pixels(struct palette *palette, const char *output,
                                    struct palette_pixels *pixels)
{
    struct cli_picture *picture = &palette->picture;
    if (palette->options->dither != PALETTE_DITHER_DIFFUSION) {
        return cli_picture_download(picture, pixels->rgba);
    }
    uint32_t colors[WEIR_PALETTE_MAX_NUM_COLORS];
    const uint32_t num_colors = weir_palette_get_colors(palette->run.palette, colors);
    const struct palette_diffusion params = {
        .strength = (float)palette->options->strength,
        .fits = !palette->options->share,
    };
    const size_t size = 4 * (size_t)pixels->width * pixels->height;
    uint8_t *source = malloc(size);
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (source) {
        memcpy(source, pixels->rgba, size);
        result = cli_picture_download(picture, pixels->rgba);
    }
    if (!source ||
        (result == WEIR_OK && !palette_diffuse(pixels, source, colors, num_colors, &params))) {
        cli_report_error("no memory to dither %s", output);
        result = WEIR_ERROR_OUT_OF_MEMORY;
    }
    free(source);
    return result;
}

// All that cannot be seen is one of the best colours.
static void join_hidden(struct palette_pixels *pixels)
{
    const size_t num = (size_t)pixels->width * pixels->height;
    for (size_t i = 0; i < num; i++) {
        if (pixels->rgba[4 * i + 3] == 0) {
            memset(pixels->rgba + 4 * i, 0, 3);
        }
    }
}

// Each colour with each alpha is an entry, of which there may be as many as colours are asked for.
static bool count_colors(const struct palette_options *chosen, const char *output,
                         struct palette_pixels *pixels, struct palette_colors *colors)
{
    const size_t most = chosen->method == WEIR_PALETTE_METHOD_MEAN_SHIFT ? SIZE_MAX
                        : chosen->colors != 0                            ? chosen->colors
                                              : WEIR_PALETTE_MAX_NUM_COLORS;
    bool done = palette_colors_add_pixels(colors, pixels);
    if (done && colors->num > most) {
        done = palette_join_colors(pixels, colors, most, !chosen->share);
        palette_colors_free(colors);
        done = done && palette_colors_add_pixels(colors, pixels);
    }
    if (done && colors->num > most) {
        cli_report_warning("%s: its colours with their alphas are %zu entries and not %zu%s; give "
                           "its alpha fewer values with another program first",
                           output, colors->num, most,
                           colors->num > WEIR_PALETTE_MAX_NUM_COLORS ? ", so it is RGBA" : "");
    }
    return done;
}

static enum weir_result write_colors(struct palette *palette, const char *output,
                                     struct palette_pixels *pixels, struct palette_colors *colors)
{
    CLI_FAIL_IF(!count_colors(palette->options, output, pixels, colors), WEIR_ERROR_OUT_OF_MEMORY,
                "no memory to count the colours of %s", output);
    WEIR_TRY(palette_write_png(output, pixels, colors));
    CLI_FAIL_IF(palette->options->export_file &&
                    !palette_colors_add_visible(&palette->shown, colors),
                WEIR_ERROR_OUT_OF_MEMORY, "no memory for the palette of %s", output);
    return WEIR_OK;
}

enum weir_result palette_write_picture(struct palette *palette, const char *output,
                                       struct palette_pixels *pixels, uint64_t *num_colors)
{
    struct cli_picture *picture = &palette->picture;
    struct palette_colors colors = {0};
    WEIR_TRY(cli_reduction_map(&palette->run, picture->source.weir, &picture->image));
    WEIR_TRY(take_pixels(palette, output, pixels));
    if (palette->options->method == WEIR_PALETTE_METHOD_K_MEANS) {
        join_hidden(pixels);
    }
    CLI_FAIL_IF(cli_interrupted(), WEIR_ERROR_IO, "interrupted; %s was not written", output);
    const enum weir_result result = write_colors(palette, output, pixels, &colors);
    *num_colors = colors.num;
    palette_colors_free(&colors);
    return result;
}

// With as many digits as the same number needs when it is given again.
static void print_radius(float radius)
{
    char text[32];
    int digits = 6;
    do {
        snprintf(text, sizeof(text), "%.*g", digits, (double)radius);
    } while (strtof(text, NULL) != radius && digits++ < FLT_DECIMAL_DIG);
    fputs(text, stdout);
}

void palette_print_result(const struct palette *palette, const struct palette_result *result)
{
    const struct weir_palette_stats *stats = &result->stats;
    const double gpu_ns = cli_reduction_total_ns(&palette->run);
    printf("%u colour%s -> %u ", stats->num_colors, stats->num_colors == 1 ? "" : "s",
           stats->num_new_colors);
    if (palette->run.params.method == WEIR_PALETTE_METHOD_K_MEANS) {
        fputs("by k-means", stdout);
    } else {
        fputs("at radius ", stdout);
        print_radius(result->radius);
        if (result->num_reductions > 1) {
            printf(" (found by %u reductions)", result->num_reductions);
        }
        printf(", %u step%s, %" PRIu64 " evaluations", stats->max_steps,
               stats->max_steps == 1 ? "" : "s", stats->num_evaluations);
    }
    if (gpu_ns > 0) {
        printf(", %.1f ms", gpu_ns / 1e6);
    }
    printf(" on %s\n", palette->gpu->properties.deviceName);
    fflush(stdout);
}

// Below the least radius hardly two colours of 8 bits are neighbours. Ten halvings of the logarithm
// between it and the largest end within 1 % of the radius that is looked for.
static const double least_radius = 0.0005;
enum { NUM_HALVINGS = 10 };

static enum weir_result reduce_by(struct palette *palette, const struct weir_palette_start *start,
                                  struct palette_result *result)
{
    result->num_reductions++;
    const enum weir_result done = cli_reduction_reduce(&palette->run, start, &result->stats);
    if (done != WEIR_OK && cli_interrupted()) {
        cli_report_error("interrupted");
    }
    return done;
}

static enum weir_result reduce(struct palette *palette, double radius,
                               struct palette_result *result)
{
    result->radius = (float)radius;
    return reduce_by(palette,
                     &(struct weir_palette_start){.radius = result->radius,
                                                  .limit = (uint32_t)palette->options->limit},
                     result);
}

// The fewer colours the larger the radius, in practice; what is answered was tried in any case. The
// largest radius leaves one colour.
static enum weir_result search(struct palette *palette, struct palette_result *result)
{
    const uint64_t wanted = palette->options->colors;
    double low = least_radius, high = WEIR_PALETTE_MAX_RADIUS;
    const enum weir_result done = reduce(palette, 0, result);
    if (done != WEIR_OK || result->stats.num_new_colors <= wanted) {
        return done;
    }
    for (int i = 0; i < NUM_HALVINGS && result->stats.num_new_colors != wanted; i++) {
        const double middle = sqrt(low * high);
        WEIR_TRY(reduce(palette, middle, result));
        if (result->stats.num_new_colors <= wanted) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return result->radius == (float)high ? WEIR_OK : reduce(palette, high, result);
}

struct weir_palette_start palette_choose_start(const struct palette_options *options)
{
    if (options->method == WEIR_PALETTE_METHOD_K_MEANS) {
        return (struct weir_palette_start){
            .num_colors = options->colors != 0 ? (uint32_t)options->colors
                                               : WEIR_PALETTE_MAX_NUM_COLORS,
            .keep_rare = options->share,
        };
    }
    return (struct weir_palette_start){
        .radius = (float)options->radius,
        .limit = (uint32_t)options->limit,
    };
}

enum weir_result palette_reduce(struct palette *palette, const struct palette_set *set,
                                struct palette_result *result)
{
    const struct palette_options *chosen = palette->options;
    *result = (struct palette_result){0};
    if (chosen->colors != 0 && chosen->method == WEIR_PALETTE_METHOD_MEAN_SHIFT) {
        return search(palette, result);
    }
    struct weir_palette_start start = palette_choose_start(chosen);
    if (chosen->method == WEIR_PALETTE_METHOD_K_MEANS && start.num_colors > 1) {
        start.num_colors -= set->has_hidden; // which is one of them
    }
    result->radius = start.radius;
    return reduce_by(palette, &start, result);
}

static enum weir_result reduce_pixels(struct palette *palette, const char *input,
                                      const struct palette_pixels *pixels, struct palette_set *set,
                                      struct palette_result *found)
{
    WEIR_TRY(palette_scan(set, input, pixels));
    WEIR_TRY(palette_prepare(palette, set->num));
    WEIR_TRY(palette_count(palette, input, pixels, true));
    return palette_reduce(palette, set, found);
}

enum weir_result palette_reduce_file(struct palette *palette, const char *input, const char *output)
{
    struct palette_pixels pixels;
    struct palette_set set = {0};
    struct palette_result found;
    uint64_t num_colors;
    cli_reduction_reset_times(&palette->run);
    cli_progress_start(&palette->progress, false);
    enum weir_result result = palette_pixels_read(&pixels, input, &palette->pictures);
    if (result == WEIR_OK) {
        result = reduce_pixels(palette, input, &pixels, &set, &found);
    }
    palette_set_free(&set);
    if (result == WEIR_OK) {
        result = palette_write_picture(palette, output, &pixels, &num_colors);
    }
    cli_progress_finish(&palette->progress);
    if (result == WEIR_OK) {
        cli_print(stdout, "%s: %s", output, pixels.is_rounded ? "rounded to 8 bits, " : "");
        palette_print_result(palette, &found);
    }
    palette_pixels_free(&pixels);
    return result;
}
