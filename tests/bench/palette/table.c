// SPDX-License-Identifier: MIT
// The results of weir-bench palette as two tables: times, and what was done in them.
#include <inttypes.h>
#include <string.h>

#include <weir/version.h>

#include "capture/weir/common/program.h"
#include "capture/weir/common/report.h"
#include "tests/bench/palette/palette.h"
#include "tests/bench/stopwatch.h"

double bench_palette_ns_an_evaluation(const struct bench_palette_run *run)
{
    return run->measured && run->num_evaluations > 0
               ? run->stages[BENCH_PALETTE_ITERATE].median * 1000 / (double)run->num_evaluations
               : 0;
}

double bench_palette_speedup(const struct bench_palette_row *row)
{
    const double ours = row->runs[BENCH_PALETTE_OURS].stages[BENCH_PALETTE_REDUCE].median;
    return ours > 0 ? row->runs[BENCH_PALETTE_GRID].stages[BENCH_PALETTE_ITERATE].median / ours : 0;
}

double bench_palette_ratio_to_copy(const struct bench_palette_row *row,
                                   enum bench_palette_stage stage)
{
    const struct bench_times *times = row->runs[BENCH_PALETTE_OURS].stages;
    // A copy reads the image and writes as much.
    const double share = stage == BENCH_PALETTE_COUNT ? 0.5 : 1;
    const double copy = times[BENCH_PALETTE_COPY].median;
    return copy > 0 ? times[stage].median / (share * copy) : 0;
}

void bench_palette_table_head(FILE *out, const struct bench_palette_result *result)
{
    const struct bench_palette_options *asked = result->options;
    const struct cli_gpu *gpu = result->gpu;
    fprintf(out, "weir %s (%s), radius %g, weight %s, light %s, %s, %s\n", weir_version(),
            cli_build_commit, asked->radius, bench_palette_weight_names[asked->weight],
            bench_palette_light_names[asked->light], gpu->properties.deviceName, gpu->driver);
    fprintf(out, "median GPU time of %" PRIu64 " repetitions [ms]%s\n", asked->repeats,
            bench_stopwatch_is_host(gpu) ? "; a SOFTWARE device: they say nothing of a GPU" : "");
    fprintf(out, "\n  %-24s %10s %8s %8s %8s %8s %8s %8s %8s %8s | %7s %7s\n", "", "size", "count",
            "start", "iterate", "finish", "map", "total", "frame", "copy", "count", "map");
    fprintf(out, "  %-24s %10s %8s %8s %8s %8s %8s %8s %8s %8s | %15s\n", "", "", "", "", "", "",
            "", "", "", "", "x copy");
}

// Without the folders of a picture.
static const char *short_name(const struct bench_palette_row *row)
{
    const char *slash = row->kind == BENCH_PALETTE_FILE ? strrchr(row->name, '/') : NULL;
    return slash ? slash + 1 : row->name;
}

// A figure, or a dash where it was not measured.
static void print_number(FILE *out, int width, int decimals, double value)
{
    if (value > 0) {
        fprintf(out, " %*.*f", width, decimals, value);
    } else {
        fprintf(out, " %*s", width, "-");
    }
}

static void print_stage(FILE *out, const struct bench_palette_row *row,
                        enum bench_palette_stage stage)
{
    const struct bench_times *times = &row->runs[BENCH_PALETTE_OURS].stages[stage];
    print_number(out, 8, 3, times->median / 1000);
}

void bench_palette_table_times(FILE *out, const struct bench_palette_row *row)
{
    char size[24];
    snprintf(size, sizeof(size), "%ux%u", row->width, row->height);
    cli_print(out, "  %-24s %10s", short_name(row), size);
    static const enum bench_palette_stage stages[] = {
        BENCH_PALETTE_COUNT, BENCH_PALETTE_START, BENCH_PALETTE_ITERATE, BENCH_PALETTE_FINISH,
        BENCH_PALETTE_MAP,   BENCH_PALETTE_TOTAL, BENCH_PALETTE_FRAME,   BENCH_PALETTE_COPY,
    };
    for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
        print_stage(out, row, stages[i]);
    }
    fputs(" |", out);
    print_number(out, 7, 2, bench_palette_ratio_to_copy(row, BENCH_PALETTE_COUNT));
    print_number(out, 7, 2, bench_palette_ratio_to_copy(row, BENCH_PALETTE_MAP));
    fputc('\n', out);
}

static void print_count(FILE *out, int width, const struct bench_palette_run *run, uint64_t value)
{
    if (run->measured) {
        fprintf(out, " %*" PRIu64, width, value);
    } else {
        fprintf(out, " %*s", width, "-");
    }
}

