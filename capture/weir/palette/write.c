// SPDX-License-Identifier: MIT
// Pictures in few colours as PNG files, indexed where they can be.
#include "capture/weir/palette/write.h"

#include <stdlib.h>

#include <weir/still.h>

#include "capture/weir/common/report.h"

enum { MAX_INDICES = 256 };

// By alpha first: a PNG file lists alphas up to the last that is not opaque.
static int by_value(const void *a, const void *b)
{
    const uint32_t x = ((const struct palette_color *)a)->rgba,
                   y = ((const struct palette_color *)b)->rgba;
    return x < y ? -1 : x > y;
}

static size_t find_index(const struct palette_color *list, size_t num, uint32_t rgba)
{
    const struct palette_color key = {.rgba = rgba};
    const struct palette_color *found = bsearch(&key, list, num, sizeof(*list), by_value);
    return (size_t)(found - list);
}

static void make_indices(const struct palette_pixels *pixels, const struct palette_color *list,
                         size_t num, uint8_t *indices)
{
    const size_t num_pixels = (size_t)pixels->width * pixels->height;
    uint32_t last = list[0].rgba;
    size_t index = 0;
    for (size_t i = 0; i < num_pixels; i++) {
        const uint32_t rgba = palette_pixel(pixels, i);
        if (rgba != last) {
            index = find_index(list, num, rgba);
        }
        last = rgba;
        indices[i] = (uint8_t)index;
    }
}

static enum weir_result write_indexed(const char *path, const struct palette_pixels *pixels,
                                      struct palette_color *list, size_t num)
{
    uint8_t bytes[4 * MAX_INDICES];
    uint8_t *indices = malloc((size_t)pixels->width * pixels->height);
    if (!indices) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    qsort(list, num, sizeof(*list), by_value);
    for (size_t i = 0; i < 4 * num; i++) {
        bytes[i] = (uint8_t)(list[i / 4].rgba >> 8 * (i % 4));
    }
    make_indices(pixels, list, num, indices);
    const struct weir_still still = {
        .width = pixels->width,
        .height = pixels->height,
        .num_channels = 1,
        .pixels = indices,
        .colors = bytes,
        .num_colors = (uint32_t)num,
    };
    const enum weir_result result = weir_still_write_png(path, &still, &cli_log);
    free(indices);
    return result;
}

static bool is_opaque(const struct palette_pixels *pixels)
{
    const size_t num_pixels = (size_t)pixels->width * pixels->height;
    for (size_t i = 0; i < num_pixels; i++) {
        if (pixels->rgba[4 * i + 3] != UINT8_MAX) {
            return false;
        }
    }
    return true;
}

static enum weir_result write_plain(const char *path, const struct palette_pixels *pixels)
{
    const size_t num_pixels = (size_t)pixels->width * pixels->height;
    struct weir_still still = {
        .width = pixels->width,
        .height = pixels->height,
        .num_channels = 4,
        .pixels = pixels->rgba,
    };
    uint8_t *rgb = NULL;
    if (is_opaque(pixels)) {
        rgb = malloc(3 * num_pixels);
        if (!rgb) {
            return WEIR_ERROR_OUT_OF_MEMORY;
        }
        for (size_t i = 0; i < 3 * num_pixels; i++) {
            rgb[i] = pixels->rgba[4 * (i / 3) + i % 3];
        }
        still.num_channels = 3;
        still.pixels = rgb;
    }
    const enum weir_result result = weir_still_write_png(path, &still, &cli_log);
    free(rgb);
    return result;
}

enum weir_result palette_write_png(const char *path, const struct palette_pixels *pixels,
                                   const struct palette_colors *colors)
{
    struct palette_color *list = NULL;
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (colors->num > MAX_INDICES) {
        result = write_plain(path, pixels);
    } else if ((list = palette_colors_list(colors))) {
        result = write_indexed(path, pixels, list, colors->num);
    }
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        cli_report_error("no memory to write %s", path);
    }
    free(list);
    return result;
}
