// SPDX-License-Identifier: MIT
// Checks of a pyramid's levels that need no reference.
#include "tests/gpu/pyramid_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ref/texel.h"

// One layer of one level of the last images.
struct plane {
    uint32_t level, width, height;
    const uint8_t *texels;
};

static struct plane plane_of(const struct pyramid_images *images, uint32_t image, uint32_t level,
                             uint32_t layer)
{
    return (struct plane){.level = level,
                          .width = ref_pyramid_level_size(images->ref.width, level),
                          .height = ref_pyramid_level_size(images->ref.height, level),
                          .texels = pyramid_images_level(images, image, level, layer)};
}

typedef bool check_plane(struct pyramid_runner *runner, const struct pyramid_case *c,
                         const struct plane *base, const struct plane *plane);

static bool check_planes(struct pyramid_runner *runner, const struct pyramid_case *c,
                         check_plane *check)
{
    const struct ref_pyramid *ref = &runner->images.ref;
    for (uint32_t image = 0; image < runner->images.num_images; image++) {
        for (uint32_t layer = 0; layer < ref->layers; layer++) {
            const struct plane base = plane_of(&runner->images, image, ref->first_level, layer);
            for (uint32_t level = ref->first_level + 1; level <= ref->last_level; level++) {
                const struct plane plane = plane_of(&runner->images, image, level, layer);
                if (!check(runner, c, &base, &plane)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool is_constant(struct pyramid_runner *runner, const struct pyramid_case *c,
                        const struct plane *base, const struct plane *plane)
{
    const size_t size = ref_texel_get_format(c->format)->texel_size;
    for (size_t i = 0; i < (size_t)plane->width * plane->height; i++) {
        if (memcmp(plane->texels + i * size, base->texels, size) != 0) {
            char text[128];
            snprintf(text, sizeof(text), "a constant changes at level %u, texel %zu", plane->level,
                     i);
            return pyramid_fail(&runner->images, c, text);
        }
    }
    return true;
}

bool pyramid_check_constant(struct pyramid_runner *runner, const struct pyramid_case *c)
{
    return check_planes(runner, c, is_constant);
}

// Get the end, on an axis, of the texels of the base under texel i of a level `up` levels above it.
// Each odd size on the way adds one texel.
static uint32_t footprint_end(uint32_t size, uint32_t up, uint32_t i)
{
    const uint64_t end = ((uint64_t)(i + 1) << up) + (size & ((1u << up) - 1));
    return end < size ? (uint32_t)end : size;
}

struct range {
    int64_t low, high;
};

// Devices may flush 32-bit floats below FLT_MIN to zero.
static int64_t order_of(const struct ref_texel_format *format, const void *texel, uint32_t channel)
{
    const int64_t order = ref_texel_order(format, texel, channel);
    const bool is_float32 = format->kind == REF_TEXEL_FLOAT && format->bits[channel] == 32;
    return is_float32 && llabs(order) < 0x00800000 ? 0 : order;
}

static struct range range_of(const struct ref_texel_format *format, const struct plane *base,
                             uint32_t up, uint32_t x, uint32_t y, uint32_t channel)
{
    struct range range = {INT64_MAX, INT64_MIN};
    for (uint32_t v = y << up; v < footprint_end(base->height, up, y); v++) {
        for (uint32_t u = x << up; u < footprint_end(base->width, up, x); u++) {
            const int64_t order = order_of(
                format, base->texels + ((size_t)v * base->width + u) * format->texel_size, channel);
            range.low = order < range.low ? order : range.low;
            range.high = order > range.high ? order : range.high;
        }
    }
    return range;
}

static struct range allowed(enum weir_pyramid_reduction reduction, uint32_t channel,
                            struct range range)
{
    const bool is_min_max = reduction == WEIR_PYRAMID_MIN_MAX;
    if (reduction == WEIR_PYRAMID_MIN || (is_min_max && channel == 0)) {
        return (struct range){range.low, range.low};
    }
    if (reduction == WEIR_PYRAMID_MAX || is_min_max) {
        return (struct range){range.high, range.high};
    }
    return range;
}

static bool is_bounded(struct pyramid_runner *runner, const struct pyramid_case *c,
                       const struct plane *base, const struct plane *plane)
{
    const struct ref_texel_format *format = ref_texel_get_format(c->format);
    const uint32_t channels = c->reduction == WEIR_PYRAMID_MIN_MAX ? 2 : format->num_channels;
    for (uint32_t i = 0; i < plane->width * plane->height; i++) {
        for (uint32_t channel = 0; channel < channels; channel++) {
            const uint32_t x = i % plane->width, y = i / plane->width;
            const struct range range = allowed(
                c->reduction, channel,
                range_of(format, base, plane->level - base->level, x, y, channel));
            const int64_t order = order_of(format, plane->texels + (size_t)i * format->texel_size,
                                           channel);
            if (order < range.low || order > range.high) {
                char text[256];
                snprintf(text, sizeof(text),
                         "level %u (%u, %u) channel %u: ordered code %lld is not in %lld .. %lld, "
                         "those of the texels under it",
                         plane->level, x, y, channel, (long long)order, (long long)range.low,
                         (long long)range.high);
                return pyramid_fail(&runner->images, c, text);
            }
        }
    }
    return true;
}

bool pyramid_check_bounds(struct pyramid_runner *runner, const struct pyramid_case *c)
{
    return check_planes(runner, c, is_bounded);
}
