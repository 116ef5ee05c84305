// SPDX-License-Identifier: MIT
// The figures of a run, a tree: a JSON file has all of it, tables have some.
#include "tests/bench/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/report.h"

static bool is_complete = true;

bool bench_is_complete(void)
{
    return is_complete;
}

void bench_value_finish(struct bench_value *value)
{
    for (struct bench_value *member = value->first; member;) {
        struct bench_value *next = member->next;
        bench_value_finish(member);
        free(member);
        member = next;
    }
    if (value->type == BENCH_TEXT) {
        free(value->as.text);
    }
    *value = (struct bench_value){0};
}

struct bench_value *bench_add(struct bench_value *to, const char *key, enum bench_value_type type)
{
    struct bench_value *value = to ? calloc(1, sizeof(*value)) : NULL;
    if (!value) {
        is_complete = false;
        return NULL;
    }
    value->key = key;
    value->type = type;
    *(to->last ? &to->last->next : &to->first) = value;
    to->last = value;
    return value;
}

void bench_put_text(struct bench_value *to, const char *key, const char *text)
{
    char *copy = text ? strdup(text) : NULL;
    struct bench_value *value = bench_add(to, key, copy ? BENCH_TEXT : BENCH_NULL);
    is_complete = is_complete && !text == !copy;
    if (value) {
        value->as.text = copy;
    } else {
        free(copy);
    }
}

void bench_put_number(struct bench_value *to, const char *key, double number)
{
    struct bench_value *value = bench_add(to, key, isfinite(number) ? BENCH_NUMBER : BENCH_NULL);
    if (value) {
        value->as.number = number;
    }
}

void bench_put_integer(struct bench_value *to, const char *key, uint64_t integer)
{
    struct bench_value *value = bench_add(to, key, BENCH_INTEGER);
    if (value) {
        value->as.integer = integer;
    }
}

void bench_put_bool(struct bench_value *to, const char *key, bool is_true)
{
    struct bench_value *value = bench_add(to, key, BENCH_BOOL);
    if (value) {
        value->as.integer = is_true;
    }
}

static void put_times(struct bench_value *to, const struct bench_times *times)
{
    bench_put_integer(to, "num", times->num);
    bench_put_number(to, "min_us", times->min);
    bench_put_number(to, "median_us", times->median);
    bench_put_number(to, "p95_us", times->p95);
    bench_put_number(to, "p99_us", times->p99);
    bench_put_number(to, "p999_us", times->p999);
    bench_put_number(to, "max_us", times->max);
}

void bench_put_times(struct bench_value *to, const char *key, const struct bench_times *times)
{
    struct bench_value *object = bench_add(to, key, times->num > 0 ? BENCH_OBJECT : BENCH_NULL);
    if (times->num > 0) {
        put_times(object, times);
    }
}

static void write_value(const struct bench_value *value, struct weir_json *json)
{
    switch (value->type) {
    case BENCH_OBJECT:
        weir_json_begin_object(json, value->key);
        bench_write_members(value, json);
        weir_json_end_object(json);
        break;
    case BENCH_ARRAY:
        weir_json_begin_array(json, value->key);
        bench_write_members(value, json);
        weir_json_end_array(json);
        break;
    case BENCH_TEXT:
        weir_json_text(json, value->key, value->as.text);
        break;
    case BENCH_NUMBER:
        weir_json_number(json, value->key, value->as.number);
        break;
    case BENCH_INTEGER:
        weir_json_integer(json, value->key, value->as.integer);
        break;
    case BENCH_BOOL:
        weir_json_bool(json, value->key, value->as.integer != 0);
        break;
    case BENCH_NULL:
        weir_json_null(json, value->key);
        break;
    }
}

void bench_write_members(const struct bench_value *object, struct weir_json *json)
{
    for (const struct bench_value *member = object->first; member; member = member->next) {
        if (!member->key || member->key[0] != '.') {
            write_value(member, json);
        }
    }
}

static const struct bench_value *find(const struct bench_value *object, const char *path)
{
    for (const struct bench_value *member = object->first; member; member = member->next) {
        const size_t size = strlen(member->key);
        if (strncmp(member->key, path, size) != 0) {
            continue;
        }
        if (path[size] == 0) {
            return member;
        }
        if (path[size] == '.' && member->type == BENCH_OBJECT) {
            return find(member, path + size + 1);
        }
    }
    return NULL;
}

static void print_cell(FILE *out, const struct bench_column *column,
                       const struct bench_value *value)
{
    const double scale = column->scale != 0 ? column->scale : 1;
    char number[64] = "-";
    if (value && value->type == BENCH_TEXT && value->as.text[0] != 0) {
        cli_print(out, " %*s", column->width, value->as.text);
        return;
    }
    if (value && value->type == BENCH_NUMBER) {
        snprintf(number, sizeof(number), "%.*f", column->decimals, value->as.number * scale);
    } else if (value && value->type == BENCH_INTEGER) {
        snprintf(number, sizeof(number), "%llu", (unsigned long long)value->as.integer);
    }
    fprintf(out, " %*s", column->width, number);
}

void bench_print_row(FILE *out, const struct bench_column *columns, size_t num_columns,
                     const struct bench_value *row)
{
    fputc(' ', out);
    for (const struct bench_column *column = columns; column < columns + num_columns; column++) {
        if (!column->key) {
            fputs(" |", out);
        } else if (row) {
            print_cell(out, column, find(row, column->key));
        } else {
            fprintf(out, " %*s", column->width, column->title);
        }
    }
    fputc('\n', out);
}

void bench_print_table(FILE *out, const struct bench_column *columns, size_t num_columns,
                       const struct bench_value *rows)
{
    bench_print_row(out, columns, num_columns, NULL);
    for (const struct bench_value *row = rows ? rows->first : NULL; row; row = row->next) {
        bench_print_row(out, columns, num_columns, row);
    }
}

void bench_keep_fastest(struct bench_measured *kept, int cache, const struct bench_times *times,
                        const char *form)
{
    if (kept->times[cache].num == 0 || times->median < kept->times[cache].median) {
        kept->times[cache] = *times;
        snprintf(kept->forms[cache], sizeof(kept->forms[cache]), "%s", form);
    }
}

void bench_put_measured(struct bench_value *to, const struct bench_measured *measured,
                        const struct bench_measured *floor, double bytes, double pixels)
{
    for (int cache = BENCH_HOT; cache >= BENCH_COLD; cache--) {
        const struct bench_times *times = &measured->times[cache];
        const double least = floor->times[cache].median, per_s = 1 / (times->median * 1e3);
        const char *key = cache == BENCH_HOT ? "hot" : "cold";
        struct bench_value *object = bench_add(to, key, times->num > 0 ? BENCH_OBJECT : BENCH_NULL);
        if (times->num == 0) {
            continue;
        }
        put_times(object, times);
        bench_put_number(object, "ratio_to_floor", least > 0 ? times->median / least : (double)NAN);
        bench_put_number(object, "gb_per_s", bytes > 0 ? bytes * per_s : (double)NAN);
        bench_put_number(object, "gpix_per_s", pixels > 0 ? pixels * per_s : (double)NAN);
        bench_put_text(object, "form", measured->forms[cache][0] ? measured->forms[cache] : NULL);
    }
}
