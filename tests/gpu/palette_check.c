// SPDX-License-Identifier: MIT
// Compares reduced pictures with the reference.
#include "tests/gpu/palette_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t palette_color_at(const uint8_t *rgba)
{
    return (uint32_t)rgba[0] << 16 | (uint32_t)rgba[1] << 8 | rgba[2];
}

int palette_compare_colors(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// The colours of a table are those of 6 bits a channel; bins have their order.
enum { NUM_BINS = 1 << 18 };

static uint32_t bin_of(uint32_t color)
{
    return (color >> 18 & 0x3f) << 12 | (color >> 10 & 0x3f) << 6 | (color >> 2 & 0x3f);
}

static uint32_t color_of_bin(uint32_t bin)
{
    return (bin >> 12) << 18 | (bin >> 6 & 0x3f) << 10 | (bin & 0x3f) << 2 | 0x020202;
}

// Colours of a bin become one; those of sorted colours do not lie side by side.
static void join_bins(struct palette_want *want)
{
    uint32_t *counts = calloc(NUM_BINS, sizeof(*counts));
    test_must(counts, "memory");
    for (uint32_t i = 0; i < want->num_colors; i++) {
        counts[bin_of(want->colors[i])] += want->counts[i];
    }
    want->num_colors = 0;
    for (uint32_t bin = 0; bin < NUM_BINS; bin++) {
        if (counts[bin] > 0) {
            want->colors[want->num_colors] = color_of_bin(bin);
            want->counts[want->num_colors++] = counts[bin];
        }
    }
    free(counts);
}

static void map_pixels(struct palette_want *want, const uint8_t *rgba, size_t num_pixels)
{
    for (size_t i = 0; i < num_pixels; i++) {
        const uint8_t *from = rgba + 4 * i;
        uint32_t color = palette_color_at(from);
        if (from[3] > 0) {
            color = want->kind.table ? color_of_bin(bin_of(color)) : color;
            const uint32_t *place = bsearch(&color, want->colors, want->num_colors, sizeof(color),
                                            palette_compare_colors);
            color = want->new_colors[place - want->colors];
        }
        palette_draw_one(color, from[3], 1, want->pixels + 4 * i);
    }
}

static void want_shift(struct palette_want *want, const uint8_t *rgba, size_t num_pixels)
{
    want->new_colors = calloc(want->num_colors + 1, sizeof(*want->new_colors));
    test_must(want->new_colors && ref_palette_reduce(&want->shift, want->num_colors, want->colors,
                                                     want->counts, want->new_colors, &want->stats),
              "memory");
    map_pixels(want, rgba, num_pixels);
}

static void want_means(struct palette_want *want, const struct palette_picture *picture)
{
    struct kernel_palette *palette = kernel_palette_create(&want->kind);
    kernel_palette_find(palette, &want->start, (size_t)picture->width * picture->height,
                        picture->rgba);
    kernel_palette_map(palette, picture->width, picture->height, picture->rgba, want->pixels);
    want->num_palette = kernel_palette_get_colors(palette, want->palette);
    want->stats.num_new_colors = kernel_palette_get_num_new_colors(palette);
    kernel_palette_destroy(palette);
}

void palette_want_init(const weir_palette *palette, const char *name,
                       const struct palette_picture *picture,
                       const struct weir_palette_start *start, struct palette_want *want)
{
    const struct weir_palette_params kind = weir_palette_get_params(palette);
    const size_t num_pixels = (size_t)picture->width * picture->height;
    *want = (struct palette_want){
        .kind = kind,
        .start = *start,
        .shift = {.radius = start->radius,
                  .frequency = kind.weight == WEIR_PALETTE_WEIGHT_FREQUENCY,
                  .srgb = kind.light == WEIR_PALETTE_LIGHT_SRGB,
                  .limit = start->limit},
        .pixels = malloc(4 * num_pixels),
    };
    test_must(want->pixels && ref_palette_count(picture->rgba, num_pixels, &want->num_colors,
                                                &want->colors, &want->counts),
              "memory");
    if (kind.table) {
        join_bins(want);
    }
    if (kind.method == WEIR_PALETTE_METHOD_K_MEANS) {
        want_means(want, picture);
    } else {
        want_shift(want, picture->rgba, num_pixels);
    }
    snprintf(
        want->label, sizeof(want->label),
        "%s, %u colours, method %d, weight %d, metric %d, light %d, dither %d%s%s, radius %.9g, "
        "limit %u, num_colors %u%s",
        name, want->num_colors, (int)kind.method, (int)kind.weight, (int)kind.metric,
        (int)kind.light, (int)kind.dither, kind.table ? ", table" : "",
        kind.no_merge ? ", no_merge" : "", (double)start->radius, start->limit, start->num_colors,
        start->keep_rare ? ", keep_rare" : "");
}

void palette_want_finish(struct palette_want *want)
{
    free(want->colors);
    free(want->counts);
    free(want->new_colors);
    free(want->pixels);
}

bool palette_same(const char *label, const uint8_t *rgba, const uint8_t *want, const uint8_t *got,
                  size_t num_pixels)
{
    for (size_t i = 0; i < 4 * num_pixels; i += 4) {
        if (!test_expect(memcmp(want + i, got + i, 4) == 0,
                         "%s: pixel %zu of %06x alpha %u is %06x alpha %u, not %06x alpha %u",
                         label, i / 4, palette_color_at(rgba + i), rgba[i + 3],
                         palette_color_at(got + i), got[i + 3], palette_color_at(want + i),
                         want[i + 3])) {
            return false;
        }
    }
    return true;
}

static void check_shift(const struct palette_want *want, bool meets_all, uint64_t got)
{
    // A meeting is lost where 16 slots in a row are taken. In a table that is a third full that is
    // very rare.
    const uint64_t evaluations = want->stats.evaluations;
    test_expect(got >= evaluations && (!meets_all || got - evaluations <= evaluations / 256),
                "%s: %llu evaluations, reference %llu", want->label, (unsigned long long)got,
                (unsigned long long)evaluations);
}

static void check_means(const struct palette_want *want, const weir_palette *palette,
                        uint32_t num_new_colors)
{
    uint32_t colors[WEIR_PALETTE_MAX_NUM_COLORS];
    const uint32_t num = weir_palette_get_colors(palette, colors);
    test_expect(num == want->num_palette &&
                    memcmp(colors, want->palette, num * sizeof(*colors)) == 0,
                "%s: a palette of %u colours is not the reference's of %u", want->label, num,
                want->num_palette);
    test_expect(num_new_colors <= want->start.num_colors, "%s: %u new colours", want->label,
                num_new_colors);
}

bool palette_check(struct harness *h, weir_palette *palette, const char *name,
                   const struct palette_picture *picture, const struct weir_palette_start *start,
                   bool meets_all)
{
    const size_t num_pixels = (size_t)picture->width * picture->height;
    uint8_t *pixels = malloc(4 * num_pixels);
    test_must(pixels, "memory");
    struct palette_want want;
    palette_want_init(palette, name, picture, start, &want);
    struct weir_palette_stats got;
    const bool is_right = palette_run(h, palette, picture, start, pixels, &got) &&
                          palette_same(want.label, picture->rgba, want.pixels, pixels, num_pixels);
    if (is_right) {
        test_expect(got.num_colors == want.num_colors && !got.num_unfinished && !got.overflow &&
                        got.num_new_colors == want.stats.num_new_colors,
                    "%s: %u colours -> %u, %u unfinished, reference %u -> %u", want.label,
                    got.num_colors, got.num_new_colors, got.num_unfinished, want.num_colors,
                    want.stats.num_new_colors);
        if (want.kind.method == WEIR_PALETTE_METHOD_K_MEANS) {
            check_means(&want, palette, got.num_new_colors);
        } else {
            check_shift(&want, meets_all, got.num_evaluations);
        }
    }
    palette_want_finish(&want);
    free(pixels);
    return is_right;
}
