// SPDX-License-Identifier: MIT
// Palette reduction by k-means gives the reference's pixels: random pictures, and the extremes on
// purpose, these with every two of a weight, a metric and a light. With --all with every three.
#include <string.h>

#include "tests/gpu/palette_test.h"

enum { SIDE = PALETTE_SIDE, NUM_PIXELS = SIDE * SIDE, NUM_RANDOM = 16, NUM_KINDS = 8 };
enum { SMALL_SIDE = 34, NUM_SMALL = SMALL_SIDE * SMALL_SIDE }; // more than a workgroup's 32x8

// Weights, metrics and lights, as bits of a kind's number.
static weir_palette *palette_of_kind(struct palette_test *t, int kind)
{
    return palette_of(t, weir_palette_params(.method = WEIR_PALETTE_METHOD_K_MEANS,
                                             .weight = kind & 1 ? WEIR_PALETTE_WEIGHT_FREQUENCY
                                                                : WEIR_PALETTE_WEIGHT_EQUAL,
                                             .metric = kind & 2 ? WEIR_PALETTE_METRIC_OKLAB
                                                                : WEIR_PALETTE_METRIC_CODES,
                                             .light = kind & 4 ? WEIR_PALETTE_LIGHT_SRGB
                                                               : WEIR_PALETTE_LIGHT_RAW));
}

static void check(struct palette_test *t, int kind, const char *name, uint32_t side,
                  const uint8_t *rgba, uint32_t num_colors, bool keep_rare)
{
    const struct palette_picture picture = palette_square(side, rgba);
    const struct weir_palette_start start = {.num_colors = num_colors, .keep_rare = keep_rare};
    palette_check(&t->h, palette_of_kind(t, kind), name, &picture, &start, false);
}

static uint32_t draw_num_colors(struct harness *h)
{
    static const uint32_t nums[] = {1, 2, 3, 16, 255, 256};
    const uint32_t i = harness_random_below(h, 9);
    return i < 6 ? nums[i] : 1 + harness_random_below(h, WEIR_PALETTE_MAX_NUM_COLORS);
}

static void check_random(struct palette_test *t, int num)
{
    static uint8_t rgba[4 * NUM_PIXELS];
    for (int i = 0; i < num; i++) {
        const uint32_t side = SIDE >> i % 4;
        palette_draw_pixels(&t->h, side * side, rgba);
        const uint32_t num_colors = draw_num_colors(&t->h);
        check(t, i % NUM_KINDS, "random", side, rgba, num_colors,
              harness_random_below(&t->h, 2) > 0);
    }
}

static void check_extremes(struct palette_test *t)
{
    static uint8_t rgba[4 * NUM_SMALL];
    static const uint32_t nums[PALETTE_NUM_EXTREMES][2] = {{16}, {1}, {1, 2}, {255, 256}};
    const int drawn = (int)harness_random_below(&t->h, 2);
    for (int k = 0; k < NUM_KINDS; k++) {
        for (int e = 0;
             e < PALETTE_NUM_EXTREMES && (t->all || ((k ^ k >> 1 ^ k >> 2) & 1) == drawn); e++) {
            const char *name = palette_draw_extreme(e, NUM_SMALL, rgba);
            for (int i = 0; i < 2 && nums[e][i] > 0; i++) {
                check(t, k, name, SMALL_SIDE, rgba, nums[e][i], false);
            }
        }
    }
}

// Soft greens and blues, and two pixels of red: k-means for most pixels has no place for it.
static void check_rare(struct palette_test *t)
{
    static uint8_t rgba[4 * NUM_PIXELS], pixels[4 * NUM_PIXELS];
    for (uint32_t i = 0; i < NUM_PIXELS; i++) {
        rgba[4 * i] = (uint8_t)(20 + harness_random_below(&t->h, 10));
        rgba[4 * i + 1] = (uint8_t)(i % SIDE * 2 + harness_random_below(&t->h, 10));
        rgba[4 * i + 2] = (uint8_t)(i / SIDE * 2 + harness_random_below(&t->h, 10));
        rgba[4 * i + 3] = 255;
    }
    const uint8_t red[] = {250, 10, 20};
    memcpy(rgba, red, 3);
    memcpy(rgba + 4 * (NUM_PIXELS - 1), red, 3);
    const struct palette_picture picture = palette_square(SIDE, rgba);
    for (int keeps = 0; keeps < 2; keeps++) {
        const struct weir_palette_start start = {.num_colors = 16, .keep_rare = keeps};
        struct weir_palette_stats stats;
        check(t, 1, "a rare red", SIDE, rgba, 16, keeps);
        if (palette_run(&t->h, palette_of_kind(t, 1), &picture, &start, pixels, &stats)) {
            test_expect((palette_color_at(pixels) == palette_color_at(red)) == keeps,
                        "keep_rare %d: a rare %06x becomes %06x", keeps, palette_color_at(red),
                        palette_color_at(pixels));
        }
    }
}

void palette_test_means(struct palette_test *t)
{
    check_extremes(t);
    check_rare(t);
    check_random(t, t->rounds ? t->rounds : NUM_RANDOM);
}
