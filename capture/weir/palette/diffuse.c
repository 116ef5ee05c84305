// SPDX-License-Identifier: MIT
// Dither by diffusion of errors (R. Floyd and L. Steinberg, 1976), each row the other way round.
//
// It is done on the processor: a pixel waits for the one before it and for three of the row above,
// so that a device could only work on a diagonal at a time, with all of it waiting between two.
//
// Pixels in a colour of the palette keep it and pass nothing on, so that areas of one colour stay
// flat. Errors that run on between a few colours are cut off: what is left of them is not seen as
// a mean, but as grains far from where they come from.
#include "capture/weir/palette/palette.h"

#include <stdlib.h>
#include <string.h>

#include "capture/weir/palette/means.h"

enum {
    UNIT = 16,             // of an error, a code
    MAX_ERROR = 40 * UNIT, // that a pixel takes over
    NUM_FITS = 3,          // of the palette, each to the indices that the one before led to
};

// Of squared differences of red, green and blue, near those of what the eye sees.
static const int32_t weights[3] = {3, 5, 2};

struct diffusion {
    const struct palette_means *picture;
    float strength;
    const uint8_t *mapped;                           // by pixel: the index of the nearest colour
    int32_t palette[3][WEIR_PALETTE_MAX_NUM_COLORS]; // in units
    int32_t *errors[2]; // of this row and the next, with a pixel more at each end
};

static uint32_t nearest(const struct diffusion *diffusion, const int32_t value[3])
{
    const uint32_t num = diffusion->picture->num_colors;
    int32_t distances[WEIR_PALETTE_MAX_NUM_COLORS] = {0};
    for (int c = 0; c < 3; c++) {
        for (uint32_t k = 0; k < num; k++) {
            const int32_t d = value[c] - diffusion->palette[c][k];
            distances[k] += weights[c] * d * d;
        }
    }
    uint32_t best = 0;
    for (uint32_t k = 1; k < num; k++) {
        best = distances[k] < distances[best] ? k : best;
    }
    return best;
}

// Spread what is left of a pixel: to the next one, and below. `x` counts from 1.
static void spread(const struct diffusion *diffusion, uint32_t x, int channel, int32_t rest,
                   int step)
{
    int32_t *here = diffusion->errors[0] + channel, *below = diffusion->errors[1] + channel;
    const int32_t next = rest * 7 / 16, behind = rest * 3 / 16, under = rest * 5 / 16;
    const size_t ahead = 3 * (size_t)(step > 0 ? x + 1 : x - 1);
    const size_t back = 3 * (size_t)(step > 0 ? x - 1 : x + 1);
    here[ahead] += next;
    below[back] += behind;
    below[3 * (size_t)x] += under;
    below[ahead] += rest - next - behind - under;
}

static int32_t clamp(int32_t value, int32_t least, int32_t most)
{
    return value < least ? least : value > most ? most : value;
}

static void diffuse_pixel(const struct diffusion *diffusion, uint32_t x, uint32_t y, int step)
{
    const struct palette_means *picture = diffusion->picture;
    const size_t at = (size_t)y * picture->width + x;
    const uint8_t *source = picture->source + 4 * at;
    const int32_t *errors = diffusion->errors[0] + 3 * ((size_t)x + 1);
    picture->indices[at] = diffusion->mapped[at];
    if (source[3] == 0 || memcmp(source, picture->colors[diffusion->mapped[at]], 3) == 0) {
        return;
    }
    int32_t value[3];
    for (int c = 0; c < 3; c++) {
        value[c] = clamp(UNIT * source[c] + clamp(errors[c], -MAX_ERROR, MAX_ERROR), 0,
                         UNIT * UINT8_MAX);
    }
    const uint32_t best = nearest(diffusion, value);
    picture->indices[at] = (uint8_t)best;
    for (int c = 0; c < 3; c++) {
        const float rest = diffusion->strength * (float)(value[c] - diffusion->palette[c][best]);
        spread(diffusion, x + 1, c, (int32_t)rest, step);
    }
}

