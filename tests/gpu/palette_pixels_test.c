// SPDX-License-Identifier: MIT
// Palette reduction gives the reference's pixels: random palettes, and the extremes on purpose.
//
// With --few, for other sizes of subgroups, which neither weights nor lights know of: each weight
// and each light, but not with each other.
#include <math.h>
#include <stdio.h>

#include "tests/gpu/palette_test.h"

enum { SIDE = PALETTE_SIDE, NUM_PIXELS = SIDE * SIDE, NUM_RANDOM = 12, NUM_FEW = 4 };
enum { SMALL_SIDE = 34, NUM_SMALL = SMALL_SIDE * SMALL_SIDE }; // more than a workgroup's 32x8

// Four kinds of palettes, or two: weights and lights.
struct kinds {
    weir_palette *palettes[4];
    uint32_t num;
};

static void check_random(struct harness *h, const struct kinds *kinds, int num)
{
    static uint8_t rgba[4 * NUM_PIXELS];
    for (int i = 0; i < num; i++) {
        const uint32_t side = SIDE >> i % 4; // large ones take nearly all the time
        palette_draw_pixels(h, side * side, rgba);
        const struct palette_picture picture = palette_square(side, rgba);
        const struct weir_palette_start start = {
            .radius = palette_draw_radius(h),
            .limit = harness_random_below(h, 4) == 0 ? 1 + harness_random_below(h, 12) : 0,
        };
        char name[32];
        snprintf(name, sizeof(name), "random %d", i);
        palette_check(h, kinds->palettes[harness_random_below(h, kinds->num)], name, &picture,
                      &start, true);
    }
}

// Every two of a palette, a radius and an extreme picture; with `has_all` every three.
static void check_extremes(struct harness *h, const struct kinds *kinds, bool has_all)
{
    static uint8_t rgba[4 * NUM_SMALL];
    static const float radii[] = {0, 1e-7f, 0.02f, 0.5f, WEIR_PALETTE_MAX_RADIUS};
    const struct palette_picture picture = palette_square(SMALL_SIDE, rgba);
    const uint32_t drawn = harness_random_below(h, PALETTE_NUM_EXTREMES);
    for (uint32_t k = 0; k < kinds->num; k++) {
        for (uint32_t r = 0; r < 5; r++) {
            for (int extreme = 0; extreme < PALETTE_NUM_EXTREMES; extreme++) {
                // two of four where there are two palettes
                const uint32_t place = ((uint32_t)extreme + k + r + drawn) % kinds->num;
                if (has_all || place == 0) {
                    const char *name = palette_draw_extreme(extreme, NUM_SMALL, rgba);
                    palette_check(h, kinds->palettes[k], name, &picture,
                                  &(struct weir_palette_start){.radius = radii[r]}, true);
                }
            }
        }
    }
}

// The radius at which one colour is just within reach of another, and the float below it.
static void check_two_colors(struct harness *h, const struct kinds *kinds)
{
    static uint8_t rgba[4 * NUM_SMALL];
    for (int i = 0; i < 4; i++) {
        palette_draw_one(harness_random(h) & 0xffffff, 255, NUM_SMALL, rgba);
        for (int c = 0; c < 3; c++) {
            rgba[c] = palette_draw_near(h, rgba[4 + c], 20);
        }
        weir_palette *palette = kinds->palettes[(uint32_t)i % kinds->num];
        const bool srgb = weir_palette_get_params(palette).light == WEIR_PALETTE_LIGHT_SRGB;
        const struct ref_palette_point p = ref_palette_point_of(palette_color_at(rgba), srgb);
        const struct ref_palette_point q = ref_palette_point_of(palette_color_at(rgba + 4), srgb);
        const double squared = (double)(p.l - q.l) * (p.l - q.l) +
                               (double)(p.a - q.a) * (p.a - q.a) +
                               (double)(p.b - q.b) * (p.b - q.b);
        float radius = (float)(sqrt(squared) / (1 << 24));
        while ((double)ref_palette_squared_radius(radius) >= squared) {
            radius = nextafterf(radius, 0);
        }
        const struct palette_picture picture = palette_square(SMALL_SIDE, rgba);
        palette_check(h, palette, "just out of reach", &picture,
                      &(struct weir_palette_start){.radius = radius}, true);
        palette_check(h, palette, "just within reach", &picture,
                      &(struct weir_palette_start){.radius = nextafterf(radius, 2)}, true);
    }
}

void palette_test_pixels(struct palette_test *t)
{
    struct kinds kinds = {.num = t->few ? 2 : 4};
    // without a product each weight has one light, and the seed says which
    const uint32_t turn = harness_random_below(&t->h, 2);
    for (uint32_t k = 0; k < kinds.num; k++) {
        const bool srgb = (t->few ? k ^ turn : k >> 1) & 1;
        kinds.palettes[k] = palette_of(
            t,
            weir_palette_params(.weight = k & 1 ? WEIR_PALETTE_WEIGHT_FREQUENCY
                                                : WEIR_PALETTE_WEIGHT_EQUAL,
                                .light = srgb ? WEIR_PALETTE_LIGHT_SRGB : WEIR_PALETTE_LIGHT_RAW));
    }
    check_extremes(&t->h, &kinds, t->all);
    check_two_colors(&t->h, &kinds);
    check_random(&t->h, &kinds, t->few ? NUM_FEW : t->rounds ? t->rounds : NUM_RANDOM);
}
