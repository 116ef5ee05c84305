// SPDX-License-Identifier: MIT
// The results of weir-bench palette, as three tables and as JSON.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "capture/weir/common/report.h"
#include "tests/bench/palette/palette.h"

#define MS(key, title, width, decimals)                                                            \
    {                                                                                              \
        key ".median_us", title, width, decimals, 1e-3                                             \
    }
#define NAME                                                                                       \
    {                                                                                              \
        "name", "", -24, 0, 0                                                                      \
    }

static const struct bench_column time_columns[] = {
    NAME,
    {"size", "", 10, 0, 0},
    MS("ours.stages.count", "count", 8, 3),
    MS("ours.stages.start", "start", 8, 3),
    MS("ours.stages.iterate", "iterate", 8, 3),
    MS("ours.stages.finish", "finish", 8, 3),
    MS("ours.stages.map", "map", 8, 3),
    MS("ours.stages.total", "total", 8, 3),
    MS("ours.stages.frame", "frame", 8, 3),
    MS("ours.stages.copy", "copy", 8, 3),
    BENCH_BAR,
    {"count_ratio_to_copy", "count x copy", 12, 2, 0},
    {"map_ratio_to_copy", "map x copy", 10, 2, 0},
};
static const struct bench_column work_columns[] = {
    NAME,
    {"colors", "colours", 8, 0, 0},
    {"ours.new_colors", "new", 8, 0, 0},
    {"ours.max_steps", "steps", 6, 0, 0},
    {"ours.evaluations", "evaluations", 11, 0, 0},
    {"ours.ns_per_evaluation", "ns each", 8, 1, 0},
    BENCH_BAR,
    {"no_merge.evaluations", "evaluations", 11, 0, 0},
    {"no_merge.ns_per_evaluation", "ns each", 8, 1, 0},
};
static const struct bench_column live_columns[] = {
    NAME,
    MS("live.copy", "copy", 8, 4),
    BENCH_BAR,
    MS("live.anew.count", "count", 8, 4),
    MS("live.anew.choose", "choose", 8, 4),
    MS("live.anew.map", "map", 8, 4),
    {"live.anew.decibels", "dB", 6, 2, 0},
    BENCH_BAR,
    MS("live.anew_of_table.count", "count", 8, 4),
    MS("live.anew_of_table.choose", "choose", 8, 4),
    MS("live.anew_of_table.map", "map", 8, 4),
    {"live.anew_of_table.decibels", "dB", 6, 2, 0},
    BENCH_BAR,
    MS("live.look", "look", 8, 4),
    MS("live.move", "move", 8, 4),
    MS("live.fill", "fill", 8, 4),
    {"live.decibels", "dB", 6, 2, 0},
    BENCH_BAR,
    {"live.look_ratio_to_copy", "look", 6, 2, 0},
    {"live.move_ratio_to_copy", "move", 6, 2, 0},
    {"live.fill_ratio_to_copy", "fill", 6, 2, 0},
};

static const char *const stage_names[BENCH_PALETTE_NUM_STAGES] = {
    [BENCH_PALETTE_COUNT] = "count",     [BENCH_PALETTE_START] = "start",
    [BENCH_PALETTE_ITERATE] = "iterate", [BENCH_PALETTE_FINISH] = "finish",
    [BENCH_PALETTE_MAP] = "map",         [BENCH_PALETTE_COPY] = "copy",
    [BENCH_PALETTE_TOTAL] = "total",     [BENCH_PALETTE_FRAME] = "frame",
};

// NAN where the divisor was not measured, or the dividend.
static double ratio(double a, double b)
{
    return a > 0 && b > 0 ? a / b : (double)NAN;
}

static void put_run(struct bench_report *report, const struct bench_palette_row *row,
                    enum bench_palette_method method)
{
    const struct bench_palette_run *run = &row->runs[method];
    const char *name = bench_palette_method_names[method];
    if (!run->measured) {
        bench_put_null(report, name);
        return;
    }
    bench_object_begin(report, name);
    bench_put_integer(report, "new_colors", run->num_new_colors);
    bench_put_integer(report, "unfinished", run->num_unfinished);
    bench_put_integer(report, "evaluations", run->num_evaluations);
    bench_put_number(
        report, "ns_per_evaluation",
        ratio(run->stages[BENCH_PALETTE_ITERATE].median * 1000, (double)run->num_evaluations));
    bench_put_integer(report, "max_steps", run->max_steps);
    bench_put_integer(report, "frame_unfinished", run->frame_unfinished);
    if (method != BENCH_PALETTE_OURS && row->runs[BENCH_PALETTE_OURS].measured) {
        bench_put_number(report, "share_different",
                         (double)run->num_different / (double)row->num_colors);
    }
    bench_object_begin(report, "stages");
    for (int i = 0; i < BENCH_PALETTE_NUM_STAGES; i++) {
        if (run->stages[i].num > 0) {
            bench_put_times(report, stage_names[i], &run->stages[i]);
        }
    }
    bench_object_end(report);
    bench_object_end(report);
}

