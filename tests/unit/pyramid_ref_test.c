// SPDX-License-Identifier: MIT
// The reference of mip pyramids against what its kernels are defined to be.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/expect.h"
#include "tests/ref/pyramid.h"
#include "tests/ref/texel.h"
#include "tests/seeded.h"

#define EXPECT(is_so, what, size, value)                                                           \
    test_expect(is_so, "%s, size %u: %.17g", what, size, (double)(value))

static double unit(void)
{
    return (double)(seeded_bits() >> 11) * 0x1p-53;
}

static uint32_t below(uint32_t end)
{
    return (uint32_t)seeded_below((int)end);
}

enum { LONGEST = 300, MAX_TEXELS = 64 * 64 };
static double texels[MAX_TEXELS][4], reduced[MAX_TEXELS][4], other[MAX_TEXELS][4],
    scratch[MAX_TEXELS][4];

static void reduce(enum weir_pyramid_reduction reduction, const double (*in)[4], uint32_t width,
                   uint32_t height, double (*out)[4])
{
    EXPECT(ref_pyramid_reduce(reduction, false, in, width, height, out), "memory", width, 0);
}

static void fill(uint32_t num_texels)
{
    for (uint32_t i = 0; i < num_texels; i++) {
        for (int c = 0; c < 4; c++) {
            texels[i][c] = unit();
        }
    }
}

// The share of texel j in [i S/n, (i+1) S/n] in exact integers: both in units of 1/n.
static double box_share(uint32_t size, uint32_t i, uint32_t j)
{
    const uint32_t n = size > 1 ? size / 2 : 1;
    const uint32_t low = i * size > j * n ? i * size : j * n;
    const uint32_t high = (i + 1) * size < (j + 1) * n ? (i + 1) * size : (j + 1) * n;
    return high > low ? (high - low) / (double)size : 0;
}

static void check_kernel(void)
{
    for (uint32_t size = 1; size <= LONGEST; size++) {
        const uint32_t n = size > 1 ? size / 2 : 1;
        double mean = 0, reduced_mean = 0, share[LONGEST] = {0};
        fill(size);
        reduce(WEIR_PYRAMID_MEAN, (const double(*)[4])texels, size, 1, reduced);
        reduce(WEIR_PYRAMID_MEAN, (const double(*)[4])texels, 1, size, other);
        for (uint32_t i = 0; i < n; i++) {
            double box = 0, sum = 0;
            for (uint32_t j = 0; j < size; j++) {
                box += box_share(size, i, j) * texels[j][0];
            }
            EXPECT(fabs(box - reduced[i][0]) < 1e-14, "box average", size, box - reduced[i][0]);
            EXPECT(reduced[i][0] == other[i][0], "a column is not a row", size, other[i][0]);
            reduced_mean += reduced[i][0] / n;
            const struct ref_pyramid_taps taps = ref_pyramid_get_taps(size, i, false);
            for (uint32_t t = 0; t < taps.num; t++) {
                share[taps.first + t] += taps.weights[t];
                sum += taps.weights[t];
            }
            EXPECT(fabs(sum - 1) < 1e-15, "sum of weights", size, sum);
        }
        for (uint32_t j = 0; j < size; j++) {
            mean += texels[j][0] / size;
            EXPECT(fabs(share[j] - (double)n / size) < 1e-14, "weight of an impulse", size,
                   share[j]);
        }
        EXPECT(fabs(mean - reduced_mean) < 1e-14, "mean", size, mean - reduced_mean);
    }
}

static const enum weir_pyramid_reduction reductions[] = {
    WEIR_PYRAMID_MEAN, WEIR_PYRAMID_ALPHA_MEAN, WEIR_PYRAMID_MIN,
    WEIR_PYRAMID_MAX,  WEIR_PYRAMID_MIN_MAX,    WEIR_PYRAMID_LUMA_MEAN};
enum { NUM_REDUCTIONS = 6 };

