// SPDX-License-Identifier: MIT
// The results of weir-bench pyramid, as a table and as JSON.
#include <string.h>

#include "tests/bench/pyramid/pyramid.h"

static const struct bench_column columns[] = {
    {"name", "", -20, 0, 0},
    {"dispatches", "disp.", 5, 0, 0},
    BENCH_BAR,
    {"hot.min_us", "hot min", 9, 2, 0},
    {"hot.median_us", "median", 9, 2, 0},
    {"hot.p95_us", "p95", 9, 2, 0},
    {"hot.ratio_to_floor", "x floor", 7, 3, 0},
    {"hot.gb_per_s", "GB/s", 7, 1, 0},
    BENCH_BAR,
    {"cold.min_us", "cold min", 9, 2, 0},
    {"cold.median_us", "median", 9, 2, 0},
    {"cold.p95_us", "p95", 9, 2, 0},
    {"cold.ratio_to_floor", "x floor", 7, 3, 0},
    {"cold.gb_per_s", "GB/s", 7, 1, 0},
};

static void put_row(struct bench_report *report, const struct bench_pyramid_size *size,
                    const struct bench_pyramid_row *row)
{
    const bool is_empty = row == &size->rows[BENCH_PYRAMID_EMPTY];
    bench_row_begin(report);
    bench_put_text(report, "name", row->name);
    bench_put_text(report, "refused", row->refused[0] != 0 ? row->refused : NULL);
    if (row->refused[0] == 0) {
        bench_put_integer(report, "dispatches", row->num_dispatches);
    }
    bench_put_measured(report, &row->measured, &size->rows[BENCH_PYRAMID_FLOOR].measured,
                       is_empty ? 0 : size->bytes, 0);
    bench_row_end(report);
}

static void put_rows(struct bench_report *report, const struct bench_pyramid_size *size,
                     uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end && i < size->num_rows; i++) {
        put_row(report, size, &size->rows[i]);
    }
}

// Each reason once, with the methods that it stops.
static void print_reasons(FILE *out, const struct bench_pyramid_size *size)
{
    for (uint32_t i = 0; i < size->num_rows; i++) {
        const char *reason = size->rows[i].refused;
        bool is_printed = reason[0] == 0;
        for (uint32_t j = 0; j < i && !is_printed; j++) {
            is_printed = strcmp(size->rows[j].refused, reason) == 0;
        }
        if (is_printed) {
            continue;
        }
        fprintf(out, "  (%s", size->rows[i].name);
        for (uint32_t j = i + 1; j < size->num_rows; j++) {
            if (strcmp(size->rows[j].refused, reason) == 0) {
                fprintf(out, ", %s", size->rows[j].name);
            }
        }
        fprintf(out, ": %s)\n", reason);
    }
}

static void print_notes(FILE *out, const struct bench_pyramid_size *size)
{
    const struct bench_measured *floor = &size->rows[BENCH_PYRAMID_FLOOR].measured;
    fprintf(out, "  (floor: workgroups of %s hot", floor->forms[BENCH_HOT]);
    if (floor->times[BENCH_COLD].num > 0) {
        fprintf(out, ", %s cold", floor->forms[BENCH_COLD]);
    }
    fputs(")\n", out);
    if (size->automatic != WEIR_PYRAMID_AUTO) {
        fprintf(out, "  (auto: %s)\n", weir_pyramid_method_get_info(size->automatic)->name);
    }
    print_reasons(out, size);
}

void bench_pyramid_print_size(FILE *out, const struct bench_pyramid_result *result,
                              const struct bench_pyramid_size *size)
{
    fprintf(out, "\n%ux%u", size->width, size->height);
    if (size->layers > 1) {
        fprintf(out, ", %u layers", size->layers);
    }
    if (size->num_images == 0) {
        fprintf(out, ": skipped: %s\n", size->skipped);
        return;
    }
    fprintf(out, ", %u levels, %.1f MB: %s time of one pyramid [us]; hot takes one image",
            size->levels, size->bytes / 1e6, result->host_time ? "HOST" : "GPU");
    if (size->num_images > 1) {
        fprintf(out, ", cold %u in turn, %.0f MB", size->num_images,
                size->num_images * size->image_size / 1e6);
    } else if (!result->options.no_cold) {
        fprintf(out, "; the memory holds no second one, so none is cold");
    }
    fputc('\n', out);
    struct bench_report table = bench_table(out, columns, BENCH_COUNT(columns));
    put_rows(&table, size, BENCH_PYRAMID_FLOOR, size->num_rows);
    print_notes(out, size);
}

static void put_size(struct bench_report *json, const struct bench_pyramid_size *size)
{
    bench_row_begin(json);
    bench_put_integer(json, "width", size->width);
    bench_put_integer(json, "height", size->height);
    bench_put_integer(json, "layers", size->layers);
    bench_put_integer(json, "levels", size->levels);
    bench_put_integer(json, "num_images", size->num_images);
    bench_put_number(json, "bytes", size->bytes);
    bench_put_text(json, "auto",
                   size->automatic != WEIR_PYRAMID_AUTO
                       ? weir_pyramid_method_get_info(size->automatic)->name
                       : NULL);
    bench_put_text(json, "skipped", size->num_images == 0 ? size->skipped : NULL);
    bench_array_begin(json, "methods");
    put_rows(json, size, BENCH_PYRAMID_FLOOR, size->num_rows);
    bench_array_end(json);
    bench_array_begin(json, "floor_forms"); // for who looks for a faster one
    put_rows(json, size, 0, BENCH_PYRAMID_NUM_FORMS);
    bench_array_end(json);
    bench_row_end(json);
}

void bench_pyramid_report(struct bench_report *json, const struct bench_pyramid_result *result)
{
    bench_put_text(json, "clock", result->host_time ? "host" : "gpu");
    bench_put_text(json, "format", bench_pyramid_format_name(result));
    bench_put_text(json, "reduction", weir_pyramid_reduction_get_info(result->reduction)->name);
    bench_put_integer(json, "layers", result->options.layers);
    bench_put_integer(json, "repeats", result->options.repeats);
    bench_put_integer(json, "submits", result->options.submits);
    bench_array_begin(json, "sizes");
    for (uint32_t i = 0; i < result->num_sizes; i++) {
        put_size(json, &result->sizes[i]);
    }
    bench_array_end(json);
}
