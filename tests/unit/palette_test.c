// SPDX-License-Identifier: MIT
// The references of palette reduction: their lattice, the naive one beside the fast one, and both
// beside real numbers.
#include "tests/ref/palette.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/expect.h"
#include "tests/ref/palette_oklab.h"
#include "tests/ref/palette_picture.h"
#include "tests/ref/texel.h"
#include "tests/sanitized.h"
#include "tests/seeded.h"

enum { MAX_COLORS = 4096, PICTURE_WIDTH = 256, PICTURE_HEIGHT = 128 };

struct palette {
    uint32_t n;
    uint32_t colors[MAX_COLORS], counts[MAX_COLORS];
};

// Not of the stack: large.
static struct palette palette;
static uint32_t out[MAX_COLORS], other[MAX_COLORS];
static struct ref_palette_point points[MAX_COLORS], ends[MAX_COLORS];

static struct ref_palette_stats naive(const struct ref_palette_params *params, uint32_t *new_colors)
{
    struct ref_palette_stats stats;
    test_expect(
        ref_palette_naive(params, palette.n, palette.colors, palette.counts, new_colors, &stats),
        "the naive reduction has memory");
    return stats;
}

static struct ref_palette_stats reduce(const struct ref_palette_params *params,
                                       uint32_t *new_colors)
{
    struct ref_palette_stats stats;
    test_expect(
        ref_palette_reduce(params, palette.n, palette.colors, palette.counts, new_colors, &stats),
        "the reduction has memory");
    return stats;
}

static bool is_same(void)
{
    return memcmp(out, other, palette.n * sizeof(*out)) == 0;
}

// All colours come back, so no two have one point. A run takes one in 17 of them, from one on that
// the seed draws; with `all` each.
static void test_lattice(bool all)
{
    const uint32_t step = all ? 1 : 17;
    for (int srgb = 0; srgb < 2; srgb++) {
        uint32_t num_lost = 0, num_outside = 0;
        for (uint32_t color = (uint32_t)seeded_below((int)step); color < 1 << 24;
             color += step * SANITIZED_STRIDE) {
            const struct ref_palette_point p = ref_palette_point_of(color, srgb);
            num_lost += ref_palette_color_of(p, srgb) != color;
            num_outside += p.l < 0 || p.l > 1 << 24 || p.a < 0 || p.a >= 1 << 24 || p.b < 0 ||
                           p.b >= 1 << 24;
        }
        test_expect(num_lost == 0, "every colour comes back from the lattice");
        test_expect(num_outside == 0, "every point is in the lattice's cube");
    }
}

// Points are rounded once: none is further than 5/8 of a step from where real numbers have it.
static void test_points(void)
{
    for (int i = 0; i < 100000; i += SANITIZED_STRIDE) {
        const uint32_t color = (uint32_t)seeded_below(1 << 24);
        const bool srgb = seeded_below(2);
        const struct ref_palette_point p = ref_palette_point_of(color, srgb);
        double lms[3] = {0}, error[3] = {p.l, p.a - 0x1p23, p.b - 0x1p23};
        for (int k = 0; k < 9; k++) {
            const double x = (color >> (16 - 8 * (k % 3)) & 255) / 255.0;
            lms[k / 3] += oklab_rgb_to_lms[k / 3][k % 3] * (srgb ? ref_srgb_decode(x) : x);
        }
        for (int k = 0; k < 9; k++) {
            error[k / 3] -= oklab_lms_to_lab[k / 3][k % 3] * cbrt(lms[k % 3]) * 0x1p24;
        }
        test_expect(fmax(fabs(error[0]), fmax(fabs(error[1]), fabs(error[2]))) <= 0.625,
                    "a point is where its colour is");
    }
}

// Greys are the cubes of L: the least L of a code is where its light is half-way from the code
// before.
static void test_codes(void)
{
    for (int srgb = 0; srgb < 2; srgb++) {
        for (uint32_t code = 1; code < 256; code++) {
            const double half = (code - 0.5) / 255;
            const double light = !srgb            ? half
                                 : half < 0.04045 ? half / 12.92
                                                  : pow((half + 0.055) / 1.055, 2.4);
            const int32_t border = (int32_t)(cbrt(light) * 0x1p24); // to a step of L
            const struct ref_palette_point below = {border - 1, 1 << 23, 1 << 23},
                                           above = {border + 2, 1 << 23, 1 << 23};
            test_expect(ref_palette_color_of(below, srgb) == (code - 1) * 0x10101 &&
                            ref_palette_color_of(above, srgb) == code * 0x10101,
                        "light rounds to the nearest code");
        }
    }
}