// out[x, y] of width x height from in, by flips and then the exchange of x and y.
static void turn(const double (*in)[4], uint32_t width, uint32_t height, int how, double (*out)[4])
{
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t u = how & 1 ? width - 1 - x : x, v = how & 2 ? height - 1 - y : y;
            memcpy(out[how & 4 ? u * height + v : v * width + u], in[y * width + x], sizeof(*in));
        }
    }
}

static double worst_difference(const double (*a)[4], const double (*b)[4], uint32_t num_texels)
{
    double worst = 0;
    for (uint32_t i = 0; i < num_texels; i++) {
        for (int c = 0; c < 4; c++) {
            worst = fmax(worst, fabs(a[i][c] - b[i][c]));
        }
    }
    return worst;
}

static void check_invariants(enum weir_pyramid_reduction reduction, uint32_t width, uint32_t height)
{
    const uint32_t w = ref_pyramid_level_size(width, 1), h = ref_pyramid_level_size(height, 1);
    double low[4] = {1, 1, 1, 1}, high[4] = {0};
    const double(*in)[4] = (const double(*)[4])texels;
    fill(width * height);
    reduce(reduction, in, width, height, reduced);
    for (uint32_t i = 0; i < width * height; i++) {
        for (int c = 0; c < 4; c++) {
            low[c] = fmin(low[c], texels[i][c]);
            high[c] = fmax(high[c], texels[i][c]);
        }
    }
    for (uint32_t i = 0; i < w * h; i++) {
        for (int c = 0; c < 4; c++) {
            EXPECT(reduced[i][c] >= low[c] - 1e-15 && reduced[i][c] <= high[c] + 1e-15, "bounds",
                   width, reduced[i][c]);
        }
    }
    for (int how = 1; how < 8; how++) {
        static double turned[MAX_TEXELS][4];
        const bool swap = how & 4;
        turn(in, width, height, how, turned);
        reduce(reduction, (const double(*)[4])turned, swap ? height : width, swap ? width : height,
               other);
        turn((const double(*)[4])reduced, w, h, how, scratch);
        const double worst = worst_difference((const double(*)[4])other,
                                              (const double(*)[4])scratch, w * h);
        EXPECT(worst < 1e-14, "a flip or transposition", width, worst);
    }
    for (uint32_t i = 1; i < width * height; i++) {
        memcpy(texels[i], texels[0], sizeof(texels[0]));
    }
    reduce(reduction, in, width, height, reduced);
    for (uint32_t i = 0; i < w * h; i++) {
        const double worst = worst_difference((const double(*)[4])reduced + i, in, 1);
        EXPECT(worst < 1e-15, "a constant", width, worst);
    }
}

// By brute force over every texel that shares area with the result.
static void check_footprints(uint32_t width, uint32_t height)
{
    const uint32_t w = ref_pyramid_level_size(width, 1), h = ref_pyramid_level_size(height, 1);
    fill(width * height);
    const double(*in)[4] = (const double(*)[4])texels;
    static double lowest[MAX_TEXELS][4], highest[MAX_TEXELS][4], both[MAX_TEXELS][4];
    reduce(WEIR_PYRAMID_MIN, in, width, height, lowest);
    reduce(WEIR_PYRAMID_MAX, in, width, height, highest);
    reduce(WEIR_PYRAMID_MIN_MAX, in, width, height, both);
    for (uint32_t i = 0; i < w * h; i++) {
        double low[2] = {9, 9}, high[2] = {-9, -9};
        for (uint32_t j = 0; j < width * height; j++) {
            if (box_share(width, i % w, j % width) > 0 && box_share(height, i / w, j / width) > 0) {
                for (int c = 0; c < 2; c++) {
                    low[c] = fmin(low[c], texels[j][c]);
                    high[c] = fmax(high[c], texels[j][c]);
                }
            }
        }
        EXPECT(lowest[i][0] == low[0] && lowest[i][1] == low[1], "min", width, lowest[i][0]);
        EXPECT(highest[i][0] == high[0] && highest[i][1] == high[1], "max", width, highest[i][0]);
        EXPECT(both[i][0] == low[0] && both[i][1] == high[1], "min_max", width, both[i][0]);
    }
}

