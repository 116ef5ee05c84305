// SPDX-License-Identifier: MIT
// Dither by a pattern gives the reference's pixels: ordered and blue noise, in every metric.
//
// Every run has every two of a pattern, a metric and a light; the seed says which third goes with
// them, and to how many colours. With --all all of these, and more pictures.
#include <string.h>

#include "tests/gpu/palette_test.h"

enum { SIDE = PALETTE_SIDE, NUM_PIXELS = SIDE * SIDE, NUM_KINDS = 8 };

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

static void check(struct palette_test *t, int kind, const char *name, const uint8_t *rgba,
                  uint32_t num_colors)
{
    weir_palette *palette = palette_of(
        t,
        weir_palette_params(.method = WEIR_PALETTE_METHOD_K_MEANS,
                            .weight = WEIR_PALETTE_WEIGHT_FREQUENCY,
                            .dither = kind & 1 ? WEIR_PALETTE_DITHER_ORDERED
                                               : WEIR_PALETTE_DITHER_BLUE_NOISE,
                            .metric = kind & 2 ? WEIR_PALETTE_METRIC_OKLAB
                                               : WEIR_PALETTE_METRIC_CODES,
                            .light = kind & 4 ? WEIR_PALETTE_LIGHT_SRGB : WEIR_PALETTE_LIGHT_RAW));
    const struct palette_picture picture = palette_square(SIDE, rgba);
    palette_check(&t->h, palette, name, &picture,
                  &(struct weir_palette_start){.num_colors = num_colors}, false);
}

// Random pictures with as few colours as that, and pictures of two colours.
static void test_kind(struct palette_test *t, int kind, int num_random)
{
    static uint8_t rgba[4 * NUM_PIXELS];
    static const uint32_t nums[] = {2, 7, 16, 256};
    for (int i = 0; i < num_random; i++) {
        const uint32_t num_colors = nums[harness_random_below(&t->h, 4)];
        draw_ramps(&t->h, rgba);
        check(t, kind, "ramps", rgba, num_colors);
        palette_draw_pixels(&t->h, NUM_PIXELS, rgba);
        check(t, kind, "random", rgba, num_colors);
    }
    for (uint32_t i = 0; i < NUM_PIXELS; i++) {
        palette_draw_one(i % SIDE < SIDE / 2 ? 0x141414 : 0xc8c8c8, 255, 1, rgba + 4 * i);
    }
    check(t, kind, "two colours", rgba, 2);
    check(t, kind, "two colours", rgba, 1);
}

void palette_test_dither(struct palette_test *t)
{
    const int drawn = (int)harness_random_below(&t->h, 2);
    for (int k = 0; k < NUM_KINDS; k++) {
        if (t->all || ((k ^ k >> 1 ^ k >> 2) & 1) == drawn) {
            test_kind(t, k, t->all ? 4 : 1);
        }
    }
}
