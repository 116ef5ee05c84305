// SPDX-License-Identifier: MIT
// The figures of a run, a tree: a JSON file has all of it, tables have some.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "capture/base/json.h"
#include "tests/bench/times.h"

enum bench_value_type {
    BENCH_OBJECT,
    BENCH_ARRAY,
    BENCH_TEXT,
    BENCH_NUMBER,
    BENCH_INTEGER,
    BENCH_BOOL,
    BENCH_NULL
};

// A zeroed one is an empty object. Where memory is short, values are left out, and
// bench_is_complete() says so; NULL takes values too.
struct bench_value {
    const char *key; // outlives it; NULL in an array. One that begins with a dot is for tables only
    enum bench_value_type type;
    union {
        double number;
        uint64_t integer;
        char *text;
    } as;
    struct bench_value *first, *last, *next; // its members, and the next one beside it
};
void bench_value_finish(struct bench_value *value);
bool bench_is_complete(void);

// Add an object or an array, to which members are added then.
struct bench_value *bench_add(struct bench_value *to, const char *key, enum bench_value_type type);
void bench_put_text(struct bench_value *to, const char *key, const char *text); // NULL: null
void bench_put_number(struct bench_value *to, const char *key, double value);   // NAN: null
void bench_put_integer(struct bench_value *to, const char *key, uint64_t value);
void bench_put_bool(struct bench_value *to, const char *key, bool value);
// An object of them; null where there are none.
void bench_put_times(struct bench_value *to, const char *key, const struct bench_times *times);

// Write the members of an object, which is open.
void bench_write_members(const struct bench_value *object, struct weir_json *json);

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

// Print a row, or with NULL the titles. Figures that a row lacks are dashes.
void bench_print_row(FILE *out, const struct bench_column *columns, size_t num_columns,
                     const struct bench_value *row);
// Print the titles, and the objects of an array.
void bench_print_table(FILE *out, const struct bench_column *columns, size_t num_columns,
                       const struct bench_value *rows);

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
void bench_put_measured(struct bench_value *to, const struct bench_measured *measured,
                        const struct bench_measured *floor, double bytes, double pixels);