// m^3 / 2^27, rounded down or up, of m up to 2^30. The cube has 90 bits, in two parts of base 2^32.
static uint64_t scaled_cube(uint64_t m, bool rounds_up)
{
    const uint64_t low = (m * m & UINT32_MAX) * m;
    const uint64_t high = (m * m >> 32) * m + (low >> 32);
    const uint64_t rest = low & ((1 << 27) - 1);
    return (high << 5 | (low & UINT32_MAX) >> 27) + (rounds_up && rest > 0);
}

static void expect_cube_root(uint64_t n)
{
    const uint64_t x = ref_palette_cube_root(n);
    test_expect((x == 0 || scaled_cube(2 * x - 1, true) <= n) && scaled_cube(2 * x + 1, true) > n,
                "the cube root is the nearest number");
}

static void test_cube_root(void)
{
    for (uint64_t n = 0; n < 1000; n++) {
        expect_cube_root(n);
    }
    for (int i = 0; i < 200000; i += SANITIZED_STRIDE) {
        const uint64_t bits = (uint64_t)seeded_below(1 << 30) << 33 |
                              (uint64_t)seeded_below(1 << 30) << 3 | (uint64_t)seeded_below(8);
        expect_cube_root(bits >> seeded_below(63));
        // The border of rounding up: the last integer below (x + 1/2)^3, and the first one above.
        const uint64_t border = scaled_cube(2 * (uint64_t)seeded_below(1 << 29) + 1, false);
        expect_cube_root(border);
        expect_cube_root(border + 1);
    }
    expect_cube_root(UINT64_C(1) << 63);
}

