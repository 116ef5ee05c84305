// SPDX-License-Identifier: MIT
// Compares reduced pictures with the reference.
#ifndef WEIR_TESTS_GPU_PALETTE_CHECK_H
#define WEIR_TESTS_GPU_PALETTE_CHECK_H

#include "tests/gpu/palette_run.h"
#include "tests/ref/palette.h"
#include "tests/ref/palette_means.h"

uint32_t palette_color_at(const uint8_t *rgba);           // 0xRRGGBB
int palette_compare_colors(const void *a, const void *b); // for qsort() and bsearch()

// Get what k-means of the palette's kind is asked for.
struct ref_palette_means_params palette_means_params(const weir_palette *palette,
                                                     uint32_t num_colors);

// The new colours that some pixels should get, by the reference.
struct palette_want {
    char label[160];
    struct ref_palette_params params;
    bool is_table;
    uint32_t num_colors, *colors, *counts, *new_colors; // sorted; of bins if is_table
    struct ref_palette_stats stats;
};

// Reduce the colours of `num_pixels` pixels together, by the reference. `name` is for messages.
void palette_want_init(const weir_palette *palette, const char *name,
                       const struct weir_palette_start *start, const uint8_t *rgba,
                       size_t num_pixels, struct palette_want *want);
void palette_want_finish(struct palette_want *want);

// Compare pixels. At the first difference prints a message and returns false.
bool palette_check_pixels(const struct palette_want *want, const uint8_t *rgba, size_t num_pixels,
                          const uint8_t *pixels);

// A picture of its own: pixels, colours before and after, evaluations. `meets_all`: the table of
// states is so large that hardly a meeting of two ways is lost, which costs evaluations only.
bool palette_check(struct harness *h, weir_palette *palette, const char *name,
                   const struct palette_picture *picture, const struct weir_palette_start *start,
                   bool meets_all);

#endif