static void put_anew(struct bench_report *report, const char *key,
                     const struct bench_palette_anew *anew)
{
    bench_object_begin(report, key);
    bench_put_times(report, "count", &anew->count);
    bench_put_times(report, "choose", &anew->choose);
    bench_put_times(report, "map", &anew->map);
    bench_put_number(report, "decibels", anew->decibels);
    bench_object_end(report);
}

static void put_live(struct bench_report *report, const struct bench_palette_live *live)
{
    if (!live->measured) {
        bench_put_null(report, "live");
        return;
    }
    bench_object_begin(report, "live");
    bench_put_integer(report, "width", live->width);
    bench_put_integer(report, "height", live->height);
    bench_put_times(report, "copy", &live->copy);
    put_anew(report, "anew", &live->anew[0]);
    put_anew(report, "anew_of_table", &live->anew[1]);
    bench_put_times(report, "look", &live->look);
    bench_put_times(report, "move", &live->move);
    bench_put_times(report, "fill", &live->fill);
    bench_put_number(report, "decibels", live->decibels);
    bench_put_number(report, "look_ratio_to_copy", ratio(live->look.median, live->copy.median));
    bench_put_number(report, "move_ratio_to_copy", ratio(live->move.median, live->copy.median));
    bench_put_number(report, "fill_ratio_to_copy", ratio(live->fill.median, live->copy.median));
    bench_object_end(report);
}

void bench_palette_put_row(struct bench_report *report, const struct bench_palette_row *row)
{
    const struct bench_times *ours = row->runs[BENCH_PALETTE_OURS].stages;
    const double copy = ours[BENCH_PALETTE_COPY].median;
    const char *slash = row->source == BENCH_PALETTE_FILE ? strrchr(row->name, '/') : NULL;
    char size[24];
    snprintf(size, sizeof(size), "%ux%u", row->width, row->height);
    bench_row_begin(report);
    bench_put_text(report, "name", slash && !report->json ? slash + 1 : row->name);
    bench_put_text(report, "size", size);
    bench_put_integer(report, "width", row->width);
    bench_put_integer(report, "height", row->height);
    bench_put_integer(report, "colors", row->num_colors);
    for (int i = 0; i < BENCH_PALETTE_NUM_METHODS; i++) {
        put_run(report, row, (enum bench_palette_method)i);
    }
    put_live(report, &row->live);
    // Count reads the image, which is half of what a copy moves; map reads and writes as much.
    bench_put_number(report, "count_ratio_to_copy",
                     ratio(ours[BENCH_PALETTE_COUNT].median, copy / 2));
    bench_put_number(report, "map_ratio_to_copy", ratio(ours[BENCH_PALETTE_MAP].median, copy));
    bench_row_end(report);
}

struct bench_report bench_palette_table(FILE *out)
{
    return bench_table(out, time_columns, BENCH_COUNT(time_columns));
}

static void print_rows(FILE *out, const struct bench_palette_result *result,
                       const struct bench_column *columns, size_t num_columns)
{
    struct bench_report table = bench_table(out, columns, num_columns);
    for (uint32_t i = 0; i < result->num_rows; i++) {
        bench_palette_put_row(&table, &result->rows[i]);
    }
}

void bench_palette_print_work(FILE *out, const struct bench_palette_result *result)
{
    fprintf(out, "\n  %-33s %-36s | %s\n", "", "ours: every path once", "no_merge: every path");
    print_rows(out, result, work_columns, BENCH_COUNT(work_columns));
    for (uint32_t i = 0; i < result->num_rows; i++) {
        const struct bench_palette_row *row = &result->rows[i];
        const uint32_t num_unfinished = row->runs[BENCH_PALETTE_OURS].frame_unfinished;
        if (num_unfinished > 0) {
            cli_print(out, "  (%s: %u colours still moved at the end of a frame)\n", row->name,
                      num_unfinished);
        }
    }
}

void bench_palette_print_live(FILE *out, const struct bench_palette_result *result)
{
    const struct bench_palette_live *first = &result->rows[0].live;
    fprintf(out,
            "\n  k-means to %" PRIu64 " colours of frames of %ux%u [ms, dB]\n"
            "  %-33s | %-33s | %-33s | %-33s | live x copy\n",
            result->options->num_colors, first->width, first->height, "", "anew, of all codes",
            "anew, of a table", "live");
    print_rows(out, result, live_columns, BENCH_COUNT(live_columns));
}

void bench_palette_report(struct bench_report *json, const void *user)
{
    const struct bench_palette_result *result = user;
    const struct bench_palette_options *asked = result->options;
    bench_put_number(json, "radius", asked->radius);
    bench_put_text(json, "weight", bench_palette_weight_names[asked->weight]);
    bench_put_text(json, "light", bench_palette_light_names[asked->light]);
    bench_put_integer(json, "repeats", asked->repeats);
    bench_array_begin(json, "pictures");
    for (uint32_t i = 0; i < result->num_rows; i++) {
        bench_palette_put_row(json, &result->rows[i]);
    }
    bench_array_end(json);
}