static int compare_colors(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Up to `num` distinct colours: anywhere, or within `spread` of one, or greys.
static void draw_palette(int num, int spread, bool is_grey)
{
    const int base[3] = {seeded_below(256), seeded_below(256), seeded_below(256)};
    for (int i = 0; i < num; i++) {
        uint32_t color = 0;
        for (int c = 0; c < 3; c++) {
            const int code = base[c] + seeded_below(2 * spread + 1) - spread;
            color = color << 8 | (uint32_t)(code < 0 ? 0 : code > 255 ? 255 : code);
        }
        palette.colors[i] = is_grey ? (color & 255) * 0x10101 : color;
    }
    qsort(palette.colors, (size_t)num, sizeof(*palette.colors), compare_colors);
    palette.n = 0;
    for (int i = 0; i < num; i++) {
        if (i == 0 || palette.colors[i] != palette.colors[palette.n - 1]) {
            palette.colors[palette.n++] = palette.colors[i];
        }
    }
    for (uint32_t i = 0; i < palette.n; i++) {
        palette.counts[i] = 1 + (uint32_t)seeded_below(1 << seeded_below(24));
    }
}

static void draw_picture(uint32_t num_colors, uint64_t seed)
{
    static uint8_t rgba[PICTURE_WIDTH * PICTURE_HEIGHT * 4];
    uint32_t *colors = NULL, *counts = NULL;
    test_expect(ref_palette_picture(PICTURE_WIDTH, PICTURE_HEIGHT, num_colors, seed, rgba) &&
                    ref_palette_count(rgba, sizeof(rgba) / 4, &palette.n, &colors, &counts),
                "a picture is drawn");
    test_expect(palette.n == num_colors, "a picture has exactly its number of colours");
    palette.n = palette.n < MAX_COLORS ? palette.n : MAX_COLORS;
    memcpy(palette.colors, colors, palette.n * sizeof(*colors));
    memcpy(palette.counts, counts, palette.n * sizeof(*counts));
    free(colors);
    free(counts);
}

static float draw_radius(void)
{
    static const float special[] = {0, 1e-7f, 1e-3f, 1, 1.7320508f};
    const int kind = seeded_below(15);
    return kind < 5 ? special[kind] : 0.005f + 0.295f * (float)seeded_below(1 << 20) / (1 << 20);
}

static struct ref_palette_params draw_params(void)
{
    return (struct ref_palette_params){
        .radius = draw_radius(), .frequency = seeded_below(2), .srgb = seeded_below(2)};
}

static void test_naive(void)
{
    for (int i = 0; i < 300; i += SANITIZED_STRIDE) {
        draw_palette(1 + seeded_below(400), seeded_below(3) > 0 ? 256 : 1 + seeded_below(60),
                     seeded_below(8) == 0);
        struct ref_palette_params params = draw_params();
        params.limit = seeded_below(3) == 0 ? 1 + (uint32_t)seeded_below(6) : 0;
        const struct ref_palette_stats slow = naive(&params, out), fast = reduce(&params, other);
        test_expect(is_same() && slow.num_new_colors == fast.num_new_colors,
                    "naive and fast are one");
        test_expect(slow.max_steps == fast.max_steps, "the longest way is as long");
        test_expect(params.limit == 0 ? fast.evaluations <= slow.evaluations
                                      : fast.evaluations == slow.evaluations,
                    "merged ways are no more steps, and with a limit none merge");
        test_expect(params.limit == 0 || fast.max_steps <= params.limit, "a limit is kept");
        params.limit = UINT32_MAX; // nothing merges, and nothing is cut off
        if (seeded_below(4) == 0) {
            const struct ref_palette_stats alone = reduce(&params, out);
            params.limit = 0;
            const struct ref_palette_stats merged = reduce(&params, other);
            test_expect(is_same() && alone.max_steps == merged.max_steps, "merged and not are one");
        }
    }
}

// Of pictures: ways that merge, and ends that stay.
static void test_ends(void)
{
    for (int i = 0; i < 4; i++) {
        draw_picture(1500, (uint64_t)seeded_below(1 << 30));
        struct ref_palette_params params = {
            .radius = 0.01f * (float)(2 + seeded_below(8)), .frequency = i & 1, .srgb = i >> 1};
        test_expect(
            ref_palette_reduce_points(&params, palette.n, palette.colors, palette.counts, ends),
            "the reduction has memory");
        for (uint32_t k = 0; k < palette.n; k++) {
            points[k] = ref_palette_point_of(palette.colors[k], params.srgb);
        }
        uint32_t num_moved = 0;
        for (uint32_t k = 0; k < palette.n; k++) {
            const struct ref_palette_point next = ref_palette_step(&params, palette.n, points,
                                                                   palette.counts, ends[k]);
            num_moved += memcmp(&next, &ends[k], sizeof(next)) != 0;
        }
        test_expect(num_moved == 0, "an end stays");
        const struct ref_palette_stats merged = reduce(&params, out);
        params.limit = UINT32_MAX;
        const struct ref_palette_stats alone = reduce(&params, other);
        test_expect(is_same() && merged.max_steps == alone.max_steps, "merged and not are one");
        test_expect(merged.evaluations < alone.evaluations, "ways of a picture merge");
    }
}

static void test_weights(void)
{
    for (int i = 0; i < 40; i++) {
        draw_palette(1 + seeded_below(300), seeded_below(2) > 0 ? 256 : 30, false);
        struct ref_palette_params params = draw_params();
        params.frequency = true;
        reduce(&params, out);
        const uint32_t scale = 2 + (uint32_t)seeded_below(100);
        for (uint32_t k = 0; k < palette.n; k++) {
            palette.counts[k] *= scale;
        }
        reduce(&params, other);
        test_expect(is_same(), "counts times a constant change nothing");
        for (uint32_t k = 0; k < palette.n; k++) {
            palette.counts[k] = 1;
        }
        reduce(&params, out);
        params.frequency = false;
        reduce(&params, other);
        test_expect(is_same(), "counts of 1 are as none");
    }
}

static void test_order(void)
{
    static uint32_t expected[MAX_COLORS];
    for (int i = 0; i < 20; i++) {
        draw_palette(1 + seeded_below(300), 256, false);
        const struct ref_palette_params params = draw_params();
        reduce(&params, out);
        memcpy(expected, out, sizeof(out));
        for (uint32_t k = palette.n - 1; k > 0; k--) { // Fisher and Yates
            const uint32_t with = (uint32_t)seeded_below((int)k + 1);
            uint32_t *const arrays[] = {palette.colors, palette.counts, expected};
            for (int a = 0; a < 3; a++) {
                const uint32_t swapped = arrays[a][k];
                arrays[a][k] = arrays[a][with];
                arrays[a][with] = swapped;
            }
        }
        reduce(&params, other);
        test_expect(memcmp(expected, other, palette.n * sizeof(*other)) == 0,
                    "the order of colours does not matter");
    }
}

static void test_special(void)
{
    draw_palette(MAX_COLORS, 256, false);
    for (int k = 0; k < 4; k++) {
        const struct ref_palette_params params = {.frequency = k & 1, .srgb = k >> 1};
        const struct ref_palette_stats stats = reduce(&params, out);
        test_expect(memcmp(out, palette.colors, palette.n * sizeof(*out)) == 0 &&
                        stats.max_steps == 1,
                    "a radius of 0 keeps every colour");
    }
    for (int i = 0; i < 100; i++) {
        draw_palette(1, 256, false);
        const struct ref_palette_params params = draw_params();
        reduce(&params, out);
        test_expect(out[0] == palette.colors[0], "one colour stays");
    }
    palette.n = 0;
    const struct ref_palette_stats stats = reduce(&(struct ref_palette_params){.radius = 1}, out);
    test_expect(stats.evaluations == 0 && stats.num_new_colors == 0, "no colours, no steps");

    draw_palette(MAX_COLORS, 256, true);
    for (int i = 0; i < 20; i++) {
        const struct ref_palette_params params = draw_params();
        naive(&params, out);
        reduce(&params, other);
        test_expect(is_same(), "naive and fast are one on a grey ramp");
        for (uint32_t k = 0; k < palette.n; k++) {
            test_expect(out[k] == (out[k] & 255) * 0x10101, "greys stay grey");
        }
    }
    const struct ref_palette_params all = {.radius = 1.7320508f};
    test_expect(reduce(&all, out).num_new_colors == 1, "the largest radius leaves one colour");
}

// The float whose square is `squared` on the lattice, or a negative one where there is none.
static float find_radius(uint64_t squared)
{
    float radius = (float)(sqrt((double)squared) * 0x1p-24);
    for (int i = 0; i < 4; i++) {
        radius = nextafterf(radius, 0);
    }
    for (int i = 0; i < 8; i++, radius = nextafterf(radius, 1)) {
        if (ref_palette_squared_radius(radius) == squared) {
            return radius;
        }
    }
    return -1;
}

// Two colours whose distance is the radius, to the last bit; and the float below it.
static void test_border(void)
{
    int num_found = 0;
    for (int i = 0; i < 100000 && num_found < 100; i++) {
        palette.n = 2;
        palette.colors[0] = (uint32_t)seeded_below(1 << 24) & ~0x10101u;
        palette.colors[1] = palette.colors[0] | 1u << 8 * seeded_below(3);
        palette.counts[0] = palette.counts[1] = 1;
        for (int k = 0; k < 2; k++) {
            points[k] = ref_palette_point_of(palette.colors[k], false);
        }
        const int64_t l = points[0].l - points[1].l, a = points[0].a - points[1].a,
                      b = points[0].b - points[1].b;
        const uint64_t squared = (uint64_t)(l * l + a * a + b * b);
        struct ref_palette_params params = {.radius = find_radius(squared)};
        if (params.radius < 0) {
            continue;
        }
        num_found++;
        for (int k = 0; k < 2; k++, params.radius = nextafterf(params.radius, 0)) {
            ref_palette_reduce_points(&params, 2, palette.colors, palette.counts, ends);
            test_expect((memcmp(&ends[0], &ends[1], sizeof(ends[0])) == 0) == (k == 0),
                        "the radius is inclusive");
            naive(&params, out);
            reduce(&params, other);
            test_expect(is_same(), "naive and fast are one at the border");
        }
    }
    test_expect(num_found == 100, "there are distances that are radii");
}
int main(int argc, char **argv)
{
    seeded_start();
    test_lattice(argc > 1 && strcmp(argv[1], "--all") == 0);
    test_points();
    test_codes();
    test_cube_root();
    test_naive();
    test_ends();
    test_weights();
    test_order();
    test_special();
    test_border();
    return test_finish();
}
