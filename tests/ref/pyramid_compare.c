// SPDX-License-Identifier: MIT
// How far a mip pyramid may be from the scalar reference, and where it is further.
#include "tests/ref/pyramid_compare.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/ref/texel.h"

// Every value of the source is one of the format.
static bool is_converted(const struct ref_pyramid *pyramid)
{
    const VkFormat from = pyramid->source_format, to = pyramid->format;
    const bool is_d32 = from == VK_FORMAT_D32_SFLOAT || from == VK_FORMAT_D32_SFLOAT_S8_UINT ||
                        from == VK_FORMAT_R32_SFLOAT;
    return pyramid->source && from != to &&
           !(is_d32 && (to == VK_FORMAT_R32_SFLOAT || to == VK_FORMAT_R32G32_SFLOAT ||
                        to == VK_FORMAT_R32G32B32A32_SFLOAT));
}

struct ref_pyramid_bar ref_pyramid_get_bar(const struct ref_pyramid *pyramid, uint32_t depth)
{
    const struct ref_texel_format *format = ref_texel_get_format(pyramid->format);
    if (ref_pyramid_is_extremum(pyramid->reduction)) {
        return (struct ref_pyramid_bar){.steps = is_converted(pyramid) ? 1 : 0};
    }
    const bool is_float = format->kind == REF_TEXEL_FLOAT;
    struct ref_pyramid_bar bar = {.steps = is_float && format->bits[0] == 32 ? 0 : 1,
                                  .relative = is_float ? 2e-6 * depth : 0};
    if (is_float) {
        bar.relative += pyramid->blit ? 4 / 256.0 : 0;
        bar.codes = pyramid->sampled && format->bits[0] == 16 ? 2 : 0;
    } else if (pyramid->blit) {
        const bool is_srgb = format->kind == REF_TEXEL_SRGB;
        const double half_code = is_srgb ? 0.0045 : 0.5 / 255; // at most, in linear light
        // Weights have 8 bits, and the place of a texel is a 32-bit float, in both directions.
        const double place = ldexp(pyramid->width + pyramid->height, -24);
        bar.absolute = half_code + (is_srgb ? 0.0065 : 0) + 2 / 256.0 + place;
    } else if (pyramid->sampled) {
        bar.steps = 2;
    } else if (pyramid->exact_srgb && format->kind == REF_TEXEL_SRGB) {
        bar.steps = 0;
        bar.codes = 0.5005 + 0.00008 * depth;
    }
    return bar;
}

struct comparison {
    struct ref_pyramid p;
    const struct ref_texel_format *format;
    const uint8_t *actual;
    uint32_t num_channels;
    struct ref_pyramid_difference difference;
    bool is_different;
};

static bool passes(const struct comparison *c, const struct ref_pyramid_difference *d)
{
    if (isnan(d->expected)) {
        return true;
    }
    if (isnan(d->actual) || isinf(d->expected) || isinf(d->actual)) {
        return d->steps == 0; // of an infinity as the format rounds it: 1 in UNORM
    }
    if (d->steps <= d->bar.steps) {
        return true;
    }
    const bool is_float32 = c->format->kind == REF_TEXEL_FLOAT && c->format->bits[d->channel] == 32;
    if (is_float32 && fabs(d->expected) < FLT_MIN && fabs(d->actual) < FLT_MIN) {
        return true;
    }
    if (d->bar.codes > 0 && d->codes <= d->bar.codes) {
        return true;
    }
    // A mean is off by this where products with weights or alpha were flushed to 0.
    const double flushed = ref_pyramid_is_extremum(c->p.reduction) ? 0 : 1e-34;
    return fabs(d->actual - d->expected) <=
           d->bar.relative * d->magnitude + d->bar.absolute + flushed;
}

// The distance of a stored channel from the code before it is rounded.
static double real_distance(const struct ref_texel_format *format, const uint8_t *stored,
                            double expected, uint32_t channel)
{
    return fabs((double)ref_texel_order(format, stored, channel) -
                ref_texel_real_code(format, expected, channel));
}

// The distance of two values in units in the last place of a 16-bit float that is as large as
// `magnitude`.
static double half_distance(double a, double b, double magnitude)
{
    int exponent;
    frexp(magnitude, &exponent); // it is from 2^(exponent - 1) on
    return fabs(a - b) / ldexp(1, (exponent < -13 ? -13 : exponent) - 11);
}

// The distance of one channel, not of the texel.
static uint32_t channel_steps(const struct ref_texel_format *format, const uint8_t *a,
                              const uint8_t *b, uint32_t channel)
{
    const int64_t x = ref_texel_order(format, a, channel), y = ref_texel_order(format, b, channel);
    const int64_t steps = x > y ? x - y : y - x;
    return steps < UINT32_MAX ? (uint32_t)steps : UINT32_MAX;
}

