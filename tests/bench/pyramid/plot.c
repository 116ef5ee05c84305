// SPDX-License-Identifier: MIT
// The results of weir-bench pyramid as a picture: for each size, where each method stands from the
// floor.
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/build.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/report.h"
#include "tests/bench/pyramid/pyramid.h"

// [pixels]
enum {
    PLOT_WIDTH = 1200,
    LEFT = 190,
    RIGHT = 40,
    TOP = 132,
    BOTTOM = 66,
    LANE = 11, // of one method
    GROUP_GAP = 14,
};

static const double tau = 6.283185307179586;

// Okabe and Ito, "Color Universal Design", 2008: told apart by colour-blind eyes too. As 0xRRGGBB.
static const uint32_t colors[BENCH_PYRAMID_NUM_METHODS] = {
    [WEIR_PYRAMID_SINGLE] = 0xd55e00,   [WEIR_PYRAMID_HYBRID] = 0x0072b2,
    [WEIR_PYRAMID_FAST] = 0x56b4e9,     [WEIR_PYRAMID_GENERAL] = 0x009e73,
    [WEIR_PYRAMID_SUBGROUP] = 0xcc79a7, [WEIR_PYRAMID_PER_LEVEL] = 0xe69f00,
    [WEIR_PYRAMID_BLIT] = 0x777777,
};
// Of "one by one", which is a row of a method too.
static const uint32_t apart_color = 0x222222;

static const double ticks[] = {0.5, 0.75, 1,  1.25, 1.5, 2,  3,   4,   5,   6,   8,
                               10,  15,   20, 30,   50,  75, 100, 200, 500, 1000};
enum { NUM_TICKS = sizeof(ticks) / sizeof(ticks[0]) };

struct plot {
    cairo_t *cairo;
    const struct bench_pyramid_result *result;
    double least, most; // of the axis
    double height;
};

static void set_color(struct plot *plot, uint32_t color, double alpha)
{
    cairo_set_source_rgba(plot->cairo, (color >> 16) / 255.0, (color >> 8 & 255) / 255.0,
                          (color & 255) / 255.0, alpha);
}

static void set_grey(struct plot *plot, double level)
{
    cairo_set_source_rgb(plot->cairo, level, level, level);
}

