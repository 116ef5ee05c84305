// SPDX-License-Identifier: MIT
// The taps of a filter: what each result is made of, by the definition of the filter.
#include "capture/weir/gpu/taps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/expect.h"
#include "tests/seeded.h"

enum { NUM_AXES = 1200, MAX_LENGTH = 600 };

static const char *const names[] = {"box", "kaiser", "mitchell", "catmull_rom"};
static const char *const edges[] = {"clamp", "wrap", "mirror"};

// Mitchell and Netravali 1988, (8).
static double cubic(double x, double b, double c)
{
    if (x < 1) {
        return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + 6 - 2 * b) / 6;
    }
    return x < 2 ? ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x +
                    8 * b + 24 * c) /
                       6
                 : 0;
}

// The mean of exp(x cos t) over a turn, which is exact for so many steps.
static double bessel(double x)
{
    const int steps = 64;
    double sum = 0;
    for (int i = 0; i < steps; i++) {
        sum += exp(x * cos(2 * M_PI * i / steps)) / steps;
    }
    return sum;
}

static double weight_of(enum cli_filter filter, double x)
{
    x = fabs(x);
    switch (filter) {
    case CLI_FILTER_KAISER:
        return x >= 3   ? 0
               : x == 0 ? 1
                        : sin(M_PI * x) / (M_PI * x) * bessel(4 * sqrt(1 - x * x / 9)) / bessel(4);
    case CLI_FILTER_MITCHELL:
        return cubic(x, 1.0 / 3, 1.0 / 3);
    default:
        return cubic(x, 0, 0.5);
    }
}

// A texel of the axis as it goes on behind its edges.
static double texel_at(const double *axis, int length, int at, enum cli_edge edge)
{
    while (at < 0 || at >= length) {
        at = edge == CLI_EDGE_CLAMP  ? (at < 0 ? 0 : length - 1)
             : edge == CLI_EDGE_WRAP ? (at < 0 ? at + length : at - length)
             : at < 0                ? -1 - at
                                     : 2 * length - 1 - at;
    }
    return axis[at];
}

static double wanted(const double *axis, uint32_t length, const struct cli_taps *taps, uint32_t i,
                     enum cli_filter filter, enum cli_edge edge)
{
    const double ratio = (double)length / taps->size, middle = (i + 0.5) * ratio;
    double sum = 0, total = 0;
    for (int at = (int)floor(middle - 4 * ratio); at <= (int)ceil(middle + 4 * ratio); at++) {
        const double share = fmin(at + 1, (i + 1) * ratio) - fmax(at, i * ratio);
        const double weight = filter == CLI_FILTER_BOX
                                  ? fmax(share, 0)
                                  : weight_of(filter, (at + 0.5 - middle) / ratio);
        sum += weight * texel_at(axis, (int)length, at, edge);
        total += weight;
    }
    return sum / total;
}

static void check_axis(uint32_t length, uint32_t size, enum cli_filter filter, enum cli_edge edge)
{
    double axis[MAX_LENGTH];
    struct cli_taps taps;
#define EXPECT(is_so, what)                                                                        \
    test_expect(is_so, "%u to %u by %s, %s: %s", length, size, names[filter], edges[edge], what)
    for (uint32_t i = 0; i < length; i++) {
        axis[i] = seeded_below(1001) / 1000.0;
    }
    EXPECT(cli_taps_init(&taps, length, size, filter, edge), "no memory");
    EXPECT(taps.size == size && taps.num <= length, "more taps than texels");
    for (uint32_t i = 0; i < size; i++) {
        double sum = 0, total = 0;
        EXPECT(taps.first[i] < length, "taps begin behind the end");
        EXPECT(edge == CLI_EDGE_WRAP || taps.first[i] + taps.num <= length, "taps behind the end");
        for (uint32_t k = 0; k < taps.num; k++) {
            const double weight = (double)taps.weights[(size_t)i * taps.num + k];
            sum += weight * axis[(taps.first[i] + k) % length];
            total += weight;
        }
        EXPECT(fabs(total - 1) < 1e-6, "weights do not add up to 1");
        EXPECT(length == size || fabs(sum - wanted(axis, length, &taps, i, filter, edge)) < 1e-6,
               "another value");
        EXPECT(length != size || sum == axis[i], "a texel is not itself");
    }
    cli_taps_finish(&taps);
}

int main(void)
{
    seeded_start();
    for (int i = 0; i < NUM_AXES; i++) {
        const enum cli_filter filter = (enum cli_filter)(i % 4);
        const enum cli_edge edge = (enum cli_edge)(i / 4 % 3);
        const int length = 1 + seeded_below(i % 5 == 0 ? MAX_LENGTH : 20);
        check_axis((uint32_t)length, 1 + (uint32_t)seeded_below(length), filter, edge);
        if (i < 12) {
            check_axis(1, 1, filter, edge);
            check_axis(2, 1, filter, edge);
            check_axis(MAX_LENGTH, 1, filter, edge);
            check_axis(MAX_LENGTH, MAX_LENGTH, filter, edge);
        }
    }
    return test_finish();
}
