// SPDX-License-Identifier: MIT
// Pictures in 8 bits: read before a palette reduction, and written after it as PNG files, indexed
// where they can be. A palette as a file that other programs read: GIMP's, hexadecimal numbers, or
// swatches.
#include "capture/weir/palette/palette.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/still.h>

#include "capture/base/path.h"
#include "capture/base/size.h"
#include "capture/files/picture/picture.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/shared_options.h"

static enum weir_result take_picture(struct palette_pixels *pixels, const char *path,
                                     const struct weir_picture *picture)
{
    CLI_FAIL_IF(picture->is_linear, WEIR_ERROR_UNSUPPORTED,
                "%s holds linear light, and a palette has codes of 0 .. 255; convert it to "
                "a .png first",
                path);
    const struct weir_pyramid_format_info *format = weir_pyramid_format_get_info(
        VK_FORMAT_R8G8B8A8_UNORM);
    const size_t pitch = 4 * (size_t)picture->width;
    float *row = malloc(pitch * sizeof(*row));
    pixels->width = picture->width;
    pixels->height = picture->height;
    pixels->is_rounded = picture->type != WEIR_PICTURE_8;
    pixels->rgba = malloc(pitch * picture->height);
    const bool has_memory = row && pixels->rgba;
    for (uint32_t y = 0; y < picture->height && has_memory; y++) {
        weir_picture_row(picture, y, row);
        weir_texel_pack(format, row, picture->width, pixels->rgba + y * pitch);
    }
    free(row);
    return has_memory ? WEIR_OK
                      : cli_fail(WEIR_ERROR_OUT_OF_MEMORY, "no memory for the %ux%u texels of %s",
                                 picture->width, picture->height, path);
}

