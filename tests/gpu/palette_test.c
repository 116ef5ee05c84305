// SPDX-License-Identifier: MIT
// Palette reduction gives the reference's pixels: random palettes, and the extremes on purpose.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/palette.h>

#include "tests/gpu/harness.h"
#include "tests/gpu/palette_run.h"
#include "tests/ref/palette.h"

enum { SIDE = 96, NUM_PIXELS = SIDE * SIDE, NUM_RANDOM = 500 };

// Four kinds of palettes: weights and transfers.
struct kinds {
    weir_palette *palettes[2][2];
};

static struct ref_palette_params params_of(const weir_palette *palette,
                                           const struct weir_palette_start *start)
{
    const struct weir_palette_params params = weir_palette_get_params(palette);
    return (struct ref_palette_params){
        .radius = start->radius,
        .frequency = params.weight == WEIR_PALETTE_WEIGHT_FREQUENCY,
        .srgb = params.transfer == WEIR_PALETTE_TRANSFER_SRGB,
        .limit = start->limit,
    };
}

static int compare_colors(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static uint32_t color_at(const uint8_t *rgba)
{
    return (uint32_t)rgba[0] << 16 | (uint32_t)rgba[1] << 8 | rgba[2];
}

// The first pixel that is not what it must be.
static bool compare_pixels(struct harness *h, const char *name,
                           const struct palette_picture *picture, const uint8_t *pixels, uint32_t n,
                           const uint32_t *colors, const uint32_t *new_colors)
{
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++) {
        const uint8_t *from = picture->rgba + 4 * i, *to = pixels + 4 * i;
        const uint32_t color = color_at(from);
        uint32_t want = color;
        if (from[3] > 0) {
            const uint32_t *place = bsearch(&color, colors, n, sizeof(color), compare_colors);
            want = new_colors[place - colors];
        }
        if (!harness_expect(h, color_at(to) == want && to[3] == from[3],
                            "%s: pixel %zu of %06x alpha %u is %06x alpha %u, reference %06x", name,
                            i, color, from[3], color_at(to), to[3], want)) {
            return false;
        }
    }
    return true;
}

static void check_picture(struct harness *h, weir_palette *palette, const char *name,
                          const struct palette_picture *picture,
                          const struct weir_palette_start *start)
{
    const struct ref_palette_params params = params_of(palette, start);
    const size_t num_pixels = (size_t)picture->width * picture->height;
    uint32_t n, *colors, *counts;
    harness_must(ref_palette_count(picture->rgba, num_pixels, &n, &colors, &counts), "memory");
    uint32_t *new_colors = calloc(n + 1, sizeof(*new_colors));
    uint8_t *pixels = malloc(4 * num_pixels);
    harness_must(new_colors && pixels, "memory");
    struct ref_palette_stats want;
    harness_must(ref_palette_reduce(&params, n, colors, counts, new_colors, &want), "memory");
    struct weir_palette_stats got;
    char label[128];
    snprintf(label, sizeof(label), "%s, %u colours, %s%s, radius %.9g, limit %u", name, n,
             params.frequency ? "frequency" : "palette", params.srgb ? " srgb" : "",
             (double)start->radius, start->limit);
    if (palette_run(h, palette, picture, start, pixels, &got) &&
        compare_pixels(h, label, picture, pixels, n, colors, new_colors)) {
        harness_expect(h, got.num_colors == n && got.num_new_colors == want.num_new_colors,
                       "%s: %u colours -> %u, reference %u -> %u", label, got.num_colors,
                       got.num_new_colors, n, want.num_new_colors);
        harness_expect(h, got.num_evaluations == want.evaluations,
                       "%s: %llu evaluations, reference %llu", label,
                       (unsigned long long)got.num_evaluations,
                       (unsigned long long)want.evaluations);
        harness_expect(h, got.num_unfinished == 0 && !got.overflow, "%s: unfinished", label);
    }
    free(pixels);
    free(new_colors);
    free(counts);
    free(colors);
}

static uint8_t near(struct harness *h, uint32_t code, uint32_t spread)
{
    const int moved = (int)code + (int)harness_random_below(h, 2 * spread + 1) - (int)spread;
    return (uint8_t)(moved < 0 ? 0 : moved > 255 ? 255 : moved);
}

// Some colours, each with others near it; some pixels transparent, whatever their colour.
static void draw_pixels(struct harness *h, uint8_t *rgba)
{
    const uint32_t num_centers = 1 + harness_random_below(h, 12);
    const uint32_t spread = harness_random_below(h, 3) == 0 ? 0 : 1 + harness_random_below(h, 30);
    const bool has_holes = harness_random_below(h, 2) == 0;
    uint8_t centers[12][3];
    for (uint32_t i = 0; i < num_centers; i++) {
        for (int c = 0; c < 3; c++) {
            centers[i][c] = (uint8_t)harness_random(h);
        }
    }
    for (int i = 0; i < NUM_PIXELS; i++) {
        // The smaller of two: some centers have many more pixels than others.
        const uint32_t a = harness_random_below(h, num_centers);
        const uint32_t b = harness_random_below(h, num_centers);
        const uint8_t *center = centers[a < b ? a : b];
        const uint32_t scale = harness_random_below(h, 4) == 0 ? spread : spread / 4;
        for (int c = 0; c < 3; c++) {
            rgba[4 * i + c] = near(h, center[c], scale);
        }
        rgba[4 * i + 3] = has_holes && harness_random_below(h, 5) == 0
                              ? 0
                              : (uint8_t)(1 + harness_random_below(h, 255));
    }
}

