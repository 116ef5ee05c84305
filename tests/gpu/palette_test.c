// SPDX-License-Identifier: MIT
// Palette reduction gives the reference's pixels: random palettes, and the extremes on purpose.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/palette.h>

#include "tests/gpu/palette_check.h"
#include "tests/gpu/palette_draw.h"
#include "tests/ref/palette.h"

enum { SIDE = 96, NUM_PIXELS = SIDE * SIDE, NUM_RANDOM = 80 };

// Four kinds of palettes: weights and lights.
struct kinds {
    weir_palette *palettes[2][2];
};

static void check_random(struct harness *h, const struct kinds *kinds, int num)
{
    static uint8_t rgba[4 * NUM_PIXELS];
    for (int i = 0; i < num; i++) {
        const uint32_t side = SIDE >> i % 4; // large ones take nearly all the time
        palette_draw_pixels(h, side * side, rgba);
        const struct palette_picture picture = {.width = side, .height = side, .rgba = rgba};
        const struct weir_palette_start start = {
            .radius = palette_draw_radius(h),
            .limit = harness_random_below(h, 4) == 0 ? 1 + harness_random_below(h, 12) : 0,
        };
        char name[32];
        snprintf(name, sizeof(name), "random %d", i);
        palette_check(h, kinds->palettes[harness_random_below(h, 2)][harness_random_below(h, 2)],
                      name, &picture, &start, true);
    }
}

static void check_extremes(struct harness *h, const struct kinds *kinds)
{
    static uint8_t rgba[4 * NUM_PIXELS];
    static const float radii[] = {0, 1e-7f, 0.02f, 0.5f, WEIR_PALETTE_MAX_RADIUS};
    const struct palette_picture picture = {.width = SIDE, .height = SIDE, .rgba = rgba};
    for (int k = 0; k < 4; k++) {
        weir_palette *palette = kinds->palettes[k & 1][k >> 1];
        for (int r = 0; r < 5; r++) {
            const struct weir_palette_start start = {.radius = radii[r]};
            palette_draw_one(0x123456, 0, NUM_PIXELS, rgba);
            palette_check(h, palette, "transparent", &picture, &start, true);
            palette_draw_one(0xffffff, 255, NUM_PIXELS, rgba);
            palette_check(h, palette, "one colour", &picture, &start, true);
            rgba[0] = 0;
            rgba[1] = 0;
            rgba[2] = 0;
            palette_check(h, palette, "white and a black pixel", &picture, &start, true);
            for (int i = 0; i < NUM_PIXELS; i++) {
                memset(rgba + 4 * i, i & 255, 3);
            }
            palette_check(h, palette, "grey ramp", &picture, &start, true);
        }
    }
}

// The radius at which one colour is just within reach of another, and the float below it.
static void check_two_colors(struct harness *h, const struct kinds *kinds)
{
    static uint8_t rgba[4 * NUM_PIXELS];
    for (int i = 0; i < 8; i++) {
        palette_draw_one(harness_random(h) & 0xffffff, 255, NUM_PIXELS, rgba);
        for (int c = 0; c < 3; c++) {
            rgba[c] = palette_draw_near(h, rgba[4 + c], 20);
        }
        const struct ref_palette_point p = ref_palette_point_of(palette_color_at(rgba), false);
        const struct ref_palette_point q = ref_palette_point_of(palette_color_at(rgba + 4), false);
        const double squared = (double)(p.l - q.l) * (p.l - q.l) +
                               (double)(p.a - q.a) * (p.a - q.a) +
                               (double)(p.b - q.b) * (p.b - q.b);
        float radius = (float)(sqrt(squared) / (1 << 24));
        while ((double)ref_palette_squared_radius(radius) >= squared) {
            radius = nextafterf(radius, 0);
        }
        const struct palette_picture picture = {.width = SIDE, .height = SIDE, .rgba = rgba};
        palette_check(h, kinds->palettes[i & 1][0], "just out of reach", &picture,
                      &(struct weir_palette_start){.radius = radius}, true);
        palette_check(h, kinds->palettes[i & 1][0], "just within reach", &picture,
                      &(struct weir_palette_start){.radius = nextafterf(radius, 2)}, true);
    }
}

static weir_palette *create(struct harness *h, int frequency, int srgb)
{
    return palette_create(
        h, weir_palette_params(.like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0),
                               .max_colors = NUM_PIXELS,
                               .weight = frequency ? WEIR_PALETTE_WEIGHT_FREQUENCY
                                                   : WEIR_PALETTE_WEIGHT_EQUAL,
                               .light = srgb ? WEIR_PALETTE_LIGHT_SRGB : WEIR_PALETTE_LIGHT_RAW));
}

int main(int argc, char **argv)
{
    struct harness harness;
    harness_init(&harness, true);
    struct kinds kinds;
    for (int k = 0; k < 4; k++) {
        kinds.palettes[k & 1][k >> 1] = create(&harness, k & 1, k >> 1);
    }
    check_extremes(&harness, &kinds);
    check_two_colors(&harness, &kinds);
    check_random(&harness, &kinds, argc > 1 ? atoi(argv[1]) : NUM_RANDOM);
    for (int k = 0; k < 4; k++) {
        weir_palette_destroy(&kinds.palettes[k & 1][k >> 1]);
    }
    return harness_finish(&harness);
}