// 2x1 texels to one.
static void reduce_two(enum weir_pyramid_reduction reduction, const double a[4], const double b[4],
                       double out[4])
{
    double two[2][4];
    memcpy(two[0], a, sizeof(two[0]));
    memcpy(two[1], b, sizeof(two[1]));
    reduce(reduction, (const double(*)[4])two, 2, 1, reduced);
    memcpy(out, reduced[0], sizeof(two[0]));
}

static bool is_texel(const double a[4], double r, double g, double b, double alpha)
{
    const double expected[4] = {r, g, b, alpha};
    bool same = true;
    for (int c = 0; c < 4; c++) {
        same = same && (a[c] == expected[c] || fabs(a[c] - expected[c]) < 1e-15);
    }
    return same;
}

static void check_weighted(void)
{
    double out[4];
    reduce_two(WEIR_PYRAMID_ALPHA_MEAN, (const double[4]){1, 0.5, 0, 0.75},
               (const double[4]){0, 0.25, 1, 0.25}, out);
    EXPECT(is_texel(out, 0.75, 0.4375, 0.25, 0.5), "alpha mean", 2, out[1]);
    reduce_two(WEIR_PYRAMID_ALPHA_MEAN, (const double[4]){9, 9, 9, 0},
               (const double[4]){0.25, 0.5, 1, 1e-9}, out);
    EXPECT(is_texel(out, 0.25, 0.5, 1, 5e-10), "alpha 0 leaks its colour", 2, out[0]);
    reduce_two(WEIR_PYRAMID_ALPHA_MEAN, (const double[4]){9, 9, 9, 0},
               (const double[4]){7, 7, 7, 0}, out);
    EXPECT(is_texel(out, 8, 8, 8, 0), "alpha 0 everywhere: the plain mean", 2, out[0]);
    reduce_two(WEIR_PYRAMID_ALPHA_MEAN, (const double[4]){INFINITY, NAN, 2, 0},
               (const double[4]){4, 6, -INFINITY, 0}, out);
    EXPECT(is_texel(out, 2, 3, 1, 0), "infinities under alpha 0", 2, out[0]);
    reduce_two(WEIR_PYRAMID_ALPHA_MEAN, (const double[4]){INFINITY, NAN, 9, 0},
               (const double[4]){4, 6, 7, 0.5}, out);
    EXPECT(is_texel(out, 4, 6, 7, 0.25), "they do not spread", 2, out[1]);
    reduce_two(WEIR_PYRAMID_ALPHA_MEAN, (const double[4]){1, 2, 3, -1},
               (const double[4]){4, 6, 7, 1}, out);
    EXPECT(is_texel(out, 4, 6, 7, 0.5), "alpha below 0 counts as 0", 2, out[3]);
    // Grey of 3 has a luma of 3: weights 1/4 and 1, normalised 1/5 and 4/5.
    reduce_two(WEIR_PYRAMID_LUMA_MEAN, (const double[4]){3, 3, 3, 1}, (const double[4]){0, 0, 0, 0},
               out);
    EXPECT(is_texel(out, 0.6, 0.6, 0.6, 0.2), "luma mean", 2, out[0]);
    reduce_two(WEIR_PYRAMID_LUMA_MEAN, (const double[4]){-3, -3, -3, 1},
               (const double[4]){0, 0, 0, 0}, out);
    EXPECT(is_texel(out, -1.5, -1.5, -1.5, 0.5), "negative luma", 2, out[0]);
    reduce_two(WEIR_PYRAMID_LUMA_MEAN, (const double[4]){0, 1 / 0.7152, 0, 1},
               (const double[4]){1 / 0.2126, 0, 0, 0}, out);
    EXPECT(is_texel(out, 0.5 / 0.2126, 0.5 / 0.7152, 0, 0.5), "luma of Rec. 709", 2, out[0]);
}

