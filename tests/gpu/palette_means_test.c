// SPDX-License-Identifier: MIT
// Palette reduction by k-means gives the reference's pixels: random pictures, and the extremes on
// purpose, these with every two of a weight, a metric and a light. With --all with every three.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/palette.h>

#include "tests/gpu/palette_check.h"
#include "tests/gpu/palette_draw.h"

enum { SIDE = 96, NUM_PIXELS = SIDE * SIDE, NUM_RANDOM = 24, NUM_KINDS = 8 };
enum { SMALL_SIDE = 34, NUM_SMALL = SMALL_SIDE * SMALL_SIDE }; // more than a workgroup's 32x8

// Weights, metrics and lights, as bits of a kind's number.
struct kinds {
    weir_palette *palettes[NUM_KINDS];
};

// What the reference makes of a picture.
static void want_init(const struct ref_palette_means_params *params, const char *name,
                      const uint8_t *rgba, size_t num_pixels, struct palette_want *want)
{
    uint32_t palette[REF_PALETTE_MAX_MEANS], num_palette;
    *want = (struct palette_want){.is_table = false};
    test_must(ref_palette_count(rgba, num_pixels, &want->num_colors, &want->colors, &want->counts),
              "memory");
    want->new_colors = calloc(want->num_colors + 1, sizeof(*want->new_colors));
    test_must(want->new_colors &&
                  ref_palette_means(params, want->num_colors, want->colors, want->counts, palette,
                                    &num_palette, want->new_colors) &&
                  ref_palette_num_distinct(want->num_colors, want->new_colors,
                                           &want->stats.num_new_colors),
              "memory");
    snprintf(want->label, sizeof(want->label), "%s, %u colours to %u,%s%s%s%s", name,
             want->num_colors, params->num_colors, params->frequency ? " frequency" : "",
             params->oklab ? " oklab" : "", params->srgb ? " srgb" : "",
             params->keep_rare ? " keep_rare" : "");
}

static void check(struct harness *h, weir_palette *palette, const char *what, uint32_t side,
                  const uint8_t *rgba, uint32_t num_colors, bool keep_rare)
{
    static uint8_t pixels[4 * NUM_PIXELS];
    const size_t num_pixels = (size_t)side * side;
    struct ref_palette_means_params params = palette_means_params(palette, num_colors);
    params.keep_rare = keep_rare;
    const struct palette_picture picture = {.width = side, .height = side, .rgba = rgba};
    const struct weir_palette_start start = {.num_colors = num_colors, .keep_rare = keep_rare};
    struct weir_palette_stats stats;
    struct palette_want want;
    want_init(&params, what, rgba, num_pixels, &want);
    if (palette_run(h, palette, &picture, &start, pixels, &stats)) {
        palette_check_pixels(&want, rgba, num_pixels, pixels);
        test_expect(stats.num_colors == want.num_colors &&
                        stats.num_new_colors == want.stats.num_new_colors &&
                        stats.num_new_colors <= num_colors && stats.num_unfinished == 0,
                    "%s: %u colours -> %u, %u unfinished, reference %u -> %u", want.label,
                    stats.num_colors, stats.num_new_colors, stats.num_unfinished, want.num_colors,
                    want.stats.num_new_colors);
    }
    palette_want_finish(&want);
}

static uint32_t draw_num_colors(struct harness *h)
{
    static const uint32_t nums[] = {1, 2, 3, 16, 255, 256};
    const uint32_t i = harness_random_below(h, 9);
    return i < 6 ? nums[i] : 1 + harness_random_below(h, WEIR_PALETTE_MAX_NUM_COLORS);
}

static void check_random(struct harness *h, const struct kinds *kinds, int num)
{
    static uint8_t rgba[4 * NUM_PIXELS];
    for (int i = 0; i < num; i++) {
        const uint32_t side = SIDE >> i % 4;
        palette_draw_pixels(h, side * side, rgba);
        check(h, kinds->palettes[i % NUM_KINDS], "random", side, rgba, draw_num_colors(h),
              harness_random_below(h, 2) > 0);
    }
}