static float draw_radius(struct harness *h)
{
    const float share = (float)harness_random_below(h, 1 << 20) / (1 << 20);
    switch (harness_random_below(h, 8)) {
    case 0:
        return share * 0.002f;
    case 1:
        return share * WEIR_PALETTE_MAX_RADIUS;
    default:
        return 0.005f + share * 0.12f;
    }
}

static void check_random(struct harness *h, const struct kinds *kinds, int num)
{
    static uint8_t rgba[4 * NUM_PIXELS];
    for (int i = 0; i < num; i++) {
        draw_pixels(h, rgba);
        const struct palette_picture picture = {SIDE, SIDE, rgba};
        const struct weir_palette_start start = {
            .radius = draw_radius(h),
            .limit = harness_random_below(h, 4) == 0 ? 1 + harness_random_below(h, 12) : 0,
        };
        char name[32];
        snprintf(name, sizeof(name), "random %d", i);
        check_picture(h, kinds->palettes[harness_random_below(h, 2)][harness_random_below(h, 2)],
                      name, &picture, &start);
    }
}

static void fill(uint8_t *rgba, uint32_t color, uint8_t alpha)
{
    for (int i = 0; i < NUM_PIXELS; i++) {
        rgba[4 * i] = (uint8_t)(color >> 16);
        rgba[4 * i + 1] = (uint8_t)(color >> 8);
        rgba[4 * i + 2] = (uint8_t)color;
        rgba[4 * i + 3] = alpha;
    }
}

static void check_extremes(struct harness *h, const struct kinds *kinds)
{
    static uint8_t rgba[4 * NUM_PIXELS];
    static const float radii[] = {0, 1e-7f, 0.02f, 0.5f, WEIR_PALETTE_MAX_RADIUS};
    const struct palette_picture picture = {SIDE, SIDE, rgba};
    for (int k = 0; k < 4; k++) {
        weir_palette *palette = kinds->palettes[k & 1][k >> 1];
        for (int r = 0; r < 5; r++) {
            const struct weir_palette_start start = {.radius = radii[r]};
            fill(rgba, 0x123456, 0);
            check_picture(h, palette, "transparent", &picture, &start);
            fill(rgba, 0xffffff, 255);
            check_picture(h, palette, "one colour", &picture, &start);
            rgba[0] = 0;
            rgba[1] = 0;
            rgba[2] = 0;
            check_picture(h, palette, "white and a black pixel", &picture, &start);
            for (int i = 0; i < NUM_PIXELS; i++) {
                memset(rgba + 4 * i, i & 255, 3);
            }
            check_picture(h, palette, "grey ramp", &picture, &start);
        }
    }
}

// The radius at which one colour is just within reach of another, and the float below it.
static void check_two_colors(struct harness *h, const struct kinds *kinds)
{
    static uint8_t rgba[4 * NUM_PIXELS];
    for (int i = 0; i < 8; i++) {
        fill(rgba, harness_random(h) & 0xffffff, 255);
        for (int c = 0; c < 3; c++) {
            rgba[c] = near(h, rgba[4 + c], 20);
        }
        const struct ref_palette_point p = ref_palette_point_of(color_at(rgba), false);
        const struct ref_palette_point q = ref_palette_point_of(color_at(rgba + 4), false);
        const double squared = (double)(p.l - q.l) * (p.l - q.l) + (double)(p.a - q.a) * (p.a - q.a) +
                               (double)(p.b - q.b) * (p.b - q.b);
        float radius = (float)(sqrt(squared) / (1 << 21));
        while ((double)ref_palette_squared_radius(radius) >= squared) {
            radius = nextafterf(radius, 0);
        }
        const struct palette_picture picture = {SIDE, SIDE, rgba};
        check_picture(h, kinds->palettes[i & 1][0], "just out of reach", &picture,
                      &(struct weir_palette_start){.radius = radius});
        check_picture(h, kinds->palettes[i & 1][0], "just within reach", &picture,
                      &(struct weir_palette_start){.radius = nextafterf(radius, 2)});
    }
}

static weir_palette *create(struct harness *h, int frequency, int srgb)
{
    weir_palette *palette = NULL;
    const enum weir_result result = weir_palette_create(
        h->context,
        weir_palette_params(.format = VK_FORMAT_R8G8B8A8_UNORM, .max_colors = NUM_PIXELS,
                            .weight = frequency ? WEIR_PALETTE_WEIGHT_FREQUENCY
                                                : WEIR_PALETTE_WEIGHT_PALETTE,
                            .transfer = srgb ? WEIR_PALETTE_TRANSFER_SRGB
                                             : WEIR_PALETTE_TRANSFER_RAW),
        &palette);
    harness_must(result == WEIR_OK, weir_result_name(result));
    return palette;
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
