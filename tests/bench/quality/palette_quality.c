// SPDX-License-Identifier: MIT
// Prints how far mean shift on its lattice is from mean shift of real numbers: the share of the
// colours of each picture that become others, a table of docs/palette.md.
//
// usage: palette_quality picture ...
//
// It takes some minutes for the eight pictures. Opaque pictures of 8 bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/picture/picture.h"
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

static bool colors_read(const char *path, struct colors *colors)
{
    struct weir_picture picture = {0};
    *colors = (struct colors){0};
    bool is_read = weir_picture_read(path, NULL, NULL, &picture) == WEIR_OK;
    const size_t row = 4 * (size_t)picture.width;
    uint8_t *rgba = is_read ? malloc(row * picture.height) : NULL;
    is_read = is_read && rgba;
    for (uint32_t y = 0; y < picture.height && is_read; y++) {
        const uint8_t *texels = weir_picture_bytes(&picture, y);
        is_read = texels != NULL;
        if (is_read) {
            memcpy(rgba + row * y, texels, row);
        }
    }
    is_read = is_read && ref_palette_count(rgba, (size_t)picture.width * picture.height,
                                           &colors->num, &colors->codes, &colors->counts);
    free(rgba);
    weir_picture_free(&picture);
    const size_t size = (size_t)colors->num * sizeof(uint32_t);
    colors->lattice = malloc(size + 1);
    colors->real = malloc(size + 1);
    return is_read && colors->lattice && colors->real;
}

static int distance_of(uint32_t x, uint32_t y)
{
    int most = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const int distance = abs((int)(x >> shift & 255) - (int)(y >> shift & 255));
        most = distance > most ? distance : most;
    }
    return most;
}

static bool compare(struct colors *colors, float radius, bool frequency, struct share *share)
{
    const struct ref_palette_params params = {.radius = radius, .frequency = frequency};
    *share = (struct share){0};
    if (!ref_palette_reduce(&params, colors->num, colors->codes, colors->counts, colors->lattice,
                            NULL) ||
        !ref_palette_float64(&params, colors->num, colors->codes, colors->counts, colors->real,
                             NULL)) {
        return false;
    }
    for (uint32_t i = 0; i < colors->num; i++) {
        const int distance = distance_of(colors->lattice[i], colors->real[i]);
        share->num += distance > 0;
        share->num_far += distance > 1;
    }
    return true;
}

static bool print_picture(const char *path)
{
    struct colors colors;
    bool is_done = colors_read(path, &colors);
    const char *slash = strrchr(path, '/');
    for (int i = 0; i < NUM_RADII * NUM_WEIGHTS && is_done; i++) {
        const bool frequency = i % NUM_WEIGHTS;
        const float radius = radii[i / NUM_WEIGHTS];
        struct share share;
        is_done = compare(&colors, radius, frequency, &share);
        if (is_done) {
            printf("%-13.13s  %4.2f  %-9s  %8.3f %% of %6u colours, by more than a code %8.3f %%\n",
                   slash ? slash + 1 : path, (double)radius, frequency ? "frequency" : "equal",
                   100.0 * share.num / colors.num, colors.num, 100.0 * share.num_far / colors.num);
        }
    }
    colors_free(&colors);
    if (!is_done) {
        fprintf(stderr, "palette_quality: %s is no picture of 8 bits, or memory ran out\n", path);
    }
    return is_done;
}

int main(int argc, char **argv)
{
    bool is_done = true;
    for (int i = 1; i < argc && is_done; i++) {
        is_done = print_picture(argv[i]);
    }
    return is_done ? 0 : 1;
}
