// SPDX-License-Identifier: MIT
// A palette as a file that other programs read: GIMP's, hexadecimal numbers, or swatches.
#include "capture/weir/palette/pixels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/still.h>

#include "capture/base/file.h"
#include "capture/base/size.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"

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

static enum weir_result write_line(struct weir_file *file, const char *line)
{
    return weir_file_write(file, (const uint8_t *)line, strlen(line));
}

static enum weir_result write_gpl_header(struct weir_file *file, const char *name)
{
    const char *slash = strrchr(name, '/');
    char line[1024];
    weir_log_escape(slash ? slash + 1 : name, line, sizeof(line));
    WEIR_TRY(write_line(file, "GIMP Palette\nName: "));
    WEIR_TRY(write_line(file, line));
    return write_line(file, "\nColumns: 16\n#\n");
}

// `name` is for a .gpl file; NULL: write numbers alone.
static enum weir_result write_text(struct weir_file *file, const char *name,
                                   const struct palette_color *list, size_t num)
{
    enum weir_result result = name ? write_gpl_header(file, name) : WEIR_OK;
    for (size_t i = 0; result == WEIR_OK && i < num; i++) {
        char line[64];
        if (name) {
            snprintf(line, sizeof(line), "%3u %3u %3u\t%06x\n", channel(&list[i], 0),
                     channel(&list[i], 1), channel(&list[i], 2), rgb_of(&list[i]));
        } else {
            snprintf(line, sizeof(line), "%06x\n", rgb_of(&list[i]));
        }
        result = write_line(file, line);
    }
    return result == WEIR_OK ? weir_file_commit(file) : result;
}

static enum weir_result write_text_file(const char *path, const char *name,
                                        const struct palette_color *list, size_t num)
{
    struct weir_file file;
    enum weir_result result = weir_file_open(&file, path, &cli_log);
    if (result != WEIR_OK) {
        return result;
    }
    result = write_text(&file, cli_output_ends_in(path, ".gpl") ? name : NULL, list, num);
    const enum weir_result closed = weir_file_close(&file);
    return result == WEIR_OK ? closed : result;
}

// The least number of columns that makes a square.
static size_t square_columns(size_t num)
{
    size_t columns = 1;
    while (columns * columns < num) {
        columns++;
    }
    return columns;
}

// Rows of swatches from the top left; what is left of the last row is transparent, and so is one of
// no colour.
static enum weir_result write_swatches(const char *path, const struct palette_color *list,
                                       size_t num)
{
    const bool is_large = num > (size_t)MAX_COLUMNS * MAX_ROWS;
    const size_t side = is_large ? 1 : SWATCH_SIDE;
    const size_t columns = is_large            ? square_columns(num)
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
    const struct weir_still still = {
        .width = (uint32_t)width,
        .height = (uint32_t)height,
        .num_channels = 4,
        .pixels = pixels,
    };
    const enum weir_result result = weir_still_write_png(path, &still, &cli_log);
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
                                                  : write_text_file(path, name, list, colors->num);
    }
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        cli_report_error("no memory to write %s", path);
    }
    free(list);
    return result;
}