static void check_extremes(struct harness *h, const struct kinds *kinds, bool has_all)
{
    static uint8_t rgba[4 * NUM_SMALL];
    const int drawn = (int)harness_random_below(h, 2);
    for (int k = 0; k < NUM_KINDS; k++) {
        weir_palette *palette = kinds->palettes[k];
        if (!has_all && ((k ^ k >> 1 ^ k >> 2) & 1) != drawn) {
            continue;
        }
        palette_draw_one(0x123456, 0, NUM_SMALL, rgba);
        check(h, palette, "transparent", SMALL_SIDE, rgba, 16, false);
        palette_draw_one(0xffffff, 255, NUM_SMALL, rgba);
        check(h, palette, "one colour", SMALL_SIDE, rgba, 1, false);
        rgba[0] = rgba[1] = rgba[2] = 0;
        check(h, palette, "white and a black pixel", SMALL_SIDE, rgba, 1, false);
        check(h, palette, "white and a black pixel", SMALL_SIDE, rgba, 2, false);
        for (int i = 0; i < NUM_SMALL; i++) {
            memset(rgba + 4 * i, i & 255, 3);
        }
        check(h, palette, "grey ramp", SMALL_SIDE, rgba, 255, false);
        check(h, palette, "grey ramp", SMALL_SIDE, rgba, 256, false);
    }
}

// Soft greens and blues, and two pixels of red: k-means for most pixels has no place for it.
static void check_rare(struct harness *h, weir_palette *palette)
{
    static uint8_t rgba[4 * NUM_PIXELS], pixels[4 * NUM_PIXELS];
    for (uint32_t i = 0; i < NUM_PIXELS; i++) {
        rgba[4 * i] = (uint8_t)(20 + harness_random_below(h, 10));
        rgba[4 * i + 1] = (uint8_t)(i % SIDE * 2 + harness_random_below(h, 10));
        rgba[4 * i + 2] = (uint8_t)(i / SIDE * 2 + harness_random_below(h, 10));
        rgba[4 * i + 3] = 255;
    }
    const uint8_t red[] = {250, 10, 20};
    memcpy(rgba, red, 3);
    memcpy(rgba + 4 * (NUM_PIXELS - 1), red, 3);
    const struct palette_picture picture = {.width = SIDE, .height = SIDE, .rgba = rgba};
    for (int keeps = 0; keeps < 2; keeps++) {
        const struct weir_palette_start start = {.num_colors = 16, .keep_rare = keeps};
        struct weir_palette_stats stats;
        check(h, palette, "a rare red", SIDE, rgba, 16, keeps);
        if (palette_run(h, palette, &picture, &start, pixels, &stats)) {
            test_expect((palette_color_at(pixels) == palette_color_at(red)) == keeps,
                        "keep_rare %d: a rare %06x becomes %06x", keeps, palette_color_at(red),
                        palette_color_at(pixels));
        }
    }
}

static weir_palette *create(struct harness *h, int kind)
{
    return palette_create(
        h,
        weir_palette_params(.method = WEIR_PALETTE_METHOD_K_MEANS, .max_colors = NUM_PIXELS,
                            .weight = kind & 1 ? WEIR_PALETTE_WEIGHT_FREQUENCY
                                               : WEIR_PALETTE_WEIGHT_EQUAL,
                            .metric = kind & 2 ? WEIR_PALETTE_METRIC_OKLAB
                                               : WEIR_PALETTE_METRIC_CODES,
                            .light = kind & 4 ? WEIR_PALETTE_LIGHT_SRGB : WEIR_PALETTE_LIGHT_RAW));
}

// usage: palette_means_test [--all | RANDOM]: the number of random pictures
int main(int argc, char **argv)
{
    const bool has_all = argc > 1 && strcmp(argv[1], "--all") == 0;
    struct harness harness;
    harness_init(&harness, true);
    struct kinds kinds;
    for (int k = 0; k < NUM_KINDS; k++) {
        kinds.palettes[k] = create(&harness, k);
    }
    check_extremes(&harness, &kinds, has_all);
    check_rare(&harness, kinds.palettes[1]);
    check_random(&harness, &kinds, argc > 1 && !has_all ? atoi(argv[1]) : NUM_RANDOM);
    for (int k = 0; k < NUM_KINDS; k++) {
        weir_palette_destroy(&kinds.palettes[k]);
    }
    return harness_finish(&harness);
}
