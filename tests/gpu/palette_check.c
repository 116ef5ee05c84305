// SPDX-License-Identifier: MIT
// Compares reduced pictures with the reference.
#include "tests/gpu/palette_check.h"

#include <stdio.h>
#include <stdlib.h>

uint32_t palette_color_at(const uint8_t *rgba)
{
    return (uint32_t)rgba[0] << 16 | (uint32_t)rgba[1] << 8 | rgba[2];
}

int palette_compare_colors(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

struct ref_palette_means_params palette_means_params(const weir_palette *palette,
                                                     uint32_t num_colors)
{
    const struct weir_palette_params params = weir_palette_get_params(palette);
    return (struct ref_palette_means_params){
        .num_colors = num_colors,
        .frequency = params.weight == WEIR_PALETTE_WEIGHT_FREQUENCY,
        .oklab = params.metric == WEIR_PALETTE_METRIC_OKLAB,
        .srgb = params.light == WEIR_PALETTE_LIGHT_SRGB,
    };
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

void palette_want_init(const weir_palette *palette, const char *name,
                       const struct weir_palette_start *start, const uint8_t *rgba,
                       size_t num_pixels, struct palette_want *want)
{
    const struct weir_palette_params params = weir_palette_get_params(palette);
    *want = (struct palette_want){
        .params = {.radius = start->radius,
                   .frequency = params.weight == WEIR_PALETTE_WEIGHT_FREQUENCY,
                   .srgb = params.light == WEIR_PALETTE_LIGHT_SRGB,
                   .limit = start->limit},
        .is_table = params.table,
    };
    test_must(ref_palette_count(rgba, num_pixels, &want->num_colors, &want->colors, &want->counts),
              "memory");
    if (params.table) {
        join_bins(want);
    }
    want->new_colors = calloc(want->num_colors + 1, sizeof(*want->new_colors));
    test_must(want->new_colors && ref_palette_reduce(&want->params, want->num_colors, want->colors,
                                                     want->counts, want->new_colors, &want->stats),
              "memory");
    snprintf(want->label, sizeof(want->label), "%s, %u colours, %s%s%s%s, radius %.9g, limit %u",
             name, want->num_colors, want->params.frequency ? "frequency" : "palette",
             want->params.srgb ? " srgb" : "", params.table ? " table" : "",
             params.no_merge ? " no_merge" : "", (double)start->radius, start->limit);
}

void palette_want_finish(struct palette_want *want)
{
    free(want->colors);
    free(want->counts);
    free(want->new_colors);
}

bool palette_check_pixels(const struct palette_want *want, const uint8_t *rgba, size_t num_pixels,
                          const uint8_t *pixels)
{
    for (size_t i = 0; i < num_pixels; i++) {
        const uint8_t *from = rgba + 4 * i, *to = pixels + 4 * i;
        uint32_t new_color = palette_color_at(from);
        if (from[3] > 0) {
            const uint32_t color = want->is_table ? color_of_bin(bin_of(new_color)) : new_color;
            const uint32_t *place = bsearch(&color, want->colors, want->num_colors, sizeof(color),
                                            palette_compare_colors);
            new_color = want->new_colors[place - want->colors];
        }
        if (!test_expect(palette_color_at(to) == new_color && to[3] == from[3],
                         "%s: pixel %zu of %06x alpha %u is %06x alpha %u, reference %06x",
                         want->label, i, palette_color_at(from), from[3], palette_color_at(to),
                         to[3], new_color)) {
            return false;
        }
    }
    return true;
}

static void check_stats(const struct palette_want *want, bool meets_all,
                        const struct weir_palette_stats *got)
{
    test_expect(got->num_colors == want->num_colors &&
                    got->num_new_colors == want->stats.num_new_colors,
                "%s: %u colours -> %u, reference %u -> %u", want->label, got->num_colors,
                got->num_new_colors, want->num_colors, want->stats.num_new_colors);
    // A meeting is lost where 16 slots in a row are taken. In a table that is a third full that is
    // very rare.
    const uint64_t evaluations = want->stats.evaluations;
    test_expect(got->num_evaluations >= evaluations &&
                    (!meets_all || got->num_evaluations - evaluations <= evaluations / 256),
                "%s: %llu evaluations, reference %llu", want->label,
                (unsigned long long)got->num_evaluations, (unsigned long long)evaluations);
    test_expect(got->num_unfinished == 0 && !got->overflow, "%s: unfinished", want->label);
}

bool palette_check(struct harness *h, weir_palette *palette, const char *name,
                   const struct palette_picture *picture, const struct weir_palette_start *start,
                   bool meets_all)
{
    const size_t num_pixels = (size_t)picture->width * picture->height;
    uint8_t *pixels = malloc(4 * num_pixels);
    test_must(pixels, "memory");
    struct palette_want want;
    palette_want_init(palette, name, start, picture->rgba, num_pixels, &want);
    struct weir_palette_stats got;
    const bool is_right = palette_run(h, palette, picture, start, pixels, &got) &&
                          palette_check_pixels(&want, picture->rgba, num_pixels, pixels);
    if (is_right) {
        check_stats(&want, meets_all, &got);
    }
    palette_want_finish(&want);
    free(pixels);
    return is_right;
}
