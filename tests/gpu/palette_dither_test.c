// SPDX-License-Identifier: MIT
// Dither by a pattern gives the reference's pixels: ordered and blue noise, in every metric.
//
// Every run has every two of a pattern, a metric and a light; the seed says which third goes with
// them, and to how many colours. With --all all of these, and more pictures.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/palette.h>

#include "tests/gpu/palette_check.h"
#include "tests/gpu/palette_draw.h"
#include "tests/ref/palette_dither.h"

enum { SIDE = 96, NUM_PIXELS = SIDE * SIDE, NUM_KINDS = 8 };

// A ramp of two axes with a little noise, which has flat parts and steps; some of it transparent.
static void draw_ramps(struct harness *h, uint8_t *rgba)
{
    const uint32_t noise = 1 + harness_random_below(h, 3);
    for (uint32_t i = 0; i < NUM_PIXELS; i++) {
        const uint32_t x = i % SIDE, y = i / SIDE;
        const uint32_t codes[] = {2 * x, 2 * y, x + y};
        for (int c = 0; c < 3; c++) {
            rgba[4 * i + c] = (uint8_t)(codes[c] + harness_random_below(h, noise));
        }
        rgba[4 * i + 3] = x > 60 && y < 30 ? 0 : 255;
    }
}

// The picture by the reference.
static void make_wanted(const weir_palette *palette, uint32_t num_colors, const uint8_t *rgba,
                        uint8_t *wanted, struct ref_palette_dither *dither)
{
    *dither = (struct ref_palette_dither){
        .params = palette_means_params(palette, num_colors),
        .pattern = weir_palette_get_params(palette).dither == WEIR_PALETTE_DITHER_ORDERED
                       ? REF_PALETTE_ORDERED
                       : REF_PALETTE_BLUE_NOISE,
    };
    uint32_t n, *colors, *counts;
    test_must(ref_palette_count(rgba, NUM_PIXELS, &n, &colors, &counts), "memory");
    uint32_t *nearest = calloc(n + 1, sizeof(*nearest));
    test_must(nearest && ref_palette_means(&dither->params, n, colors, counts, dither->palette,
                                           &dither->num_palette, nearest),
              "memory");
    if (n > num_colors) {
        ref_palette_dither(dither, SIDE, SIDE, rgba, wanted);
    } else {
        memcpy(wanted, rgba, 4 * NUM_PIXELS);
    }
    free(nearest);
    free(colors);
    free(counts);
}

static void compare(const char *name, const uint8_t *wanted, const uint8_t *pixels)
{
    for (uint32_t i = 0; i < NUM_PIXELS; i++) {
        const uint8_t *want = wanted + 4 * i, *got = pixels + 4 * i;
        if (!test_expect(memcmp(want, got, 4) == 0,
                         "%s: pixel %u, %u is %06x alpha %u, reference %06x alpha %u", name,
                         i % SIDE, i / SIDE, palette_color_at(got), got[3], palette_color_at(want),
                         want[3])) {
            return;
        }
    }
}

static void check_palette(const char *name, const weir_palette *palette,
                          const struct ref_palette_dither *dither)
{
    uint32_t colors[WEIR_PALETTE_MAX_NUM_COLORS];
    const uint32_t num = weir_palette_get_colors(palette, colors);
    test_expect(
        num == dither->num_palette && memcmp(colors, dither->palette, num * sizeof(*colors)) == 0,
        "%s: a palette of %u colours is not the reference's of %u", name, num, dither->num_palette);
}

static void check(struct harness *h, weir_palette *palette, const char *what, const uint8_t *rgba,
                  uint32_t num_colors)
{
    static uint8_t pixels[4 * NUM_PIXELS], wanted[4 * NUM_PIXELS];
    const struct weir_palette_params params = weir_palette_get_params(palette);
    const struct palette_picture picture = {.width = SIDE, .height = SIDE, .rgba = rgba};
    const struct weir_palette_start start = {.num_colors = num_colors};
    struct ref_palette_dither dither;
    struct weir_palette_stats stats;
    char name[128];
    snprintf(name, sizeof(name), "%s to %u, dither %d, metric %d, light %d", what, num_colors,
             (int)params.dither, (int)params.metric, (int)params.light);
    make_wanted(palette, num_colors, rgba, wanted, &dither);
    if (palette_run(h, palette, &picture, &start, pixels, &stats)) {
        compare(name, wanted, pixels);
        check_palette(name, palette, &dither);
    }
}

static weir_palette *create(struct harness *h, int kind)
{
    return palette_create(
        h,
        weir_palette_params(.method = WEIR_PALETTE_METHOD_K_MEANS, .max_colors = NUM_PIXELS,
                            .weight = WEIR_PALETTE_WEIGHT_FREQUENCY,
                            .dither = kind & 1 ? WEIR_PALETTE_DITHER_ORDERED
                                               : WEIR_PALETTE_DITHER_BLUE_NOISE,
                            .metric = kind & 2 ? WEIR_PALETTE_METRIC_OKLAB
                                               : WEIR_PALETTE_METRIC_CODES,
                            .light = kind & 4 ? WEIR_PALETTE_LIGHT_SRGB : WEIR_PALETTE_LIGHT_RAW));
}

// Random pictures with as few colours as that, and pictures of two colours.
static void test_kind(struct harness *h, int kind, int num_random)
{
    static uint8_t rgba[4 * NUM_PIXELS];
    static const uint32_t nums[] = {2, 7, 16, 256};
    weir_palette *palette = create(h, kind);
    for (int i = 0; i < num_random; i++) {
        const uint32_t num_colors = nums[harness_random_below(h, 4)];
        draw_ramps(h, rgba);
        check(h, palette, "ramps", rgba, num_colors);
        palette_draw_pixels(h, NUM_PIXELS, rgba);
        check(h, palette, "random", rgba, num_colors);
    }
    for (uint32_t i = 0; i < NUM_PIXELS; i++) {
        memset(rgba + 4 * i, i % SIDE < SIDE / 2 ? 20 : 200, 3);
        rgba[4 * i + 3] = 255;
    }
    check(h, palette, "two colours", rgba, 2);
    check(h, palette, "two colours", rgba, 1);
    weir_palette_destroy(&palette);
}

// usage: palette_dither_test [--all]
int main(int argc, char **argv)
{
    const bool has_all = argc > 1 && strcmp(argv[1], "--all") == 0;
    struct harness harness;
    harness_init(&harness, true);
    const int drawn = (int)harness_random_below(&harness, 2);
    for (int k = 0; k < NUM_KINDS; k++) {
        if (has_all || ((k ^ k >> 1 ^ k >> 2) & 1) == drawn) {
            test_kind(&harness, k, has_all ? 4 : 1);
        }
    }
    return harness_finish(&harness);
}
