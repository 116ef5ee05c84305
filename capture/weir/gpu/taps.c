// SPDX-License-Identifier: MIT
// The taps of a filter that makes an axis shorter: which texels become one, and their weights.
#include "capture/weir/gpu/taps.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// How far from the middle a filter is not 0 [results].
static double support_of(enum cli_filter filter)
{
    static const double supports[] = {[CLI_FILTER_BOX] = 0.5,
                                      [CLI_FILTER_KAISER] = 3,
                                      [CLI_FILTER_MITCHELL] = 2,
                                      [CLI_FILTER_CATMULL_ROM] = 2};
    return supports[filter];
}

// D. Mitchell, A. Netravali, "Reconstruction filters in computer graphics", 1988, (8).
static double cubic(double x, double b, double c)
{
    if (x < 1) {
        return (((12 - 9 * b - 6 * c) * x + 12 * b + 6 * c - 18) * x * x + 6 - 2 * b) / 6;
    }
    return x < 2 ? ((((-b - 6 * c) * x + 6 * b + 30 * c) * x - 12 * b - 48 * c) * x + 8 * b +
                    24 * c) /
                       6
                 : 0;
}

// The modified Bessel function of order 0, by its power series.
static double bessel(double x)
{
    double sum = 1, term = 1;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= x / (2 * k) * (x / (2 * k));
        sum += term;
    }
    return sum;
}

// J. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function", 1974.
static double kaiser(double x)
{
    const double alpha = 4, width = support_of(CLI_FILTER_KAISER), t = x / width;
    const double sinc = x > 0 ? sin(pi * x) / (pi * x) : 1;
    return t < 1 ? sinc * bessel(alpha * sqrt(1 - t * t)) / bessel(alpha) : 0;
}

// Get the weight of a texel that is `distance` texels from the middle, before weights are scaled to
// a sum of 1. `ratio`: texels of a result.
static double weight_of(enum cli_filter filter, double distance, double ratio)
{
    const double x = fabs(distance) / ratio;
    switch (filter) {
    case CLI_FILTER_BOX: // what lies in both the texel and the result
        return fmin(fmax(ratio / 2 + 0.5 - fabs(distance), 0), 1);
    case CLI_FILTER_KAISER:
        return kaiser(x);
    case CLI_FILTER_MITCHELL:
        return cubic(x, 1.0 / 3, 1.0 / 3);
    default:
        return cubic(x, 0, 0.5);
    }
}

// Get the texel that stands for a place behind an edge. An axis may be shorter than the filter.
static uint32_t fold(enum cli_edge edge, int64_t at, uint32_t length)
{
    if (edge == CLI_EDGE_CLAMP) {
        return at < 0 ? 0 : at < length ? (uint32_t)at : length - 1;
    }
    const int64_t period = edge == CLI_EDGE_MIRROR ? 2 * (int64_t)length : length;
    at = (at % period + period) % period;
    return (uint32_t)(at < length ? at : period - 1 - at);
}

// The axis, and what its results are made by.
struct axis {
    uint32_t length;
    double ratio;
    enum cli_filter filter;
    enum cli_edge edge;
};

// Add the weights of the texels around the middle of result `i` up in `row`, which begins with
// texel `first`.
static void make_row(const struct cli_taps *taps, const struct axis *axis, uint32_t i, float *row)
{
    const double middle = (i + 0.5) * axis->ratio;
    const double reach = support_of(axis->filter) * axis->ratio;
    const int64_t begin = (int64_t)floor(middle - reach), end = (int64_t)ceil(middle + reach);
    double total = 0;
    for (int64_t at = begin; at < end; at++) {
        total += weight_of(axis->filter, (double)at + 0.5 - middle, axis->ratio);
    }
    for (int64_t at = begin; at < end; at++) {
        const double weight = weight_of(axis->filter, (double)at + 0.5 - middle, axis->ratio);
        const uint32_t place = (fold(axis->edge, at, axis->length) + axis->length -
                                taps->first[i]) %
                               axis->length;
        if (place < taps->num) { // others are outside of the filter, but for rounding
            row[place] += (float)(weight / total);
        }
    }
}

bool cli_taps_init(struct cli_taps *taps, uint32_t length, uint32_t size, enum cli_filter filter,
                   enum cli_edge edge)
{
    const struct axis axis = {length, (double)length / size, filter, edge};
    const double reach = support_of(filter) * axis.ratio;
    const uint32_t widest = length == size ? 1 : (uint32_t)ceil(2 * reach) + 1;
    *taps = (struct cli_taps){.size = size, .num = widest < length ? widest : length};
    taps->first = calloc(size, sizeof(*taps->first));
    taps->weights = calloc((size_t)size * taps->num, sizeof(*taps->weights));
    if (!taps->first || !taps->weights) {
        return false;
    }
    for (uint32_t i = 0; i < size; i++) {
        const int64_t begin = length == size ? i : (int64_t)floor((i + 0.5) * axis.ratio - reach);
        const int64_t last = (int64_t)length - taps->num;
        taps->first[i] = edge == CLI_EDGE_WRAP ? fold(edge, begin, length)
                         : begin < 0           ? 0
                         : begin < last        ? (uint32_t)begin
                                               : (uint32_t)last;
        float *row = &taps->weights[(size_t)i * taps->num];
        if (length == size) {
            row[0] = 1;
        } else {
            make_row(taps, &axis, i, row);
        }
    }
    return true;
}

void cli_taps_finish(struct cli_taps *taps)
{
    free(taps->first);
    free(taps->weights);
    *taps = (struct cli_taps){0};
}