static bool compare_texel(struct comparison *c, const struct ref_pyramid_level *level, uint32_t x,
                          uint32_t y, const uint8_t *stored)
{
    const size_t i = (size_t)y * level->width + x;
    uint8_t expected[16];
    double actual[1][4];
    ref_texel_pack(c->format, level->texels + i, 1, expected);
    if (memcmp(expected, stored, c->format->texel_size) == 0) {
        return true;
    }
    ref_texel_unpack(c->format, stored, 1, actual);
    for (uint32_t channel = 0; channel < c->num_channels; channel++) {
        const struct ref_pyramid_difference d = {
            .level = level->level,
            .layer = level->layer,
            .x = x,
            .y = y,
            .channel = channel,
            .expected = level->texels[i][channel],
            .actual = actual[0][channel],
            .magnitude = level->magnitudes[i][channel],
            .steps = channel_steps(c->format, expected, stored, channel),
            .codes = c->format->kind == REF_TEXEL_FLOAT
                         ? half_distance(actual[0][channel], level->texels[i][channel],
                                         level->magnitudes[i][channel])
                         : real_distance(c->format, stored, level->texels[i][channel], channel),
            .bar = ref_pyramid_get_bar(&c->p, level->depth)};
        if (!passes(c, &d)) {
            c->difference = d;
            c->is_different = true;
            return false;
        }
    }
    return true;
}

static bool compare_level(const struct ref_pyramid_level *level, void *user)
{
    struct comparison *c = user;
    const size_t row_size = (size_t)level->width * c->format->texel_size;
    const uint8_t *stored = c->actual + ref_pyramid_offset(&c->p, level->level) +
                            level->layer * level->height * row_size;
    for (uint32_t y = 0; y < level->height; y++) {
        for (uint32_t x = 0; x < level->width; x++) {
            if (!compare_texel(c, level, x, y,
                               stored + y * row_size + (size_t)x * c->format->texel_size)) {
                return false;
            }
        }
    }
    return true;
}

enum ref_pyramid_verdict ref_pyramid_compare(const struct ref_pyramid *pyramid, const void *actual,
                                             struct ref_pyramid_difference *out)
{
    struct comparison c = {.p = ref_pyramid_resolve(pyramid),
                           .format = ref_texel_get_format(pyramid->format),
                           .actual = actual};
    c.num_channels = c.p.reduction == WEIR_PYRAMID_MIN_MAX && c.format->num_channels > 2
                         ? 2
                         : c.format->num_channels;
    const bool ok = ref_pyramid_visit(pyramid, actual, true, compare_level, &c);
    if (out) {
        *out = c.difference;
    }
    return c.is_different ? REF_PYRAMID_DIFFERENT : ok ? REF_PYRAMID_SAME : REF_PYRAMID_NO_MEMORY;
}

struct measurement {
    struct ref_pyramid p;
    const struct ref_texel_format *format;
    const uint8_t *actual;
    struct ref_pyramid_errors *errors;
};

static bool measure_level(const struct ref_pyramid_level *level, void *user)
{
    const struct measurement *m = user;
    const struct ref_texel_format *format = m->format;
    const size_t num_texels = (size_t)level->width * level->height;
    const uint8_t *stored = m->actual + ref_pyramid_offset(&m->p, level->level) +
                            level->layer * num_texels * format->texel_size;
    const uint32_t num_channels = format->kind == REF_TEXEL_SRGB && format->num_channels == 4
                                      ? 3
                                      : format->num_channels;
    for (size_t i = 0; i < num_texels; i++) {
        for (uint32_t channel = 0; channel < num_channels; channel++) {
            const double distance = real_distance(format, stored + i * format->texel_size,
                                                  level->texels[i][channel], channel);
            m->errors->max = distance > m->errors->max ? distance : m->errors->max;
            m->errors->num_not_nearest += distance > 0.5;
        }
    }
    m->errors->num += num_texels * num_channels;
    return true;
}

bool ref_pyramid_measure(const struct ref_pyramid *pyramid, const void *actual,
                         struct ref_pyramid_errors *errors)
{
    struct measurement m = {.p = ref_pyramid_resolve(pyramid),
                            .format = ref_texel_get_format(pyramid->format),
                            .actual = actual,
                            .errors = errors};
    return ref_pyramid_visit(pyramid, actual, false, measure_level, &m);
}

void ref_pyramid_describe(const struct ref_pyramid *pyramid,
                          const struct ref_pyramid_difference *difference, char *text,
                          size_t text_size)
{
    static const char *const reductions[] = {"mean",    "alpha_mean", "min",   "max",
                                             "min_max", "luma_mean",  "custom"};
    const struct ref_pyramid p = ref_pyramid_resolve(pyramid);
    const struct ref_pyramid_difference *d = difference;
    snprintf(text, text_size,
             "%s %s of %ux%u, %u layers, read_back %#x: level %u layer %u (%u, %u) channel %u is "
             "%.9g, not %.9g of magnitude %.3g; %u steps, allowed %u or %.3g of it and %.3g; %.4f "
             "codes, allowed "
             "%.3f",
             ref_texel_get_format(p.format)->name, reductions[p.reduction], p.width, p.height,
             p.layers, p.read_back, d->level, d->layer, d->x, d->y, d->channel, d->actual,
             d->expected, d->magnitude, d->steps, d->bar.steps, d->bar.relative, d->bar.absolute,
             d->codes, d->bar.codes);
}