// On a machine without fonts cairo draws letters of its own, which are ASCII only: so are all texts
// here.
static void set_font(struct plot *plot, double size, bool bold)
{
    cairo_select_font_face(plot->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(plot->cairo, size);
}

// `align`: 0 starts at x, 0.5 is centred there, 1 ends there. Returns the width.
static double draw_text(struct plot *plot, double x, double y, double align, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(plot->cairo, text, &extents);
    cairo_move_to(plot->cairo, x - align * extents.x_advance, y);
    cairo_show_text(plot->cairo, text);
    return extents.x_advance;
}

static double axis_x(const struct plot *plot, double ratio)
{
    return LEFT +
           (PLOT_WIDTH - LEFT - RIGHT) * log(ratio / plot->least) / log(plot->most / plot->least);
}

static bool is_apart(const struct bench_pyramid_row *row)
{
    return strchr(row->name, ',');
}

static uint32_t row_color(const struct bench_pyramid_row *row)
{
    enum weir_pyramid_method method = WEIR_PYRAMID_AUTO;
    if (is_apart(row)) {
        return apart_color;
    }
    weir_pyramid_method_by_name(row->name, &method);
    return colors[method];
}

// Rows that have a lane: methods that were measured at this size.
static bool has_lane(const struct bench_pyramid_size *size, uint32_t row)
{
    return row > BENCH_PYRAMID_EMPTY && size->rows[row].hot.num > 0;
}

static double group_height(const struct bench_pyramid_size *size)
{
    uint32_t num = 0;
    for (uint32_t i = 0; i < size->num_rows; i++) {
        num += has_lane(size, i);
    }
    return (num > 2 ? num : 2) * LANE + GROUP_GAP;
}

static void find_range(struct plot *plot)
{
    double least = 1, most = 1.5;
    plot->height = TOP + BOTTOM;
    for (uint32_t i = 0; i < plot->result->num_sizes; i++) {
        const struct bench_pyramid_size *size = &plot->result->sizes[i];
        if (size->num_images > 0) {
            plot->height += group_height(size);
        }
        for (uint32_t j = 0; j < size->num_rows; j++) {
            for (int hot = 0; hot < 2 && has_lane(size, j); hot++) {
                const double ratio = bench_pyramid_ratio(size, &size->rows[j], hot != 0);
                least = ratio > 0 && ratio < least ? ratio : least;
                most = ratio > most ? ratio : most;
            }
        }
    }
    // The ticks around them.
    plot->least = ticks[0];
    plot->most = ticks[NUM_TICKS - 1];
    for (int i = 0; i < NUM_TICKS; i++) {
        if (ticks[i] <= least) {
            plot->least = ticks[i];
        }
    }
    for (int i = NUM_TICKS - 1; i >= 0; i--) {
        if (ticks[i] >= most) {
            plot->most = ticks[i];
        }
    }
}

static void draw_mark(struct plot *plot, double x, double y, bool filled)
{
    cairo_new_path(plot->cairo);
    cairo_arc(plot->cairo, x, y, filled ? 4 : 3.4, 0, tau);
    if (filled) {
        cairo_fill(plot->cairo);
        return;
    }
    cairo_save(plot->cairo);
    set_grey(plot, 1);
    cairo_fill_preserve(plot->cairo);
    cairo_restore(plot->cairo);
    cairo_stroke(plot->cairo);
}

static void draw_head(struct plot *plot)
{
    const struct bench_pyramid_result *result = plot->result;
    char text[1024];
    set_grey(plot, 0.1);
    set_font(plot, 20, true);
    draw_text(plot, 24, 34, 0, "Mip pyramids: time in units of the memory floor");
    set_font(plot, 13, false);
    set_grey(plot, 0.35);
    snprintf(text, sizeof(text), "%s, %s, %s; %s; weir %s; %s", bench_pyramid_format_name(result),
             weir_pyramid_reduction_get_info(result->reduction)->name,
             result->gpu->properties.deviceName, result->gpu->driver, cli_build_commit,
             result->host_time ? "host time: a software device" : "GPU time stamps, medians");
    draw_text(plot, 24, 56, 0, text);
}

static double draw_key(struct plot *plot, double x, const char *name, uint32_t color)
{
    set_color(plot, color, 1);
    draw_mark(plot, x, 80, true);
    set_grey(plot, 0.2);
    return x + 10 + draw_text(plot, x + 10, 85, 0, name) + 24;
}

static void draw_legend(struct plot *plot)
{
    const struct bench_pyramid_result *result = plot->result;
    double x = LEFT;
    set_font(plot, 14, false);
    for (int i = WEIR_PYRAMID_AUTO + 1; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        bool seen = false;
        for (uint32_t j = 0; j < result->num_sizes; j++) {
            for (uint32_t k = 0; k < result->sizes[j].num_rows; k++) {
                seen = seen ||
                       (has_lane(&result->sizes[j], k) &&
                        strcmp(result->sizes[j].rows[k].name,
                               weir_pyramid_method_get_info((enum weir_pyramid_method)i)->name) ==
                            0);
            }
        }
        if (seen) {
            x = draw_key(plot, x, weir_pyramid_method_get_info((enum weir_pyramid_method)i)->name,
                         colors[i]);
        }
    }
    for (uint32_t j = 0; j < result->num_sizes; j++) {
        const struct bench_pyramid_size *size = &result->sizes[j];
        if (size->num_rows > 0 && is_apart(&size->rows[size->num_rows - 1])) {
            draw_key(plot, x, "a dispatch a layer", apart_color);
            break;
        }
    }
}

static void draw_axis(struct plot *plot)
{
    const double end = plot->height - BOTTOM;
    set_font(plot, 13, false);
    cairo_set_line_width(plot->cairo, 1);
    for (int i = 0; i < NUM_TICKS; i++) {
        if (ticks[i] < plot->least || ticks[i] > plot->most) {
            continue;
        }
        const double x = floor(axis_x(plot, ticks[i])) + 0.5;
        char text[16];
        set_grey(plot, ticks[i] == 1 ? 0.3 : 0.86);
        cairo_move_to(plot->cairo, x, TOP - 14);
        cairo_line_to(plot->cairo, x, end);
        cairo_stroke(plot->cairo);
        set_grey(plot, 0.3);
        snprintf(text, sizeof(text), "%g", ticks[i]);
        draw_text(plot, x, TOP - 20, 0.5, text);
        draw_text(plot, x, end + 18, 0.5, text);
    }
    set_grey(plot, 0.2);
    draw_text(plot, (LEFT + PLOT_WIDTH - RIGHT) / 2.0, end + 46, 0.5,
              "time of a pyramid / time of the floor in the same run, logarithmic; "
              "disc: hot, circle: cold");
}

static void draw_size(struct plot *plot, const struct bench_pyramid_size *size, double y)
{
    const double height = group_height(size);
    char text[64];
    set_grey(plot, 0.86);
    cairo_set_line_width(plot->cairo, 1);
    cairo_move_to(plot->cairo, 24, floor(y + height) + 0.5);
    cairo_line_to(plot->cairo, PLOT_WIDTH - RIGHT, floor(y + height) + 0.5);
    cairo_stroke(plot->cairo);

    const double middle = y + height / 2;
    const struct bench_pyramid_row *least = &size->rows[BENCH_PYRAMID_FLOOR];
    set_grey(plot, 0.1);
    set_font(plot, 14, true);
    if (size->layers > 1) {
        snprintf(text, sizeof(text), "%u x %u x %u", size->width, size->height, size->layers);
    } else {
        snprintf(text, sizeof(text), "%u x %u", size->width, size->height);
    }
    draw_text(plot, LEFT - 18, middle - 1, 1, text);
    set_grey(plot, 0.4);
    set_font(plot, 11, false);
    if (least->cold.num > 0) {
        snprintf(text, sizeof(text), "floor %.1f / %.1f us", least->hot.median, least->cold.median);
    } else {
        snprintf(text, sizeof(text), "floor %.1f us", least->hot.median);
    }
    draw_text(plot, LEFT - 18, middle + 14, 1, text);

    double mark = y + GROUP_GAP / 2.0 + LANE / 2.0;
    for (uint32_t i = 0; i < size->num_rows; i++) {
        const struct bench_pyramid_row *row = &size->rows[i];
        if (!has_lane(size, i)) {
            continue;
        }
        const double hot = axis_x(plot, bench_pyramid_ratio(size, row, true));
        set_color(plot, row_color(row), 0.35);
        cairo_set_line_width(plot->cairo, 3);
        cairo_move_to(plot->cairo, axis_x(plot, 1), mark);
        cairo_line_to(plot->cairo, hot, mark);
        cairo_stroke(plot->cairo);
        set_color(plot, row_color(row), 1);
        cairo_set_line_width(plot->cairo, 1.6);
        draw_mark(plot, hot, mark, true);
        if (row->cold.num > 0) {
            draw_mark(plot, axis_x(plot, bench_pyramid_ratio(size, row, false)), mark, false);
        }
        mark += LANE;
    }
}

static void draw(struct plot *plot)
{
    set_grey(plot, 1);
    cairo_paint(plot->cairo);
    draw_head(plot);
    draw_legend(plot);
    draw_axis(plot);
    double y = TOP;
    for (uint32_t i = 0; i < plot->result->num_sizes; i++) {
        const struct bench_pyramid_size *size = &plot->result->sizes[i];
        if (size->num_images == 0) {
            continue;
        }
        draw_size(plot, size, y);
        y += group_height(size);
    }
}

static cairo_status_t append(void *out, const unsigned char *data, unsigned size)
{
    return fwrite(data, 1, size, out) == size ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_NO_MEMORY;
}

bool bench_pyramid_plot_write(const char *path, const struct bench_pyramid_result *result)
{
    struct plot plot = {.result = result};
    find_range(&plot);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, PLOT_WIDTH,
                                                          (int)plot.height);
    plot.cairo = cairo_create(surface);
    draw(&plot);
    char *png = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&png, &size);
    cairo_status_t status = out ? cairo_surface_write_to_png_stream(surface, append, out)
                                : CAIRO_STATUS_NO_MEMORY;
    if (out && fclose(out) != 0) {
        status = CAIRO_STATUS_NO_MEMORY;
    }
    bool is_written = false;
    if (status == CAIRO_STATUS_SUCCESS) {
        is_written = cli_file_write(path, png, size) == WEIR_OK;
    } else {
        cli_report_error("cannot draw %s: %s", path, cairo_status_to_string(status));
    }
    free(png);
    cairo_destroy(plot.cairo);
    cairo_surface_destroy(surface);
    return is_written;
}
