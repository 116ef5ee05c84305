// SPDX-License-Identifier: MIT
// Figures of a run, each put once by its key: a JSON file has all of them, a table those that it
// has a column for.
#include "tests/bench/report.h"

#include <math.h>
#include <string.h>

#include "capture/weir/common/report.h"

static void print_cells(FILE *out, const struct bench_column *columns, size_t num,
                        const char *(*text_of)(const void *user, size_t i), const void *user)
{
    fputc(' ', out);
    for (size_t i = 0; i < num; i++) {
        if (columns[i].key) {
            cli_print(out, " %*s", columns[i].width, text_of(user, i));
        } else {
            fputs(" |", out);
        }
    }
    fputc('\n', out);
}

static const char *title_of(const void *user, size_t i)
{
    return ((const struct bench_column *)user)[i].title;
}

static const char *cell_of(const void *user, size_t i)
{
    const struct bench_report *report = user;
    return report->cells[i][0] != 0 ? report->cells[i] : "-";
}

struct bench_report bench_table(FILE *out, const struct bench_column *columns, size_t num_columns)
{
    print_cells(out, columns, num_columns, title_of, columns);
    return (struct bench_report){.out = out, .columns = columns, .num_columns = num_columns};
}

void bench_row_begin(struct bench_report *report)
{
    if (report->json) {
        weir_json_begin_object(report->json, NULL);
    }
    memset(report->cells, 0, sizeof(report->cells));
}

void bench_row_end(struct bench_report *report)
{
    if (report->json) {
        weir_json_end_object(report->json);
    } else {
        print_cells(report->out, report->columns, report->num_columns, cell_of, report);
    }
}

void bench_array_begin(struct bench_report *report, const char *key)
{
    if (report->json) {
        weir_json_begin_array(report->json, key);
    }
}

void bench_array_end(struct bench_report *report)
{
    if (report->json) {
        weir_json_end_array(report->json);
    }
}

void bench_object_begin(struct bench_report *report, const char *key)
{
    if (report->json) {
        weir_json_begin_object(report->json, key);
    }
    const size_t size = strlen(report->path);
    snprintf(report->path + size, sizeof(report->path) - size, "%s.", key);
}

void bench_object_end(struct bench_report *report)
{
    if (report->json) {
        weir_json_end_object(report->json);
    }
    report->path[strlen(report->path) - 1] = 0;
    char *dot = strrchr(report->path, '.');
    *(dot ? dot + 1 : report->path) = 0;
}

void bench_put_null(struct bench_report *report, const char *key)
{
    if (report->json) {
        weir_json_null(report->json, key);
    }
}

// The column of a key; -1: none.
static int find_column(const struct bench_report *report, const char *key)
{
    const size_t size = strlen(report->path);
    for (size_t i = 0; i < report->num_columns; i++) {
        const char *of = report->columns[i].key;
        if (of && strncmp(of, report->path, size) == 0 && strcmp(of + size, key) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static void set_number(struct bench_report *report, const char *key, double value)
{
    const int i = find_column(report, key);
    if (i >= 0 && isfinite(value)) {
        const struct bench_column *column = &report->columns[i];
        snprintf(report->cells[i], BENCH_CELL_SIZE, "%.*f", column->decimals,
                 value * (column->scale != 0 ? column->scale : 1));
    }
}

void bench_put_text(struct bench_report *report, const char *key, const char *text)
{
    if (report->json) {
        weir_json_text(report->json, key, text);
        return;
    }
    const int i = find_column(report, key);
    if (i >= 0 && text) {
        snprintf(report->cells[i], BENCH_CELL_SIZE, "%s", text);
    }
}

void bench_put_number(struct bench_report *report, const char *key, double value)
{
    if (report->json) {
        weir_json_number(report->json, key, value);
    } else {
        set_number(report, key, value);
    }
}

void bench_put_integer(struct bench_report *report, const char *key, uint64_t value)
{
    if (report->json) {
        weir_json_integer(report->json, key, value);
    } else {
        set_number(report, key, (double)value);
    }
}

void bench_put_bool(struct bench_report *report, const char *key, bool value)
{
    if (report->json) {
        weir_json_bool(report->json, key, value);
    }
}

static void put_times(struct bench_report *report, const struct bench_times *times)
{
    bench_put_integer(report, "num", times->num);
    bench_put_number(report, "min_us", times->min);
    bench_put_number(report, "median_us", times->median);
    bench_put_number(report, "p95_us", times->p95);
    bench_put_number(report, "p99_us", times->p99);
    bench_put_number(report, "p999_us", times->p999);
    bench_put_number(report, "max_us", times->max);
}

void bench_put_times(struct bench_report *report, const char *key, const struct bench_times *times)
{
    if (times->num == 0) {
        bench_put_null(report, key);
        return;
    }
    bench_object_begin(report, key);
    put_times(report, times);
    bench_object_end(report);
}

void bench_keep_fastest(struct bench_measured *kept, int cache, const struct bench_times *times,
                        const char *form)
{
    if (kept->times[cache].num == 0 || times->median < kept->times[cache].median) {
        kept->times[cache] = *times;
        snprintf(kept->forms[cache], sizeof(kept->forms[cache]), "%s", form);
    }
}

// The median over that of the floor; NAN if one of them was not measured.
static double ratio_of(const struct bench_measured *measured, const struct bench_measured *floor,
                       int cache)
{
    const struct bench_times *times = &measured->times[cache], *least = &floor->times[cache];
    return times->num > 0 && least->median > 0 ? times->median / least->median : (double)NAN;
}

void bench_put_measured(struct bench_report *report, const struct bench_measured *measured,
                        const struct bench_measured *floor, double bytes, double pixels)
{
    for (int cache = BENCH_HOT; cache >= BENCH_COLD; cache--) {
        const struct bench_times *times = &measured->times[cache];
        const char *key = cache == BENCH_HOT ? "hot" : "cold";
        if (times->num == 0) {
            bench_put_null(report, key);
            continue;
        }
        bench_object_begin(report, key);
        put_times(report, times);
        bench_put_number(report, "ratio_to_floor", ratio_of(measured, floor, cache));
        bench_put_number(report, "gb_per_s", bytes > 0 ? bytes / times->median / 1e3 : (double)NAN);
        bench_put_number(report, "gpix_per_s",
                         pixels > 0 ? pixels / times->median / 1e3 : (double)NAN);
        bench_put_text(report, "form", measured->forms[cache][0] ? measured->forms[cache] : NULL);
        bench_object_end(report);
    }
}