static void check_infinities(void)
{
    const double inf = INFINITY;
    for (uint32_t size = 2; size <= 31; size++) {
        for (uint32_t i = 0; i < size * size; i++) {
            for (int c = 0; c < 4; c++) {
                texels[i][c] = c == 3 ? 1 : unit() - 0.5;
            }
        }
        texels[size * size / 2][0] = inf;
        texels[size * size / 2][1] = -inf;
        texels[size * size / 2][2] = NAN;
        reduce(WEIR_PYRAMID_MEAN, (const double(*)[4])texels, size, size, reduced);
        uint32_t counts[4] = {0};
        const uint32_t n = size / 2, num_boxes = n * n;
        for (uint32_t i = 0; i < num_boxes; i++) {
            const bool is_under = box_share(size, i % n, size * size / 2 % size) > 0 &&
                                  box_share(size, i / n, size * size / 2 / size) > 0;
            counts[0] += (reduced[i][0] == inf) != is_under;
            counts[1] += (reduced[i][1] == -inf) != is_under;
            counts[2] += (bool)isnan(reduced[i][2]) != is_under; // isnan() is any number but 0
            counts[3] += reduced[i][3] != 1 && fabs(reduced[i][3] - 1) > 1e-15;
        }
        EXPECT(counts[0] + counts[1] + counts[2] + counts[3] == 0, "infinities", size, counts[0]);
    }
    double out[4];
    reduce_two(WEIR_PYRAMID_MEAN, (const double[4]){inf, -inf, inf, 1},
               (const double[4]){inf, -inf, -inf, 1}, out);
    EXPECT(out[0] == inf && out[1] == -inf && isnan(out[2]), "two infinities", 2, out[2]);
    reduce_two(WEIR_PYRAMID_MIN, (const double[4]){inf, -inf, inf, NAN},
               (const double[4]){inf, inf, 1, 1}, out);
    EXPECT(out[0] == inf && out[1] == -inf && out[2] == 1 && isnan(out[3]), "min", 2, out[2]);
    reduce_two(WEIR_PYRAMID_ALPHA_MEAN, (const double[4]){inf, 1, 1, 0.5},
               (const double[4]){1, 1, 1, 0.5}, out);
    EXPECT(out[0] == inf && out[1] == 1, "an infinite colour", 2, out[0]);
    const double row[3][4] = {{inf}, {1}, {inf}}; // a blit's tap at the middle texel has no other
    EXPECT(ref_pyramid_reduce(WEIR_PYRAMID_MEAN, true, row, 3, 1, reduced) && reduced[0][0] == 1,
           "a tap of weight 0", 3, reduced[0][0]);
}

// A linear filter by its definition in the Vulkan specification, "Texel Filtering".
static void check_blit(void)
{
    for (uint32_t size = 1; size <= LONGEST; size++) {
        const uint32_t n = ref_pyramid_level_size(size, 1);
        fill(size);
        EXPECT(ref_pyramid_reduce(WEIR_PYRAMID_MEAN, true, (const double(*)[4])texels, size, 1,
                                  reduced),
               "memory", size, 0);
        for (uint32_t i = 0; i < n; i++) {
            const double u = (i + 0.5) * size / n - 0.5;
            const double low = fmin(fmax(floor(u), 0), size - 1), high = fmin(low + 1, size - 1);
            const double filtered = (1 - (u - floor(u))) * texels[(uint32_t)low][0] +
                                    (u - floor(u)) * texels[(uint32_t)high][0];
            EXPECT(fabs(reduced[i][0] - filtered) < 1e-12, "blit", size, reduced[i][0] - filtered);
        }
    }
}

int main(void)
{
    seeded_start();
    check_kernel();
    for (uint32_t i = 0; i < 300; i++) {
        const uint32_t width = 1 + below(64), height = 1 + below(64);
        check_invariants(reductions[i % NUM_REDUCTIONS], width, height);
        if (i < 60) {
            check_footprints(1 + below(33), 1 + below(33));
        }
    }
    check_weighted();
    check_infinities();
    check_blit();
    return test_finish();
}