enum weir_result palette_pixels_read(struct palette_pixels *pixels, const char *path,
                                     struct cli_pictures *pictures)
{
    // The pixels, the staging buffer, two images on a device that shares the memory, and a copy of
    // the pixels for dither.
    const struct weir_memory_use memory = cli_memory_use(pictures->max_memory, 1, 20);
    struct weir_picture picture;
    *pixels = (struct palette_pixels){0};
    enum weir_result result = cli_picture_read(pictures, path, &memory, &picture);
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

// A colour with its alpha, which is an entry of an indexed file.
struct entry {
    uint32_t alpha;
    double color[3], count; // count: pixels
    struct entry *target;   // that it was joined to; NULL: none
};

// Ward's criterion: what the squared error grows by when two colours become their mean.
static double cost_of(const struct entry *a, const struct entry *b)
{
    double square = 0;
    for (int c = 0; c < 3; c++) {
        square += (a->color[c] - b->color[c]) * (a->color[c] - b->color[c]);
    }
    return square * a->count * b->count / (a->count + b->count);
}

// Join the pair that costs the least, among entries in the order of alpha. False: no two that are
// left have the same alpha.
static bool join_pair(struct entry *entries, size_t num, bool moves)
{
    double least = INFINITY;
    struct entry *from = NULL, *to = NULL;
    for (struct entry *a = entries; a < entries + num; a++) {
        for (struct entry *b = a + 1; b < entries + num && b->alpha == a->alpha; b++) {
            const double cost = a->target || b->target ? INFINITY : cost_of(a, b);
            if (cost < least) {
                least = cost;
                from = a->count < b->count ? a : b;
                to = from == a ? b : a;
            }
        }
    }
    for (int c = 0; c < 3 && from && moves; c++) {
        to->color[c] += (from->color[c] - to->color[c]) * from->count / (from->count + to->count);
    }
    if (from) {
        to->count += from->count;
        from->target = to;
    }
    return from;
}

// Returns the number of alphas but 0.
static uint32_t make_entries(const struct palette_color *list, size_t num, struct entry *entries)
{
    uint32_t num_alphas = 0;
    for (size_t i = 0; i < num; i++) {
        const uint32_t rgba = list[i].rgba;
        entries[i] = (struct entry){rgba >> 24,
                                    {rgba & 255, rgba >> 8 & 255, rgba >> 16 & 255},
                                    (double)list[i].count,
                                    NULL};
        num_alphas += entries[i].alpha != (i > 0 ? entries[i - 1].alpha : 0);
    }
    return num_alphas;
}

bool palette_join_colors(struct palette_pixels *pixels, const struct palette_colors *colors,
                         size_t most, bool moves)
{
    const size_t num_bytes = 4 * (size_t)pixels->width * pixels->height;
    size_t num = colors->num;
    struct palette_color *list = palette_colors_list(colors);
    struct entry *entries = malloc(num * sizeof(*entries));
    const bool done = list && entries;
    if (done) {
        qsort(list, num, sizeof(*list), by_value);
    }
    if (done && make_entries(list, num, entries) <= PALETTE_MAX_ALPHAS) {
        for (size_t left = num; left > most && join_pair(entries, num, moves); left--) {
        }
        for (size_t i = 0; i < num_bytes; i += 4) {
            const struct entry *entry = entries +
                                        find_index(list, num, palette_pixel(pixels, i / 4));
            while (entry->target) {
                entry = entry->target;
            }
            for (int c = 0; c < 3; c++) {
                pixels->rgba[i + c] = (uint8_t)lround(entry->color[c]);
            }
        }
    }
    free(list);
    free(entries);
    return done;
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
    for (size_t i = 0; i < (size_t)pixels->width * pixels->height; i++) {
        const uint32_t rgba = palette_pixel(pixels, i);
        const bool is_same = i > 0 && rgba == palette_pixel(pixels, i - 1);
        indices[i] = is_same ? indices[i - 1] : (uint8_t)find_index(list, num, rgba);
    }
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

static enum weir_result write_still(const char *path, size_t width, size_t height,
                                    uint32_t num_channels, const uint8_t *pixels)
{
    const struct weir_still still = {
        .width = (uint32_t)width,
        .height = (uint32_t)height,
        .num_channels = num_channels,
        .pixels = pixels,
    };
    return weir_still_write_png(path, &still, &cli_log);
}

static enum weir_result write_plain(const char *path, const struct palette_pixels *pixels)
{
    const size_t num_pixels = (size_t)pixels->width * pixels->height;
    bool is_opaque = true;
    for (size_t i = 0; i < num_pixels; i++) {
        is_opaque = is_opaque && pixels->rgba[4 * i + 3] == UINT8_MAX;
    }
    if (!is_opaque) {
        return write_still(path, pixels->width, pixels->height, 4, pixels->rgba);
    }
    uint8_t *rgb = malloc(3 * num_pixels);
    if (!rgb) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < 3 * num_pixels; i++) {
        rgb[i] = pixels->rgba[4 * (i / 3) + i % 3];
    }
    const enum weir_result result = write_still(path, pixels->width, pixels->height, 3, rgb);
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

// Of swatches. Palettes that need more than so many rows of so many are one texel a colour.
enum { SWATCH_SIDE = 16, MAX_COLUMNS = 64, MAX_ROWS = 64 };

static uint8_t channel(const struct palette_color *color, uint32_t c)
{
    return (uint8_t)(color->rgba >> 8 * c);
}

// As one number, red first.
static uint32_t rgb_of(const struct palette_color *color)
{
    return (uint32_t)channel(color, 0) << 16 | (uint32_t)channel(color, 1) << 8 | channel(color, 2);
}

// Most used first; of equals the order is that of their codes.
static int by_use(const void *a, const void *b)
{
    const struct palette_color *x = a, *y = b;
    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    return rgb_of(x) < rgb_of(y) ? -1 : rgb_of(x) > rgb_of(y);
}

enum { MAX_HEAD = 1280, MAX_LINE = 24 };

// `name` is for a .gpl file; else numbers alone are written.
static enum weir_result write_text(const char *path, const char *name,
                                   const struct palette_color *list, size_t num)
{
    const bool is_gpl = cli_output_ends_in(path, ".gpl");
    char line[1024], *text = malloc(MAX_HEAD + num * MAX_LINE), *at = text;
    if (!text) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    if (is_gpl) {
        weir_log_escape(weir_path_name(name), line, sizeof(line));
        at += snprintf(at, MAX_HEAD, "GIMP Palette\nName: %s\nColumns: 16\n#\n", line);
    }
    for (size_t i = 0; i < num; i++) {
        if (is_gpl) {
            at += snprintf(at, MAX_LINE, "%3u %3u %3u\t", channel(&list[i], 0),
                           channel(&list[i], 1), channel(&list[i], 2));
        }
        at += snprintf(at, MAX_LINE, "%06x\n", rgb_of(&list[i]));
    }
    const enum weir_result result = cli_file_write(path, text, (size_t)(at - text));
    free(text);
    return result;
}

// Rows of swatches from the top left; what is left of the last row is transparent, and so is one of
// no colour.
static enum weir_result write_swatches(const char *path, const struct palette_color *list,
                                       size_t num)
{
    const bool is_large = num > (size_t)MAX_COLUMNS * MAX_ROWS;
    const size_t side = is_large ? 1 : SWATCH_SIDE;
    const size_t columns = is_large            ? (size_t)ceil(sqrt((double)num))
                           : num > MAX_COLUMNS ? MAX_COLUMNS
                           : num > 0           ? num
                                               : 1;
    const size_t rows = num > 0 ? weir_divide_up(num, columns) : 1;
    const size_t width = columns * side, height = rows * side;
    uint8_t *pixels = calloc(width * height, 4);
    if (!pixels) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            const size_t i = y / side * columns + x / side;
            for (uint32_t c = 0; c < 4 && i < num; c++) {
                pixels[4 * (y * width + x) + c] = channel(&list[i], c);
            }
        }
    }
    const enum weir_result result = write_still(path, width, height, 4, pixels);
    free(pixels);
    return result;
}

bool palette_can_export(const char *path)
{
    return cli_output_ends_in(path, ".gpl") || cli_output_ends_in(path, ".hex") ||
           cli_output_ends_in(path, ".png");
}

enum weir_result palette_export(const char *path, const char *name,
                                const struct palette_colors *colors)
{
    struct palette_color *list = palette_colors_list(colors);
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (list) {
        qsort(list, colors->num, sizeof(*list), by_use);
        result = cli_output_ends_in(path, ".png") ? write_swatches(path, list, colors->num)
                                                  : write_text(path, name, list, colors->num);
    }
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        cli_report_error("no memory to write %s", path);
    }
    free(list);
    return result;
}
