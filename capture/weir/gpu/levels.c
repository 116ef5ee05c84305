// SPDX-License-Identifier: MIT
// Makes levels on the processor: rows of floats by the taps of a filter, in linear light, with
// colours weighted by alpha, or vectors of length 1. And the options that ask for it.
#include "capture/weir/gpu/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"

const char *const cli_filter_names[] = {[CLI_FILTER_BOX] = "box",
                                        [CLI_FILTER_KAISER] = "kaiser",
                                        [CLI_FILTER_MITCHELL] = "mitchell",
                                        NULL};
const char *const cli_edge_names[] = {
    [CLI_EDGE_CLAMP] = "clamp", [CLI_EDGE_WRAP] = "wrap", [CLI_EDGE_MIRROR] = "mirror", NULL};

enum cli_status cli_level_options_check(const struct cli_level_options *options)
{
    const char *swizzle = options->changes.swizzle;
    CLI_USAGE_IF(cli_option_is_given("edge") && options->filter == CLI_FILTER_BOX, "--edge",
                 "the box reads nothing behind an edge; choose --filter kaiser or mitchell");
    return !swizzle || weir_swizzle_is_valid(swizzle)
               ? CLI_DONE
               : cli_usage("--swizzle",
                           "%s is not one to four of r, g, b, a, 0 and 1, such as bgra", swizzle);
}

enum weir_result cli_level_options_apply(const struct cli_level_options *options, const char *name,
                                         struct weir_picture *picture)
{
    CLI_FAIL_IF(
        options->changes.bleed && picture->is_premultiplied, WEIR_ERROR_UNSUPPORTED,
        "--bleed: the colours of %s are multiplied by alpha, which hides none; leave it out", name);
    if (!picture->has_alpha && (options->changes.bleed || options->coverage > 0)) {
        cli_report_warning("%s has no alpha: --bleed and --alpha-coverage change nothing", name);
    }
    const enum weir_result result = weir_picture_change(picture, &options->changes);
    return result == WEIR_OK ? result : cli_fail(result, "no memory to change %s", name);
}

enum weir_result cli_levels_check_num(uint32_t num, const char *name, uint32_t width,
                                      uint32_t height)
{
    const uint32_t all = weir_pyramid_full_chain(width, height);
    return num <= all ? WEIR_OK
                      : cli_fail(WEIR_ERROR_INVALID, "--levels %u: %s is %ux%u and has %u level%s",
                                 num, name, width, height, all, all == 1 ? "" : "s");
}

bool cli_levels_by_host(const struct cli_level_options *options)
{
    return options->changes.normals || options->filter != CLI_FILTER_BOX || options->coverage > 0;
}

uint32_t cli_levels_texel_size(const struct cli_level_options *options)
{
    const uint32_t plane = 4 * sizeof(float);
    return (cli_levels_by_host(options) ? plane + plane / 4 : 0) +
           (options->coverage > 0 ? 2 * sizeof(float) : 0) +
           (options->changes.bleed ? sizeof(size_t) + 1 : 0);
}

// As the kernels weigh colours under alpha 0 (shaders/pyramid/reduction.glsl).
static const float hidden_weight = 0x1p-84f;
// Below half a code of 8 bits alpha may be what a filter's negative weights have left of it, which
// no colour can be divided by.
static const float least_alpha = 1.0f / 512;

// A level as what is summed up: light or vectors, and colours times their weights.
struct plane {
    uint32_t width, height;
    float *texels; // RGBA
};

struct maker {
    struct cli_pyramid *run;
    enum cli_filter filter;
    enum cli_edge edge;
    bool is_weighted, normals, is_signed;
    struct plane plane, next;
    float *row; // of the plane
    float threshold;
    float *alpha; // of each texel of the plane, which keeps the coverage; NULL: its own
};

// The taps of both axes.
struct grid {
    struct cli_taps x, y;
};

static bool allocate(struct plane *plane, VkExtent2D extent)
{
    *plane = (struct plane){extent.width, extent.height, NULL};
    plane->texels = malloc((size_t)extent.width * extent.height * 4 * sizeof(*plane->texels));
    return plane->texels;
}

static float *row_of(const struct plane *plane, uint32_t y)
{
    return plane->texels + (size_t)y * plane->width * 4;
}

// Texels of the format become what is summed up.
static void take_row(void *user, uint32_t y, uint8_t *texels)
{
    const struct maker *maker = user;
    const struct weir_pyramid_format_info *format = maker->run->params.format;
    const uint32_t width = maker->plane.width;
    float *row = row_of(&maker->plane, y);
    weir_texel_unpack(format, texels, width, row);
    if (format->is_srgb) {
        weir_values_convert(row, width, WEIR_VALUES_SRGB, WEIR_VALUES_LINEAR);
    }
    for (const float *end = row + 4 * (size_t)width; row != end; row += 4) {
        row[3] = maker->is_weighted ? fmaxf(row[3], 0) : row[3];
        const float weight = maker->is_weighted ? row[3] + hidden_weight : 1;
        for (int c = 0; c < 3; c++) {
            row[c] = !isfinite(row[c])                     ? 0
                     : maker->normals && !maker->is_signed ? 2 * row[c] - 1
                                                           : row[c] * weight;
        }
        if (maker->normals && format->num_channels < 3) {
            row[2] = sqrtf(fmaxf(1 - row[0] * row[0] - row[1] * row[1], 0));
        }
    }
}

