// SPDX-License-Identifier: MIT
// Scalar reference of mip pyramids: one level from the level before it.
#include "tests/ref/pyramid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ref/pyramid_rows.h"
#include "tests/ref/texel.h"

uint32_t ref_pyramid_level_size(uint32_t size, uint32_t levels)
{
    const uint32_t shifted = levels < 32 ? size >> levels : 0;
    return shifted > 1 ? shifted : 1;
}

// NVIDIA, "Non-Power-of-Two Mipmap Creation", 2005. Texel i has S/n = (2n + 1)/n texels under it;
// in units of 1/(2n + 1) of that, the first is cut to n - i, the last to i + 1.
struct ref_pyramid_taps ref_pyramid_get_taps(uint32_t size, uint32_t i, bool blit)
{
    const uint32_t n = ref_pyramid_level_size(size, 1);
    if (size == 1) {
        return (struct ref_pyramid_taps){0, 1, {1}};
    }
    if (size % 2 == 0) {
        return (struct ref_pyramid_taps){2 * i, 2, {0.5, 0.5}};
    }
    if (blit) {
        // (i + 0.5) S/n - 0.5 = 2i + (2i + 1 + n) / 2n
        const uint32_t whole = (2 * i + 1 + n) / (2 * n), rest = (2 * i + 1 + n) % (2 * n);
        const double fraction = rest / (2.0 * n);
        return (struct ref_pyramid_taps){2 * i + whole, rest ? 2 : 1, {1 - fraction, fraction}};
    }
    const double share = 1 / (2.0 * n + 1);
    return (struct ref_pyramid_taps){2 * i, 3, {(n - i) * share, n * share, (i + 1) * share}};
}

// Rec. 709. Negative luma counts as 0; NaN stays.
static double luma_weight(const double texel[4])
{
    const double luma = 0.2126 * texel[0] + 0.7152 * texel[1] + 0.0722 * texel[2];
    return 1 / (1 + (luma < 0 ? 0 : luma));
}

static void read_row(const struct ref_pyramid_rows *rows, uint32_t y, double (*row)[4])
{
    if (rows->texels) {
        memcpy(row, rows->texels + (size_t)y * rows->width, rows->width * sizeof(*row));
        return;
    }
    const size_t stride = (size_t)rows->width * rows->format->texel_size;
    ref_texel_unpack(rows->format, rows->packed + y * stride, rows->width, row);
    if (rows->is_absolute) {
        for (uint32_t x = 0; x < rows->width; x++) {
            for (int c = 0; c < 4; c++) {
                row[x][c] = fabs(row[x][c]);
            }
        }
    }
    if (rows->reduction == WEIR_PYRAMID_MIN_MAX && rows->format->num_channels == 1) {
        for (uint32_t x = 0; x < rows->width; x++) {
            row[x][1] = row[x][0];
        }
    }
}

// Of a colour under alpha 0 in ALPHA_MEAN, where one that is not finite does not count.
static const double hidden_weight = 0x1p-84;

static void weigh_by_alpha(double texel[4])
{
    texel[3] = texel[3] < 0 ? 0 : texel[3]; // NaN stays
    for (int c = 0; c < 3; c++) {
        const bool counts = texel[3] != 0 || isfinite(texel[c]);
        texel[c] = counts ? texel[c] * (texel[3] + hidden_weight) : 0;
    }
}

// A row of texels as it is summed up: colour and the weight of the texel.
static void weigh_row(enum weir_pyramid_reduction reduction, uint32_t width, double (*row)[4],
                      double *weights)
{
    for (uint32_t x = 0; x < width; x++) {
        if (reduction == WEIR_PYRAMID_ALPHA_MEAN) {
            weigh_by_alpha(row[x]);
        } else if (reduction == WEIR_PYRAMID_LUMA_MEAN) {
            weights[x] = luma_weight(row[x]);
            for (int c = 0; c < 4; c++) {
                row[x][c] *= weights[x];
            }
        }
    }
}

static void finish_texel(enum weir_pyramid_reduction reduction, double weight, double texel[4])
{
    if (reduction == WEIR_PYRAMID_ALPHA_MEAN) {
        for (int c = 0; c < 3; c++) {
            texel[c] /= texel[3] + hidden_weight;
        }
    } else if (reduction == WEIR_PYRAMID_LUMA_MEAN) {
        for (int c = 0; c < 4; c++) {
            texel[c] /= weight;
        }
    }
}

static double lower(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : a < b ? a : b;
}

static double higher(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : a > b ? a : b;
}

static double join(enum weir_pyramid_reduction reduction, int channel, double a, double b)
{
    const bool is_min = reduction == WEIR_PYRAMID_MIN ||
                        (reduction == WEIR_PYRAMID_MIN_MAX && channel == 0);
    return is_min ? lower(a, b) : higher(a, b);
}

