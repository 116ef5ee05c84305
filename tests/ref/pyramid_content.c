// SPDX-License-Identifier: MIT
// Images that mip pyramids are tested with: seeded, in any format.
#include "tests/ref/pyramid_content.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/ref/texel.h"

static const char *const names[REF_NUM_CONTENTS] = {
    "random",   "smooth",   "checkerboard", "centre_lines", "steps", "impulse",
    "constant", "extremes", "alpha",        "infinities",   "nans"};

const char *ref_pyramid_content_name(enum ref_pyramid_content content)
{
    return (unsigned)content < REF_NUM_CONTENTS ? names[content] : NULL;
}

bool ref_pyramid_content_exists(enum ref_pyramid_content content, VkFormat format)
{
    const bool is_special = content == REF_CONTENT_INFINITIES || content == REF_CONTENT_NANS;
    return !is_special ||
           (ref_texel_get_format(format)->kind == REF_TEXEL_FLOAT && !ref_texel_is_depth(format));
}

// Vigna, SplitMix64: a value for each count of `state`, so that any texel can be drawn by itself.
static uint64_t mix(uint64_t state)
{
    uint64_t z = (state + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double unit(uint64_t bits) // 0 .. 1
{
    return (double)(bits >> 11) * 0x1p-53;
}

// One layer and channel.
struct draw {
    enum ref_pyramid_content content;
    const struct ref_texel_format *format;
    uint32_t width, height;
    uint32_t bits; // of the channel
    bool is_float, has_sign;
    uint64_t seed;
    bool is_alpha; // alpha that must be in 0 .. 1
    double high;   // of patterns of two values
};

static double any_finite(const struct draw *d, uint64_t random)
{
    if (!d->is_float) {
        return unit(random); // rounds to every code
    }
    if (d->bits == 32) {
        const double magnitude = ldexp(1 + unit(mix(random)), (int)(random >> 8 & 63) - 31);
        return random & 1 ? -magnitude : magnitude;
    }
    const uint32_t sign = d->has_sign ? (uint32_t)(random >> 63) << (d->bits - 1) : 0;
    const uint32_t num_finite = 31u << (d->bits - d->has_sign - 5);
    return ref_float_unpack(sign | (uint32_t)(random & 0xffffffff) % num_finite, d->bits);
}

static double extreme(const struct draw *d, uint64_t random)
{
    static const double unorm[] = {0, 1, 1, 0.5};
    static const double half[] = {65504, 65504, 0x1p-14, 0x1p-24, 1023 * 0x1p-24, 0, 1, 65472};
    static const double single[] = {1e30, 1e30, FLT_MIN, 1e-40, 1e-45, 0, 1, 1 + FLT_EPSILON};
    if (!d->is_float) {
        const double step = ref_unorm_unpack(1, d->bits);
        const double value = unorm[random % 4];
        return random >> 8 & 1 ? fabs(value - step) : value;
    }
    const double value = d->bits == 32 ? single[random % 8] : half[random % 8];
    return random >> 63 ? -value : value;
}

static double smooth(const struct draw *d, uint32_t x, uint32_t y)
{
    double sum = 0;
    for (uint64_t wave = 0; wave < 3; wave++) {
        const uint64_t a = mix(d->seed + wave), b = mix(a), c = mix(b);
        const double u = (x + 0.5) / d->width, v = (y + 0.5) / d->height;
        sum += sin(6.283185307179586 * (unit(a) + 4 * unit(b) * u + 4 * unit(c) * v));
    }
    return d->high * (0.5 + sum / 6);
}

// Between two steps the value is constant; at 63, 64 and 65 it changes, and so on every 64 texels.
static double stepped(const struct draw *d, uint32_t x, uint32_t y)
{
    const uint64_t column = x / 64 * 4 + (x % 64 == 63 ? 2 : x % 64 == 0 ? 0 : 1);
    const uint64_t row = y / 64 * 4 + (y % 64 == 63 ? 2 : y % 64 == 0 ? 0 : 1);
    return d->high * unit(mix(d->seed ^ mix(column << 32 | row)));
}

static double alpha_pattern(const struct draw *d, uint32_t x, uint32_t y, uint64_t random)
{
    switch (mix(d->seed ^ (uint64_t)(y / 5) << 32 ^ x / 5) % 5) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return random & 1; // single holes
    case 3:
        return 1.0 / 255; // the lowest 8-bit code
    default:
        return unit(random);
    }
}

static double value_at(const struct draw *d, uint32_t x, uint32_t y, uint64_t random)
{
    switch (d->content) {
    case REF_CONTENT_SMOOTH:
        return smooth(d, x, y);
    case REF_CONTENT_CHECKERBOARD:
        return (x + y) % 2 ? d->high : 0;
    case REF_CONTENT_CENTRE_LINES:
        return x == d->width / 2 || y == d->height / 2 ? d->high : 0;
    case REF_CONTENT_STEPS:
        return stepped(d, x, y);
    case REF_CONTENT_IMPULSE:
        return x == mix(d->seed) % d->width && y == mix(d->seed + 1) % d->height ? d->high : 0;
    case REF_CONTENT_CONSTANT:
        return any_finite(d, mix(d->seed));
    case REF_CONTENT_EXTREMES:
        return extreme(d, random);
    case REF_CONTENT_INFINITIES:
        return random % 64 ? any_finite(d, mix(random)) : random >> 63 ? -INFINITY : INFINITY;
    case REF_CONTENT_NANS:
        return random % 64 ? any_finite(d, mix(random)) : NAN;
    default:
        return any_finite(d, random);
    }
}

static struct draw draw_of(enum ref_pyramid_content content, const struct ref_texel_format *format,
                           enum weir_pyramid_reduction reduction, uint32_t channel)
{
    const uint32_t bits = format->bits[channel];
    const bool is_float = format->kind == REF_TEXEL_FLOAT;
    return (struct draw){.content = content,
                         .format = format,
                         .bits = bits,
                         .is_float = is_float,
                         .has_sign = is_float && bits >= 16 && !ref_texel_is_depth(format->format),
                         .is_alpha = channel == 3 &&
                                     (content == REF_CONTENT_ALPHA ||
                                      (is_float && reduction == WEIR_PYRAMID_ALPHA_MEAN)),
                         .high = is_float && !ref_texel_is_depth(format->format) ? 1000 : 1};
}

// Bring a value into the range that the format and the reduction allow.
static double shape(const struct draw *d, enum weir_pyramid_reduction reduction, double value)
{
    if (ref_texel_is_depth(d->format->format)) {
        return fmin(fabs(value), 1);
    }
    return d->has_sign && reduction != WEIR_PYRAMID_LUMA_MEAN ? value : fabs(value);
}

void ref_pyramid_content_fill(enum ref_pyramid_content content, VkFormat format,
                              enum weir_pyramid_reduction reduction, uint32_t width,
                              uint32_t height, uint32_t layers, uint64_t seed, void *packed)
{
    const struct ref_texel_format *f = ref_texel_get_format(format);
    uint8_t *out = packed;
    struct draw draws[4];
    for (uint32_t layer = 0; layer < layers; layer++) {
        for (uint32_t c = 0; c < f->num_channels; c++) {
            draws[c] = draw_of(content, f, reduction, c);
            draws[c].width = width;
            draws[c].height = height;
            draws[c].seed = mix(seed ^ mix((uint64_t)layer << 8 | c));
        }
        for (uint32_t y = 0; y < height; y++) {
            for (uint32_t x = 0; x < width; x++, out += f->texel_size) {
                double texel[1][4] = {{0}};
                for (uint32_t c = 0; c < f->num_channels; c++) {
                    const struct draw *d = &draws[c];
                    const uint64_t random = mix(d->seed ^ ((uint64_t)y << 32 | x));
                    texel[0][c] = d->is_alpha ? alpha_pattern(d, x, y, random)
                                              : shape(d, reduction, value_at(d, x, y, random));
                }
                ref_texel_pack(f, (const double(*)[4])texel, 1, out);
            }
        }
    }
}
