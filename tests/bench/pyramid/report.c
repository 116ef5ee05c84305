// SPDX-License-Identifier: MIT
// The results of weir-bench pyramid, as a table and as JSON.
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

static void put_rows(struct bench_value *rows, const struct bench_pyramid_size *size,
                     uint32_t first, uint32_t end)
{
    const struct bench_measured *floor = &size->rows[BENCH_PYRAMID_FLOOR].measured;
    for (uint32_t i = first; i < end && i < size->num_rows; i++) {
        const struct bench_pyramid_row *row = &size->rows[i];
        struct bench_value *object = bench_add(rows, NULL, BENCH_OBJECT);
        bench_put_text(object, "name", row->name);
        bench_put_text(object, "refused", row->refused[0] != 0 ? row->refused : NULL);
        if (row->refused[0] == 0) {
            bench_put_integer(object, "dispatches", row->num_dispatches);
        }
        bench_put_measured(object, &row->measured, floor,
                           i == BENCH_PYRAMID_EMPTY ? 0 : size->bytes, 0);
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
    for (uint32_t i = 0; i < size->num_rows; i++) {
        if (size->rows[i].refused[0] != 0) {
            fprintf(out, "  (%s: %s)\n", size->rows[i].name, size->rows[i].refused);
        }
    }
}

static void print_size(FILE *out, const struct bench_pyramid_result *result,
                       const struct bench_pyramid_size *size, const struct bench_value *methods)
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
    bench_print_table(out, columns, BENCH_COUNT(columns), methods);
    print_notes(out, size);
}

void bench_pyramid_report(FILE *out, const struct bench_pyramid_result *result,
                          const struct bench_pyramid_size *size, struct bench_value *sizes)
{
    struct bench_value *object = bench_add(sizes, NULL, BENCH_OBJECT);
    const char *automatic = size->automatic != WEIR_PYRAMID_AUTO
                                ? weir_pyramid_method_get_info(size->automatic)->name
                                : NULL;
    bench_put_integer(object, "width", size->width);
    bench_put_integer(object, "height", size->height);
    bench_put_integer(object, "layers", size->layers);
    bench_put_integer(object, "levels", size->levels);
    bench_put_integer(object, "num_images", size->num_images);
    bench_put_number(object, "bytes", size->bytes);
    bench_put_text(object, "auto", automatic);
    bench_put_text(object, "skipped", size->num_images == 0 ? size->skipped : NULL);
    struct bench_value *methods = bench_add(object, "methods", BENCH_ARRAY);
    put_rows(methods, size, BENCH_PYRAMID_FLOOR, size->num_rows);
    struct bench_value *forms = bench_add(object, "floor_forms", BENCH_ARRAY);
    put_rows(forms, size, 0, BENCH_PYRAMID_NUM_FORMS); // for who looks for a faster one
    print_size(out, result, size, methods);
}