bool ref_pyramid_is_extremum(enum weir_pyramid_reduction reduction)
{
    return reduction == WEIR_PYRAMID_MIN || reduction == WEIR_PYRAMID_MAX ||
           reduction == WEIR_PYRAMID_MIN_MAX;
}

// Add a row to the sum of the rows over it; `is_first`: there is none yet.
static void add_row(enum weir_pyramid_reduction reduction, bool is_first, double weight,
                    uint32_t width, const double (*row)[4], const double *weights, double (*sum)[4],
                    double *sum_weights)
{
    if (ref_pyramid_is_extremum(reduction)) {
        for (uint32_t x = 0; x < width; x++) {
            for (int c = 0; c < 4; c++) {
                sum[x][c] = is_first ? row[x][c] : join(reduction, c, sum[x][c], row[x][c]);
            }
        }
        return;
    }
    for (uint32_t x = 0; x < width; x++) {
        for (int c = 0; c < 4; c++) {
            sum[x][c] = (is_first ? 0 : sum[x][c]) + weight * row[x][c];
        }
    }
    if (reduction == WEIR_PYRAMID_LUMA_MEAN) {
        for (uint32_t x = 0; x < width; x++) {
            sum_weights[x] = (is_first ? 0 : sum_weights[x]) + weight * weights[x];
        }
    }
}

// The taps of one texel along the row.
static void join_columns(enum weir_pyramid_reduction reduction, const struct ref_pyramid_taps *taps,
                         const double (*sum)[4], const double *sum_weights, double out[4])
{
    const double(*texels)[4] = sum + taps->first;
    if (ref_pyramid_is_extremum(reduction)) {
        memcpy(out, texels[0], sizeof(texels[0]));
        for (uint32_t t = 1; t < taps->num; t++) {
            for (int c = 0; c < 4; c++) {
                out[c] = join(reduction, c, out[c], texels[t][c]);
            }
        }
        return;
    }
    double weight = 0;
    memset(out, 0, sizeof(texels[0]));
    for (uint32_t t = 0; t < taps->num; t++) {
        for (int c = 0; c < 4; c++) {
            out[c] += taps->weights[t] * texels[t][c];
        }
        if (reduction == WEIR_PYRAMID_LUMA_MEAN) {
            weight += taps->weights[t] * sum_weights[taps->first + t];
        }
    }
    finish_texel(reduction, weight, out);
}

static struct ref_pyramid_taps taps_of(const struct ref_pyramid_rows *rows, uint32_t size,
                                       uint32_t i)
{
    return rows->is_copy ? (struct ref_pyramid_taps){i, 1, {1}}
                         : ref_pyramid_get_taps(size, i, rows->blit);
}

bool ref_pyramid_reduce_rows(const struct ref_pyramid_rows *rows, double (*out)[4])
{
    const uint32_t width = ref_pyramid_level_size(rows->width, !rows->is_copy);
    const uint32_t height = ref_pyramid_level_size(rows->height, !rows->is_copy);
    double(*row)[4] = malloc(rows->width * sizeof(*row));
    double(*sum)[4] = malloc(rows->width * sizeof(*sum));
    double *weights = malloc(rows->width * sizeof(*weights));
    double *sum_weights = malloc(rows->width * sizeof(*sum_weights));
    struct ref_pyramid_taps *columns = malloc(width * sizeof(*columns));
    const bool ok = row && sum && weights && sum_weights && columns;
    for (uint32_t x = 0; ok && x < width; x++) {
        columns[x] = taps_of(rows, rows->width, x);
    }
    for (uint32_t y = 0; ok && y < height; y++) {
        const struct ref_pyramid_taps taps = taps_of(rows, rows->height, y);
        for (uint32_t t = 0; t < taps.num; t++) {
            read_row(rows, taps.first + t, row);
            weigh_row(rows->reduction, rows->width, row, weights);
            add_row(rows->reduction, t == 0, taps.weights[t], rows->width, (const double(*)[4])row,
                    weights, sum, sum_weights);
        }
        for (uint32_t x = 0; x < width; x++) {
            join_columns(rows->reduction, &columns[x], (const double(*)[4])sum, sum_weights,
                         out[(size_t)y * width + x]);
        }
    }
    free(row);
    free(sum);
    free(weights);
    free(sum_weights);
    free(columns);
    return ok;
}

bool ref_pyramid_reduce(enum weir_pyramid_reduction reduction, bool blit, const double (*texels)[4],
                        uint32_t width, uint32_t height, double (*out)[4])
{
    const struct ref_pyramid_rows rows = {
        .reduction = reduction, .blit = blit, .width = width, .height = height, .texels = texels};
    return ref_pyramid_reduce_rows(&rows, out);
}