static void diffuse_row(struct diffusion *diffusion, uint32_t y)
{
    const uint32_t width = diffusion->picture->width;
    const int step = y % 2 == 0 ? 1 : -1;
    for (uint32_t i = 0; i < width; i++) {
        diffuse_pixel(diffusion, step > 0 ? i : width - 1 - i, y, step);
    }
    int32_t *used = diffusion->errors[0];
    diffusion->errors[0] = diffusion->errors[1];
    diffusion->errors[1] = used;
    memset(used, 0, 3 * ((size_t)width + 2) * sizeof(*used));
}

static void set_palette(struct diffusion *diffusion)
{
    const struct palette_means *picture = diffusion->picture;
    for (uint32_t k = 0; k < picture->num_colors; k++) {
        for (int c = 0; c < 3; c++) {
            diffusion->palette[c][k] = picture->colors[k][c] * UNIT;
        }
    }
}

static void diffuse(struct diffusion *diffusion)
{
    const struct palette_means *picture = diffusion->picture;
    set_palette(diffusion);
    memset(diffusion->errors[0], 0, 3 * ((size_t)picture->width + 2) * sizeof(int32_t));
    memset(diffusion->errors[1], 0, 3 * ((size_t)picture->width + 2) * sizeof(int32_t));
    for (uint32_t y = 0; y < picture->height; y++) {
        diffuse_row(diffusion, y);
    }
}

// Replace the colours of a picture, but for its alpha, by what they are in the palette.
static void take_colors(struct palette_pixels *mapped, const struct palette_means *picture)
{
    const size_t num = (size_t)mapped->width * mapped->height;
    for (size_t i = 0; i < num; i++) {
        memcpy(mapped->rgba + 4 * i, picture->colors[picture->indices[i]], 3);
    }
}

// Start with the indices that the device has found.
static void find_mapped(const struct diffusion *diffusion, const struct palette_pixels *pixels,
                        uint8_t *mapped)
{
    const size_t num = (size_t)pixels->width * pixels->height;
    for (size_t i = 0; i < num; i++) {
        const uint8_t *pixel = pixels->rgba + 4 * i;
        const bool is_new = i == 0 || memcmp(pixel, pixel - 4, 3) != 0;
        const int32_t value[3] = {UNIT * pixel[0], UNIT * pixel[1], UNIT * pixel[2]};
        mapped[i] = is_new ? (uint8_t)nearest(diffusion, value) : mapped[i - 1];
    }
}

static bool fit_and_diffuse(struct diffusion *diffusion, struct palette_means *picture, bool fits)
{
    bool has_memory = !fits || palette_means_init(picture);
    diffuse(diffusion);
    for (int i = 0; has_memory && fits && i < NUM_FITS; i++) {
        has_memory = palette_means_fit(picture);
        diffuse(diffusion);
    }
    palette_means_finish(picture);
    return has_memory;
}

bool palette_diffuse(struct palette_pixels *mapped, const uint8_t *source, const uint32_t *colors,
                     uint32_t num_colors, const struct palette_diffusion *params)
{
    const size_t num = (size_t)mapped->width * mapped->height;
    const size_t row = 3 * ((size_t)mapped->width + 2);
    uint8_t rgb[WEIR_PALETTE_MAX_NUM_COLORS][3];
    for (uint32_t k = 0; k < 3 * num_colors; k++) {
        rgb[k / 3][k % 3] = (uint8_t)(colors[k / 3] >> (16 - 8 * (k % 3)));
    }
    int32_t *errors = malloc(2 * row * sizeof(*errors));
    uint8_t *indices = malloc(2 * num);
    struct palette_means picture = {
        .source = source,
        .width = mapped->width,
        .height = mapped->height,
        .indices = indices,
        .num_colors = num_colors,
        .colors = rgb,
    };
    struct diffusion diffusion = {.picture = &picture,
                                  .strength = params->strength,
                                  .mapped = indices + num,
                                  .errors = {errors, errors + row}};
    bool has_memory = errors && indices;
    if (has_memory) {
        set_palette(&diffusion);
        find_mapped(&diffusion, mapped, indices + num);
        memcpy(indices, indices + num, num);
        has_memory = fit_and_diffuse(&diffusion, &picture, params->fits);
    }
    if (has_memory) {
        take_colors(mapped, &picture);
    }
    free(errors);
    free(indices);
    return has_memory;
}