static void fill_row(void *user, uint32_t y, uint8_t *texels)
{
    const struct maker *maker = user;
    const struct weir_pyramid_format_info *format = maker->run->params.format;
    const uint32_t width = maker->plane.width;
    const bool has_codes = maker->normals && !maker->is_signed;
    float *row = maker->row;
    memcpy(row, row_of(&maker->plane, y), (size_t)width * 4 * sizeof(*row));
    for (uint32_t x = 0; x < width; x++, row += 4) {
        const float weight = maker->is_weighted ? row[3] + hidden_weight : 1;
        if (maker->normals) {
            weir_vector_normalize(row);
        }
        for (int c = 0; c < 3; c++) {
            row[c] = has_codes ? (row[c] + 1) / 2 : row[c] / weight;
        }
        row[3] = maker->alpha ? maker->alpha[(size_t)y * width + x] : row[3];
    }
    if (format->is_srgb) {
        weir_values_convert(maker->row, width, WEIR_VALUES_LINEAR, WEIR_VALUES_SRGB);
    }
    weir_texel_pack(format, maker->row, width, texels);
}

// Sum up the rows under row `y` of the next level.
static void sum_rows(const struct maker *maker, const struct cli_taps *taps, uint32_t y)
{
    const size_t num_values = (size_t)maker->plane.width * 4;
    memset(maker->row, 0, num_values * sizeof(*maker->row));
    for (uint32_t t = 0; t < taps->num; t++) {
        const float weight = taps->weights[(size_t)y * taps->num + t];
        const float *from = row_of(&maker->plane, (taps->first[y] + t) % maker->plane.height);
        for (size_t i = 0; i < num_values && weight != 0; i++) {
            maker->row[i] += weight * from[i];
        }
    }
}

static void sum_columns(const struct maker *maker, const struct cli_taps *taps, uint32_t x,
                        float *sum)
{
    memset(sum, 0, 4 * sizeof(*sum));
    for (uint32_t t = 0; t < taps->num; t++) {
        const float weight = taps->weights[(size_t)x * taps->num + t];
        const float *from = maker->row + (taps->first[x] + t) % maker->plane.width * (size_t)4;
        for (int c = 0; c < 4; c++) {
            sum[c] += weight * from[c];
        }
    }
}

static void reduce(struct maker *maker, const struct grid *grid)
{
    for (uint32_t y = 0; y < maker->next.height; y++) {
        float *row = row_of(&maker->next, y);
        sum_rows(maker, &grid->y, y);
        for (uint32_t x = 0; x < maker->next.width; x++) {
            sum_columns(maker, &grid->x, x, row + (size_t)x * 4);
        }
    }
}

// Give texels of hardly any alpha the colours of the box filter, which has no negative weights.
static void mend_hidden(struct maker *maker, const struct grid *box)
{
    for (uint32_t y = 0; y < maker->next.height; y++) {
        float *texel = row_of(&maker->next, y), mean[4];
        bool is_summed = false;
        for (uint32_t x = 0; x < maker->next.width; x++, texel += 4) {
            if (texel[3] >= least_alpha) {
                continue;
            }
            if (!is_summed) {
                sum_rows(maker, &box->y, y);
                is_summed = true;
            }
            sum_columns(maker, &box->x, x, mean);
            texel[3] = fmaxf(texel[3], 0);
            for (int c = 0; c < 3; c++) {
                texel[c] = mean[c] / (mean[3] + hidden_weight) * (texel[3] + hidden_weight);
            }
        }
    }
}

static bool make_grid(const struct maker *maker, enum cli_filter filter, struct grid *grid)
{
    const struct plane *from = &maker->plane, *to = &maker->next;
    const bool ok = cli_taps_init(&grid->x, from->width, to->width, filter, maker->edge);
    return cli_taps_init(&grid->y, from->height, to->height, filter, maker->edge) && ok;
}

static void finish_grid(struct grid *grid)
{
    cli_taps_finish(&grid->x);
    cli_taps_finish(&grid->y);
}