static void print_work(FILE *out, const struct bench_palette_row *row)
{
    const struct bench_palette_run *ours = &row->runs[BENCH_PALETTE_OURS],
                                   *apart = &row->runs[BENCH_PALETTE_NO_MERGE],
                                   *grid = &row->runs[BENCH_PALETTE_GRID];
    cli_print(out, "  %-24s %8u", short_name(row), row->num_colors);
    print_count(out, 8, ours, ours->num_new_colors);
    print_count(out, 6, ours, ours->max_steps);
    print_count(out, 11, ours, ours->num_evaluations);
    print_number(out, 8, 1, bench_palette_ns_an_evaluation(ours));
    fputs(" |", out);
    print_count(out, 11, apart, apart->num_evaluations);
    print_number(out, 8, 1, bench_palette_ns_an_evaluation(apart));
    fputs(" |", out);
    print_count(out, 8, grid, grid->num_new_colors);
    print_count(out, 11, grid, grid->num_evaluations);
    print_number(out, 8, 1, bench_palette_ns_an_evaluation(grid));
    print_number(out, 10, 3, grid->stages[BENCH_PALETTE_ITERATE].median / 1000);
    if (ours->measured && grid->measured) {
        fprintf(out, " %7.3f %%", 100.0 * grid->num_different / row->num_colors);
    } else {
        fprintf(out, " %9s", "-");
    }
    print_number(out, 8, 1, bench_palette_speedup(row));
    fputc('\n', out);
}

// Print the notes on a row.
static void print_notes(FILE *out, const struct bench_palette_row *row)
{
    const struct bench_palette_run *ours = &row->runs[BENCH_PALETTE_OURS],
                                   *grid = &row->runs[BENCH_PALETTE_GRID];
    if (ours->frame_unfinished > 0) {
        cli_print(out, "  (%s: %u colours still moved at the end of a frame)\n", row->name,
                  ours->frame_unfinished);
    }
    if (grid->refused) {
        cli_print(out, "  (%s: grid needs longer loops than this software device has)\n",
                  row->name);
    }
    if (grid->num_unfinished > 0) {
        cli_print(out, "  (%s: grid gave %u colours up, which do not come to rest)\n", row->name,
                  grid->num_unfinished);
    }
}

void bench_palette_table_work(FILE *out, const struct bench_palette_result *result)
{
    fprintf(out, "\n  %-24s %8s %-36s | %-20s | %s\n", "", "", "ours: every way once",
            "no_merge: every way", "grid: in floats, a colour an invocation");
    fprintf(out, "  %-24s %8s %8s %6s %11s %8s | %11s %8s | %8s %11s %8s %10s %9s %8s\n", "",
            "colours", "new", "steps", "evaluations", "ns each", "evaluations", "ns each", "new",
            "evaluations", "ns each", "ms", "differ", "x ours");
    for (uint32_t i = 0; i < result->num_rows; i++) {
        print_work(out, &result->rows[i]);
    }
    for (uint32_t i = 0; i < result->num_rows; i++) {
        print_notes(out, &result->rows[i]);
    }
}

double bench_palette_live_ratio(const struct bench_palette_live *live,
                                const struct bench_times *times)
{
    return live->copy.median > 0 ? times->median / live->copy.median : 0;
}

static void print_live(FILE *out, const struct bench_palette_row *row)
{
    const struct bench_palette_live *live = &row->live;
    cli_print(out, "  %-24s", short_name(row));
    print_number(out, 8, 4, live->copy.median / 1000);
    for (int i = 0; i < 2; i++) {
        const struct bench_palette_anew *anew = &live->anew[i];
        fputs(" |", out);
        print_number(out, 8, 4, anew->count.median / 1000);
        print_number(out, 8, 4, anew->choose.median / 1000);
        print_number(out, 8, 4, anew->map.median / 1000);
        print_number(out, 6, 2, anew->decibels);
    }
    fputs(" |", out);
    print_number(out, 8, 4, live->look.median / 1000);
    print_number(out, 8, 4, live->move.median / 1000);
    print_number(out, 8, 4, live->fill.median / 1000);
    print_number(out, 6, 2, live->decibels);
    fputs(" |", out);
    print_number(out, 6, 2, bench_palette_live_ratio(live, &live->look));
    print_number(out, 6, 2, bench_palette_live_ratio(live, &live->move));
    print_number(out, 6, 2, bench_palette_live_ratio(live, &live->fill));
    fputc('\n', out);
}

void bench_palette_table_live(FILE *out, const struct bench_palette_result *result)
{
    const struct bench_palette_live *first = &result->rows[0].live;
    fprintf(out, "\n  k-means to %" PRIu64 " colours of frames of %ux%u [ms, dB]\n",
            result->options->num_colors, first->width, first->height);
    fprintf(out, "  %-24s %8s | %-33s | %-33s | %-33s | %20s\n", "", "", "anew, of all codes",
            "anew, of a table", "live", "live x copy");
    fprintf(out, "  %-24s %8s", "", "copy");
    for (int i = 0; i < 2; i++) {
        fprintf(out, " | %8s %8s %8s %6s", "count", "choose", "map", "dB");
    }
    fprintf(out, " | %8s %8s %8s %6s | %6s %6s %6s\n", "look", "move", "fill", "dB", "look", "move",
            "fill");
    for (uint32_t i = 0; i < result->num_rows; i++) {
        print_live(out, &result->rows[i]);
    }
}
