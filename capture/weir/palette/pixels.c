// SPDX-License-Identifier: MIT
// Pictures in 8 bits: read before a palette reduction, and written after it as PNG files, indexed
// where they can be.
#include "capture/weir/palette/pixels.h"

#include <stdlib.h>
#include <string.h>

#include <weir/still.h>

#include "capture/files/picture/picture.h"
#include "capture/files/picture/texel.h"
#include "capture/weir/common/memory.h"
#include "capture/weir/common/report.h"

static enum weir_result fill_rows(const struct weir_picture *picture, uint8_t *rgba)
{
    const struct weir_pyramid_format_info *format = weir_pyramid_format_get_info(
        VK_FORMAT_R8G8B8A8_UNORM);
    const size_t pitch = 4 * (size_t)picture->width;
    if (weir_picture_bytes(picture, 0)) {
        for (uint32_t y = 0; y < picture->height; y++) {
            memcpy(rgba + y * pitch, weir_picture_bytes(picture, y), pitch);
        }
        return WEIR_OK;
    }
    float *row = malloc(pitch * sizeof(*row));
    if (!row) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t y = 0; y < picture->height; y++) {
        weir_picture_row(picture, y, row);
        weir_texel_pack(format, row, picture->width, rgba + y * pitch);
    }
    free(row);
    return WEIR_OK;
}

static enum weir_result take_picture(struct palette_pixels *pixels, const char *path,
                                     const struct weir_picture *picture)
{
    if (picture->is_linear) {
        cli_report_error("%s holds linear light, and a palette is of codes of 0 .. 255; convert it "
                         "to a .png first",
                         path);
        return WEIR_ERROR_UNSUPPORTED;
    }
    pixels->width = picture->width;
    pixels->height = picture->height;
    pixels->is_rounded = picture->type != WEIR_PICTURE_8;
    pixels->rgba = malloc(4 * (size_t)picture->width * picture->height);
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (pixels->rgba) {
        result = fill_rows(picture, pixels->rgba);
    }
    if (result != WEIR_OK) {
        cli_report_error("no memory for the %ux%u texels of %s", picture->width, picture->height,
                         path);
    }
    return result;
}

enum weir_result palette_pixels_read(struct palette_pixels *pixels, const char *path,
                                     uint64_t max_memory)
{
    // The pixels, the staging buffer, two images on a device that shares the memory, and a copy of
    // the pixels for dither.
    const struct weir_memory_use memory = cli_memory_use(max_memory, 1, 20);
    struct weir_picture picture;
    *pixels = (struct palette_pixels){0};
    enum weir_result result = weir_picture_read(path, &memory, &cli_log, &picture);
    if (result == WEIR_OK) {
        result = take_picture(pixels, path, &picture);
    }
    weir_picture_free(&picture);
    return result;
}

void palette_pixels_free(struct palette_pixels *pixels)
{
    free(pixels->rgba);
    *pixels = (struct palette_pixels){0};
}

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