// Make the next level of the plane, which it replaces.
static enum weir_result make_next(struct maker *maker, uint32_t level)
{
    struct grid grid = {0}, box = {0};
    const bool mends = maker->is_weighted && maker->filter != CLI_FILTER_BOX;
    const struct cli_pyramid_params *params = &maker->run->params;
    const bool ok = allocate(&maker->next,
                             weir_pyramid_level_extent(params->width, params->height, level)) &&
                    make_grid(maker, maker->filter, &grid) &&
                    (!mends || make_grid(maker, CLI_FILTER_BOX, &box));
    if (ok) {
        reduce(maker, &grid);
    }
    if (ok && mends) {
        mend_hidden(maker, &box);
    }
    finish_grid(&grid);
    finish_grid(&box);
    free(maker->plane.texels);
    maker->plane = maker->next;
    maker->next.texels = NULL;
    return ok ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

// A coverage is the share of texels that an alpha test keeps (I. Castaño, "Computing alpha
// mipmaps", 2010). Alpha is scaled to keep it, and texels of equal alpha at the threshold are
// divided by an order of their own.

// No alpha is nearer to the threshold: blocks are off by less.
static const float coverage_margin = 0.06f;

struct ranked {
    float alpha;
    uint32_t order; // of texels of equal alpha: scattered over the level
    size_t texel;
};

static int by_rank(const void *a, const void *b)
{
    const struct ranked *first = a, *second = b;
    if (first->alpha != second->alpha) {
        return first->alpha > second->alpha ? -1 : 1;
    }
    return (first->order > second->order) - (first->order < second->order);
}

// The share of texels, RGBA, whose alpha is at least `threshold`.
static double coverage_of(const float *texels, size_t num, float threshold)
{
    size_t num_kept = 0;
    for (size_t i = 0; i < num; i++) {
        num_kept += texels[4 * i + 3] >= threshold;
    }
    return (double)num_kept / (double)num;
}

// Get the factor that brings the threshold between the last texel that is kept and the first that
// is not, if it is not there.
static float scale_of(const struct ranked *ranked, size_t num, size_t num_kept, float threshold)
{
    const float inside = num_kept > 0 ? ranked[num_kept - 1].alpha : INFINITY;
    const float outside = num_kept < num ? ranked[num_kept].alpha : 0;
    const float middle = fminf(fmaxf(threshold, outside), inside);
    return middle > 0 ? threshold / middle : 1;
}

// Get the alpha of each texel for which that share is `share`, to the nearest texel. False: no
// memory.
static bool keep_coverage(const float *texels, size_t num, double share, float threshold,
                          float *alpha)
{
    const size_t num_kept = (size_t)llround(share * (double)num);
    struct ranked *ranked = malloc(num * sizeof(*ranked));
    if (!ranked) {
        return false;
    }
    for (size_t i = 0; i < num; i++) { // by a factor whose bits are those of the golden ratio
        ranked[i] = (struct ranked){texels[4 * i + 3], (uint32_t)i * 2654435769u, i};
    }
    qsort(ranked, num, sizeof(*ranked), by_rank);
    const float scale = scale_of(ranked, num, num_kept, threshold);
    for (size_t i = 0; i < num; i++) {
        const float scaled = fminf(ranked[i].alpha * scale, 1);
        alpha[ranked[i].texel] = i < num_kept
                                     ? fmaxf(scaled, fminf(threshold + coverage_margin, 1))
                                     : fminf(scaled, fmaxf(threshold - coverage_margin, 0));
    }
    free(ranked);
    return true;
}

// Write a level that was made, with an alpha that covers the share of level 0.
static enum weir_result write_level(struct maker *maker, uint32_t level, double share)
{
    const size_t num = (size_t)maker->plane.width * maker->plane.height;
    if (maker->alpha &&
        !keep_coverage(maker->plane.texels, num, share, maker->threshold, maker->alpha)) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    return cli_pyramid_upload(maker->run, level, fill_row, maker);
}

static enum weir_result make_all(struct maker *maker)
{
    const struct cli_pyramid_params *params = &maker->run->params;
    const size_t num = (size_t)params->width * params->height;
    maker->row = malloc((size_t)params->width * 4 * sizeof(*maker->row));
    maker->alpha = maker->threshold > 0 ? malloc(num * sizeof(*maker->alpha)) : NULL;
    if (!maker->row || (maker->threshold > 0 && !maker->alpha) ||
        !allocate(&maker->plane, (VkExtent2D){params->width, params->height})) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    WEIR_TRY(cli_pyramid_download(maker->run, 0, take_row, maker));
    const double share = coverage_of(maker->plane.texels, num, maker->threshold);
    for (uint32_t level = 1; level < params->levels; level++) {
        CLI_FAIL_IF(cli_interrupted(), WEIR_ERROR_IO, "interrupted");
        WEIR_TRY(make_next(maker, level));
        WEIR_TRY(write_level(maker, level, share));
    }
    return WEIR_OK;
}

enum weir_result cli_levels_make(struct cli_pyramid *run, const struct cli_level_options *options,
                                 bool is_signed)
{
    if (!cli_levels_by_host(options)) {
        return cli_pyramid_execute(run);
    }
    struct maker maker = {
        .run = run,
        .filter = (enum cli_filter)options->filter,
        .edge = (enum cli_edge)options->edge,
        .is_weighted = run->params.reduction == WEIR_PYRAMID_ALPHA_MEAN,
        .normals = options->changes.normals,
        .is_signed = is_signed,
        .threshold = (float)options->coverage,
    };
    const enum weir_result result = make_all(&maker);
    free(maker.plane.texels);
    free(maker.row);
    free(maker.alpha);
    return result;
}
