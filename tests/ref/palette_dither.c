// SPDX-License-Identifier: MIT
// Reference of dither by a pattern: a pixel gets the nearest colour of the palette or a second one,
// by a threshold of its place (as in J. Yliluoma's "arbitrary-palette positional dithering", 2011).
//
// The share of the second is that at which the mixture comes nearest to the pixel. Of all colours
// that is the second which makes the mixture's error small, and its noise. Where the picture varies
// by more than the palette errs, its own noise hides the steps, and there is no dither.
#include "tests/ref/palette_dither.h"

#include <string.h>

#include "tests/ref/blue_noise.h"

enum { BAYER_SIDE = 8 };

struct mix {
    uint32_t first, second; // of the palette
    uint32_t share;         // of the second, 0 .. 128 of 256
};

static int64_t dot(const int64_t a[3], const int64_t b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const struct ref_palette_mean *p, const struct ref_palette_mean *q,
                     int64_t difference[3])
{
    for (int c = 0; c < 3; c++) {
        difference[c] = (int64_t)p->x[c] - (int64_t)q->x[c];
    }
}

static int64_t squared_distance(const struct ref_palette_mean *p, const struct ref_palette_mean *q)
{
    int64_t d[3];
    subtract(p, q, d);
    return dot(d, d);
}

// The error and the noise of a mixture, times 2^19: its squared distance from the point, and 3/8 of
// the variance of its two colours.
static int64_t cost_of(int64_t point_squared, int64_t along, int64_t step_squared, int64_t share)
{
    const int64_t error = 65536 * point_squared - 512 * share * along +
                          share * share * step_squared;
    return 8 * error + 3 * share * (256 - share) * step_squared;
}

static struct mix mix_of(const struct ref_palette_dither *dither, uint32_t color)
{
    const struct ref_palette_mean point = ref_palette_mean_of(&dither->params, color);
    struct ref_palette_mean palette[REF_PALETTE_MAX_MEANS];
    struct mix mix = {0, 0, 0};
    for (uint32_t k = 0; k < REF_PALETTE_MAX_MEANS; k++) {
        palette[k] = ref_palette_mean_of(&dither->params, dither->palette[k]);
    }
    for (uint32_t k = 1; k < dither->num_palette; k++) {
        if (squared_distance(&point, &palette[k]) < squared_distance(&point, &palette[mix.first])) {
            mix.first = k;
        }
    }
    mix.second = mix.first;
    int64_t offset[3], step[3];
    subtract(&point, &palette[mix.first], offset);
    int64_t least = cost_of(dot(offset, offset), 0, 0, 0);
    for (uint32_t k = 0; k < dither->num_palette; k++) {
        subtract(&palette[k], &palette[mix.first], step);
        const int64_t along = dot(offset, step), squared = dot(step, step);
        if (along <= 0) {
            continue;
        }
        const int64_t whole = along / (squared / 256 > 1 ? squared / 256 : 1);
        const int64_t share = whole < 128 ? whole : 128;
        const int64_t cost = cost_of(dot(offset, offset), along, squared, share);
        if (cost < least) {
            least = cost;
            mix.second = k;
            mix.share = (uint32_t)share;
        }
    }
    return mix;
}

static uint32_t color_at(const uint8_t *rgba)
{
    return (uint32_t)rgba[0] << 16 | (uint32_t)rgba[1] << 8 | rgba[2];
}

static uint32_t code_distance(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const int32_t d = (int32_t)(a >> shift & 255) - (int32_t)(b >> shift & 255);
        sum += (uint32_t)(d * d);
    }
    return sum;
}

// How far the eight pixels around one are from it: the sum of squared distances, as codes. Beyond
// the border lies the pixel of the border; one with alpha 0 does not count.
static uint32_t activity(uint32_t width, uint32_t height, const uint8_t *rgba, uint32_t x,
                         uint32_t y)
{
    const uint32_t center = color_at(rgba + 4 * ((size_t)y * width + x));
    uint32_t sum = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int64_t u = (int64_t)x + dx, v = (int64_t)y + dy;
            u = u < 0 ? 0 : u >= width ? (int64_t)width - 1 : u;
            v = v < 0 ? 0 : v >= height ? (int64_t)height - 1 : v;
            const uint8_t *near = rgba + 4 * (v * width + u);
            sum += near[3] > 0 ? code_distance(color_at(near), center) : 0;
        }
    }
    return sum;
}

// 256 where the picture is flat, 0 where it varies by twice the error or more.
static uint32_t strength_of(uint32_t activity, uint32_t error)
{
    return error == 0 || 8 * activity / error > 256 ? 0 : 256 - 8 * activity / error;
}

// Thresholds of 0 .. 65536, in odd numbers of halves of a step.
static uint32_t threshold_of(enum ref_palette_pattern pattern, const uint16_t *noise, uint32_t x,
                             uint32_t y)
{
    if (pattern == REF_PALETTE_BLUE_NOISE) {
        const uint32_t side = REF_BLUE_NOISE_SIDE;
        return (2 * (uint32_t)noise[y % side * side + x % side] + 1) * 8;
    }
    // B. Bayer, "An optimum method for two-level rendition of continuous-tone pictures", 1973.
    uint32_t rank = 0;
    for (uint32_t bit = 1; bit < BAYER_SIDE; bit *= 2) {
        const uint32_t x_bit = (x & bit) > 0, y_bit = (y & bit) > 0;
        rank = 4 * rank + 2 * (x_bit ^ y_bit) + y_bit;
    }
    return (2 * rank + 1) * 512;
}

void ref_palette_dither(const struct ref_palette_dither *dither, uint32_t width, uint32_t height,
                        const uint8_t *rgba, uint8_t *out)
{
    static uint16_t noise[REF_BLUE_NOISE_SIZE];
    ref_blue_noise(noise);
    memcpy(out, rgba, 4 * (size_t)width * height);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const size_t at = 4 * ((size_t)y * width + x);
            if (rgba[at + 3] == 0) {
                continue;
            }
            const uint32_t color = color_at(rgba + at);
            const struct mix mix = mix_of(dither, color);
            const uint32_t error = code_distance(color, dither->palette[mix.first]);
            const uint32_t share = mix.share *
                                   strength_of(activity(width, height, rgba, x, y), error);
            const bool is_second = share > threshold_of(dither->pattern, noise, x, y);
            const uint32_t chosen = dither->palette[is_second ? mix.second : mix.first];
            out[at] = (uint8_t)(chosen >> 16);
            out[at + 1] = (uint8_t)(chosen >> 8);
            out[at + 2] = (uint8_t)chosen;
        }
    }
}
