// SPDX-License-Identifier: MIT
// The taps of a filter that makes an axis shorter: which texels become one, and their weights.
#include "capture/weir/gpu/scaler.h"

#include <math.h>
#include <stdlib.h>

static const double support = 2; // the cubic is 0 from there on

// E. Catmull, R. Rom, "A class of local interpolating splines", 1974; as a filter: D. Mitchell,
// A. Netravali, "Reconstruction filters in computer graphics", 1988, with B = 0 and C = 1/2.
static double cubic(double x)
{
    x = fabs(x);
    return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

// Mirror a place behind an edge. An axis may be shorter than the filter: it is mirrored again then.
static uint32_t mirror(int64_t at, uint32_t length)
{
    const int64_t period = 2 * (int64_t)length;
    at = (at % period + period) % period;
    return (uint32_t)(at < length ? at : period - 1 - at);
}

// Add the weights of the texels around the middle of result `i` up in `row`, which begins with
// texel `first`.
static void make_row(const struct cli_taps *taps, uint32_t length, uint32_t i, float *row)
{
    const double ratio = (double)length / taps->size;
    const double middle = (i + 0.5) * ratio;
    const int64_t begin = (int64_t)floor(middle - support * ratio);
    const int64_t end = (int64_t)ceil(middle + support * ratio);
    double total = 0;
    for (int64_t at = begin; at < end; at++) {
        total += cubic(((double)at + 0.5 - middle) / ratio);
    }
    for (int64_t at = begin; at < end; at++) {
        const double weight = cubic(((double)at + 0.5 - middle) / ratio) / total;
        if (weight != 0) {
            row[mirror(at, length) - taps->first[i]] += (float)weight;
        }
    }
}

bool cli_taps_init(struct cli_taps *taps, uint32_t length, uint32_t size)
{
    const double ratio = (double)length / size;
    const uint32_t widest = length == size ? 1 : (uint32_t)ceil(2 * support * ratio) + 1;
    *taps = (struct cli_taps){.size = size, .num = widest < length ? widest : length};
    taps->first = calloc(size, sizeof(*taps->first));
    taps->weights = calloc((size_t)size * taps->num, sizeof(*taps->weights));
    if (!taps->first || !taps->weights) {
        return false;
    }
    for (uint32_t i = 0; i < size; i++) {
        const double begin = length == size ? i : floor((i + 0.5) * ratio - support * ratio);
        const uint32_t last = length - taps->num;
        taps->first[i] = begin < 0 ? 0 : begin < last ? (uint32_t)begin : last;
        make_row(taps, length, i, &taps->weights[(size_t)i * taps->num]);
    }
    return true;
}

void cli_taps_finish(struct cli_taps *taps)
{
    free(taps->first);
    free(taps->weights);
    *taps = (struct cli_taps){0};
}
