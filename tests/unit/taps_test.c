// SPDX-License-Identifier: MIT
// The taps of a filter: what each result is made of, by the definition of the filter.
#include "capture/weir/gpu/scaler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/expect.h"
#include "tests/seeded.h"

enum { NUM_AXES = 3000, MAX_LENGTH = 600 };

#define EXPECT(is_so, length, size, what) test_expect(is_so, "%u to %u: %s", length, size, what)

// Mitchell and Netravali 1988, (8), with B = 0 and C = 1/2.
static double cubic(double x)
{
    const double b = 0, c = 0.5;
    x = fabs(x);
    if (x < 1) {
        return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + 6 - 2 * b) / 6;
    }
    return x < 2 ? ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x +
                    8 * b + 24 * c) /
                       6
                 : 0;
}

// A texel of the axis as it goes on behind its edges, a mirror at each.
static double texel_at(const double *axis, int length, int at)
{
    while (at < 0 || at >= length) {
        at = at < 0 ? -1 - at : 2 * length - 1 - at;
    }
    return axis[at];
}

static double wanted(const double *axis, uint32_t length, uint32_t size, uint32_t i)
{
    const double ratio = (double)length / size, middle = (i + 0.5) * ratio;
    double sum = 0, total = 0;
    for (int at = (int)floor(middle - 3 * ratio); at <= (int)ceil(middle + 3 * ratio); at++) {
        const double weight = cubic((at + 0.5 - middle) / ratio);
        sum += weight * texel_at(axis, (int)length, at);
        total += weight;
    }
    return sum / total;
}

static void check_axis(uint32_t length, uint32_t size)
{
    double axis[MAX_LENGTH];
    struct cli_taps taps;
    for (uint32_t i = 0; i < length; i++) {
        axis[i] = seeded_below(1001) / 1000.0;
    }
    EXPECT(cli_taps_init(&taps, length, size), length, size, "no memory");
    EXPECT(taps.size == size && taps.num <= length, length, size, "more taps than texels");
    for (uint32_t i = 0; i < size; i++) {
        double sum = 0, total = 0;
        EXPECT(taps.first[i] + taps.num <= length, length, size, "taps behind the end");
        for (uint32_t k = 0; k < taps.num; k++) {
            const double weight = (double)taps.weights[(size_t)i * taps.num + k];
            sum += weight * axis[taps.first[i] + k];
            total += weight;
        }
        EXPECT(fabs(total - 1) < 1e-6, length, size, "weights do not add up to 1");
        EXPECT(fabs(sum - wanted(axis, length, size, i)) < 1e-6, length, size, "another value");
        EXPECT(length != size || sum == axis[i], length, size, "a texel is not itself");
    }
    cli_taps_finish(&taps);
}

int main(void)
{
    seeded_start();
    check_axis(1, 1);
    check_axis(2, 1);
    check_axis(MAX_LENGTH, 1);
    check_axis(MAX_LENGTH, MAX_LENGTH);
    for (int i = 0; i < NUM_AXES; i++) {
        const int length = 1 + seeded_below(i % 4 == 0 ? MAX_LENGTH : 20);
        check_axis((uint32_t)length, 1 + (uint32_t)seeded_below(length));
    }
    return test_finish();
}
