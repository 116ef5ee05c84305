// SPDX-License-Identifier: MIT
// Prints how far mean shift on its lattice is from mean shift of real numbers: the share of the
// colours of each picture that become others, a table of docs/palette.md. It takes some minutes for
// the eight pictures. Opaque pictures of 8 bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/quality/quality.h"
#include "tests/ref/palette.h"

static const float radii[] = {0.01f, 0.02f, 0.05f};
enum { NUM_RADII = sizeof(radii) / sizeof(radii[0]), NUM_WEIGHTS = 2 };

struct colors {
    uint32_t num;
    uint32_t *codes, *counts;
    uint32_t *lattice, *real; // new colours
};

struct share {
    uint32_t num, num_far; // colours that differ, and by more than one code
};

static void colors_free(struct colors *colors)
{
    free(colors->codes);
    free(colors->counts);
    free(colors->lattice);
    free(colors->real);
}

static void colors_read(const struct weir_picture *picture, struct colors *colors)
{
    const size_t row = 4 * (size_t)picture->width;
    uint8_t *rgba = need(malloc(row * picture->height));
    for (uint32_t y = 0; y < picture->height; y++) {
        memcpy(rgba + row * y, picture->texels + picture->pitch * y, row);
    }
    if (!ref_palette_count(rgba, (size_t)picture->width * picture->height, &colors->num,
                           &colors->codes, &colors->counts)) {
        die("out of memory", "colours");
    }
    free(rgba);
    colors->lattice = need(calloc(colors->num + 1, sizeof(uint32_t)));
    colors->real = need(calloc(colors->num + 1, sizeof(uint32_t)));
}

static struct share compare(struct colors *colors, float radius, bool frequency)
{
    const struct ref_palette_params params = {.radius = radius, .frequency = frequency};
    struct share share = {0};
    if (!ref_palette_reduce(&params, colors->num, colors->codes, colors->counts, colors->lattice,
                            NULL) ||
        !ref_palette_float64(&params, colors->num, colors->codes, colors->counts, colors->real,
                             NULL)) {
        die("out of memory", "palette");
    }
    for (uint32_t i = 0; i < colors->num; i++) {
        const int distance = ref_palette_distance(colors->lattice[i], colors->real[i]);
        share.num += distance > 0;
        share.num_far += distance > 1;
    }
    return share;
}

static void print_picture(const struct quality_picture *picture)
{
    struct colors colors = {0};
    colors_read(&picture->texels, &colors);
    for (int i = 0; i < NUM_RADII * NUM_WEIGHTS; i++) {
        const bool frequency = i % NUM_WEIGHTS;
        const float radius = radii[i / NUM_WEIGHTS];
        const struct share share = compare(&colors, radius, frequency);
        printf("%-13.13s  %4.2f  %-9s  %8.3f %% of %6u colours, by more than a code %8.3f %%\n",
               picture->name, (double)radius, frequency ? "frequency" : "equal",
               100.0 * share.num / colors.num, colors.num, 100.0 * share.num_far / colors.num);
    }
    colors_free(&colors);
}

void quality_palette(const struct quality *quality)
{
    for (int i = 0; i < quality->num_pictures; i++) {
        print_picture(&quality->pictures[i]);
    }
}
