// SPDX-License-Identifier: MIT
// Dither by diffusion of errors (R. Floyd and L. Steinberg, 1976), each row the other way round.
//
// It is done on the processor: a pixel waits for the one before it and for three of the row above,
// so that a device could only work on a diagonal at a time, with all of it waiting between two.
//
// Errors are spread where the picture is flat. Where it varies by itself, its noise hides the steps
// of the palette, and diffusion would add noise of its own: it is as strong as the dither of
// weir/palette.h is there (shaders/palette/map_dither.comp).
#include "capture/weir/palette/palette.h"

#include <stdlib.h>
#include <string.h>

enum { UNIT = 16, WHOLE = 256, MAX_COLORS = 256 }; // of an error, of a code; of a strength

struct diffusion {
    const uint8_t *source;
    uint8_t *out;
    uint32_t width, height;
    uint32_t num;
    int32_t palette[3][MAX_COLORS]; // in units
    int32_t *errors[2];             // of this row and the next, with a pixel more at each end
};

static uint32_t code_distance(const uint8_t *a, const uint8_t *b)
{
    uint32_t sum = 0;
    for (int c = 0; c < 3; c++) {
        sum += (uint32_t)((a[c] - b[c]) * (a[c] - b[c]));
    }
    return sum;
}

static uint32_t clamp_near(uint32_t at, int offset, uint32_t size)
{
    if (offset < 0) {
        return at > 0 ? at - 1 : 0;
    }
    return offset > 0 && at + 1 < size ? at + 1 : at;
}

static uint32_t activity(const struct diffusion *diffusion, uint32_t x, uint32_t y,
                         const uint8_t *center)
{
    uint32_t sum = 0;
    for (int dy = -1; dy <= 1; dy++) {
        const size_t row = (size_t)clamp_near(y, dy, diffusion->height) * diffusion->width;
        for (int dx = -1; dx <= 1; dx++) {
            const uint8_t *near = diffusion->source +
                                  4 * (row + clamp_near(x, dx, diffusion->width));
            sum += near[3] > 0 ? code_distance(near, center) : 0;
        }
    }
    return sum;
}

// How much of an error is spread, of WHOLE: most where the picture is flat, nothing where it varies
// by twice the error or more. All of it would be a third noisier: errors run on and on between the
// few colours that are near.
static int32_t strength_at(const struct diffusion *diffusion, uint32_t x, uint32_t y)
{
    const size_t at = 4 * ((size_t)y * diffusion->width + x);
    const uint8_t *center = diffusion->source + at;
    const uint32_t error = code_distance(center, diffusion->out + at);
    if (error == 0 || center[3] == 0) {
        return 0;
    }
    const uint32_t weakening = 8 * activity(diffusion, x, y, center) / error;
    return weakening < WHOLE ? (int32_t)(WHOLE - weakening) * 7 / 8 : 0;
}

static uint32_t nearest(const struct diffusion *diffusion, const int32_t value[3])
{
    int32_t distances[MAX_COLORS];
    for (uint32_t k = 0; k < diffusion->num; k++) {
        int32_t sum = 0;
        for (int c = 0; c < 3; c++) {
            const int32_t d = value[c] - diffusion->palette[c][k];
            sum += d * d;
        }
        distances[k] = sum;
    }
    uint32_t best = 0;
    for (uint32_t k = 1; k < diffusion->num; k++) {
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

static void diffuse_pixel(const struct diffusion *diffusion, uint32_t x, uint32_t y, int step)
{
    const int32_t strength = strength_at(diffusion, x, y);
    if (strength == 0) {
        return;
    }
    const size_t at = 4 * ((size_t)y * diffusion->width + x);
    const int32_t *errors = diffusion->errors[0] + 3 * ((size_t)x + 1);
    int32_t value[3];
    for (int c = 0; c < 3; c++) {
        const int32_t wanted = UNIT * diffusion->source[at + (size_t)c] +
                               errors[c] * strength / WHOLE;
        value[c] = wanted < 0 ? 0 : wanted > UNIT * UINT8_MAX ? UNIT * UINT8_MAX : wanted;
    }
    const uint32_t best = nearest(diffusion, value);
    for (int c = 0; c < 3; c++) {
        const int32_t chosen = diffusion->palette[c][best];
        diffusion->out[at + (size_t)c] = (uint8_t)(chosen / UNIT);
        spread(diffusion, x + 1, c, (value[c] - chosen) * strength / WHOLE, step);
    }
}

static void diffuse_row(struct diffusion *diffusion, uint32_t y)
{
    const int step = y % 2 == 0 ? 1 : -1;
    for (uint32_t i = 0; i < diffusion->width; i++) {
        diffuse_pixel(diffusion, step > 0 ? i : diffusion->width - 1 - i, y, step);
    }
    int32_t *used = diffusion->errors[0];
    diffusion->errors[0] = diffusion->errors[1];
    diffusion->errors[1] = used;
    memset(used, 0, 3 * ((size_t)diffusion->width + 2) * sizeof(*used));
}

bool palette_diffuse(struct palette_pixels *mapped, const uint8_t *source, const uint32_t *colors,
                     uint32_t num_colors)
{
    struct diffusion diffusion = {
        .source = source,
        .out = mapped->rgba,
        .width = mapped->width,
        .height = mapped->height,
        .num = num_colors,
    };
    const size_t row = 3 * ((size_t)mapped->width + 2);
    int32_t *errors = calloc(2 * row, sizeof(*errors));
    if (!errors) {
        return false;
    }
    diffusion.errors[0] = errors;
    diffusion.errors[1] = errors + row;
    for (uint32_t k = 0; k < diffusion.num; k++) {
        for (int c = 0; c < 3; c++) {
            diffusion.palette[c][k] = (int32_t)(colors[k] >> (16 - 8 * c) & 255) * UNIT;
        }
    }
    for (uint32_t y = 0; y < mapped->height; y++) {
        diffuse_row(&diffusion, y);
    }
    free(errors);
    return true;
}
