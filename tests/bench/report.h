// SPDX-License-Identifier: MIT
// Figures of a run, each put once by its key: a JSON file has all of them, a table those that it
// has a column for.
#ifndef WEIR_TESTS_BENCH_REPORT_H
#define WEIR_TESTS_BENCH_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "capture/base/json.h"
#include "tests/bench/times.h"

enum { BENCH_MAX_COLUMNS = 24, BENCH_CELL_SIZE = 64 };

struct bench_column {
    const char *key;   // path of the figure in its row, as "hot.median_us"; NULL: a bar
    const char *title; // of a number above its right end
    int width;         // below 0: a text, which begins at the left
    int decimals;      // of a number
    double scale;      // factor of a number; 0: 1
};

// clang-format off
#define BENCH_BAR {NULL, "", 0, 0, 0}
// clang-format on

// Zeroed but for `json`, or for `out` and the columns of a table.
struct bench_report {
    struct weir_json *json; // NULL: a table
    FILE *out;
    const struct bench_column *columns;
    size_t num_columns;
    char path[64]; // of the objects that are open within a row
    char cells[BENCH_MAX_COLUMNS][BENCH_CELL_SIZE];
};

// A table at `out`, whose titles are printed.
struct bench_report bench_table(FILE *out, const struct bench_column *columns, size_t num_columns);

// A row, which is an object of an array. Figures that a row of a table lacks are dashes.
void bench_row_begin(struct bench_report *report);
void bench_row_end(struct bench_report *report);

// An array of rows; a table has no lines for it.
void bench_array_begin(struct bench_report *report, const char *key);
void bench_array_end(struct bench_report *report);

// An object within a row.
void bench_object_begin(struct bench_report *report, const char *key);
void bench_object_end(struct bench_report *report);
void bench_put_null(struct bench_report *report, const char *key);

void bench_put_text(struct bench_report *report, const char *key, const char *text);
void bench_put_number(struct bench_report *report, const char *key, double value); // NAN: none
void bench_put_integer(struct bench_report *report, const char *key, uint64_t value);
void bench_put_bool(struct bench_report *report, const char *key, bool value);
void bench_put_times(struct bench_report *report, const char *key, const struct bench_times *times);

// What was measured of a kernel for one image: the times of a floor or a method.
struct bench_measured {
    struct bench_times times[2]; // by BENCH_COLD and BENCH_HOT
    char forms[2][48];           // names of the fastest of several forms; else empty
};
enum { BENCH_COLD, BENCH_HOT };

// Keep what was measured of one form of a kernel, if it is the fastest so far.
void bench_keep_fastest(struct bench_measured *kept, int cache, const struct bench_times *times,
                        const char *form);
// Put both times, their ratios to the floor, and rates for `bytes` and `pixels` (0: none).
void bench_put_measured(struct bench_report *report, const struct bench_measured *measured,
                        const struct bench_measured *floor, double bytes, double pixels);

#endif
