// SPDX-License-Identifier: MIT
// The results of weir-bench palette as JSON.
#include <inttypes.h>
#include <math.h>

#include "tests/bench/json.h"
#include "tests/bench/palette/palette.h"

static const char *const stage_names[BENCH_PALETTE_NUM_STAGES] = {
    [BENCH_PALETTE_COUNT] = "count",     [BENCH_PALETTE_START] = "start",
    [BENCH_PALETTE_ITERATE] = "iterate", [BENCH_PALETTE_FINISH] = "finish",
    [BENCH_PALETTE_MAP] = "map",         [BENCH_PALETTE_COPY] = "copy",
    [BENCH_PALETTE_REDUCE] = "reduce",   [BENCH_PALETTE_TOTAL] = "total",
    [BENCH_PALETTE_FRAME] = "frame",
};

static void write_positive(struct cli_json *json, const char *key, double value)
{
    cli_json_number(json, key, value > 0 ? value : NAN);
}

static void write_times(struct cli_json *json, const char *key, const struct bench_times *times)
{
    cli_json_begin_object(json, key);
    cli_json_integer(json, "num", times->num);
    cli_json_number(json, "min_us", times->min);
    cli_json_number(json, "median_us", times->median);
    cli_json_number(json, "max_us", times->max);
    cli_json_end_object(json);
}

static void write_anew(struct cli_json *json, const char *key,
                       const struct bench_palette_anew *anew)
{
    cli_json_begin_object(json, key);
    write_times(json, "count", &anew->count);
    write_times(json, "choose", &anew->choose);
    write_times(json, "map", &anew->map);
    write_positive(json, "decibels", anew->decibels);
    cli_json_end_object(json);
}

static void write_live(struct cli_json *json, const struct bench_palette_live *live)
{
    if (!live->measured) {
        cli_json_null(json, "live");
        return;
    }
    cli_json_begin_object(json, "live");
    cli_json_integer(json, "width", live->width);
    cli_json_integer(json, "height", live->height);
    write_times(json, "copy", &live->copy);
    write_anew(json, "anew", &live->anew[0]);
    write_anew(json, "anew_of_table", &live->anew[1]);
    write_times(json, "look", &live->look);
    write_times(json, "move", &live->move);
    write_times(json, "fill", &live->fill);
    write_positive(json, "decibels", live->decibels);
    cli_json_number(json, "look_ratio_to_copy", bench_palette_live_ratio(live, &live->look));
    cli_json_number(json, "move_ratio_to_copy", bench_palette_live_ratio(live, &live->move));
    cli_json_number(json, "fill_ratio_to_copy", bench_palette_live_ratio(live, &live->fill));
    cli_json_end_object(json);
}

static void write_stages(struct cli_json *json, const struct bench_palette_run *run)
{
    cli_json_begin_object(json, "stages");
    for (int i = 0; i < BENCH_PALETTE_NUM_STAGES; i++) {
        const struct bench_times *times = &run->stages[i];
        if (times->num == 0) {
            continue;
        }
        write_times(json, stage_names[i], times);
    }
    cli_json_end_object(json);
}

static void write_run(struct cli_json *json, const struct bench_palette_row *row,
                      enum bench_palette_method method)
{
    const struct bench_palette_run *run = &row->runs[method];
    const char *name = bench_palette_method_names[method];
    if (!run->measured) {
        cli_json_null(json, name);
        return;
    }
    cli_json_begin_object(json, name);
    cli_json_integer(json, "new_colors", run->num_new_colors);
    cli_json_integer(json, "unfinished", run->num_unfinished);
    cli_json_integer(json, "evaluations", run->num_evaluations);
    cli_json_number(json, "ns_per_evaluation", bench_palette_ns_an_evaluation(run));
    if (method == BENCH_PALETTE_GRID) {
        cli_json_integer(json, "dispatches", run->num_dispatches);
        cli_json_number(json, "longest_dispatch_ms", run->longest_dispatch_ns / 1e6);
    } else {
        cli_json_integer(json, "max_steps", run->max_steps);
    }
    if (run->stages[BENCH_PALETTE_FRAME].num > 0) {
        cli_json_integer(json, "frame_unfinished", run->frame_unfinished);
    }
    if (method != BENCH_PALETTE_OURS && row->runs[BENCH_PALETTE_OURS].measured) {
        cli_json_number(json, "share_different",
                        (double)run->num_different / (double)row->num_colors);
    }
    write_stages(json, run);
    cli_json_end_object(json);
}

static void write_row(struct cli_json *json, const struct bench_palette_row *row)
{
    cli_json_begin_object(json, NULL);
    cli_json_text(json, "name", row->name);
    cli_json_integer(json, "width", row->width);
    cli_json_integer(json, "height", row->height);
    cli_json_integer(json, "colors", row->num_colors);
    for (int i = 0; i < BENCH_PALETTE_NUM_METHODS; i++) {
        write_run(json, row, (enum bench_palette_method)i);
    }
    write_live(json, &row->live);
    write_positive(json, "count_ratio_to_copy",
                   bench_palette_ratio_to_copy(row, BENCH_PALETTE_COUNT));
    write_positive(json, "map_ratio_to_copy", bench_palette_ratio_to_copy(row, BENCH_PALETTE_MAP));
    write_positive(json, "speedup", bench_palette_speedup(row));
    cli_json_end_object(json);
}

// The command line again, with what it left to defaults.
static void write_command(struct cli_json *json, const struct bench_palette_options *asked)
{
    char text[4096];
    snprintf(text, sizeof(text),
             "weir-bench palette --colors %s --radius %g --weight %s --light %s --methods %s "
             "--num-colors %" PRIu64 " --repeats %" PRIu64 "%s%s%s%s%s",
             asked->colors, asked->radius, bench_palette_weight_names[asked->weight],
             bench_palette_light_names[asked->light], asked->methods, asked->num_colors,
             asked->repeats, asked->pictures ? " --picture " : "",
             asked->pictures ? asked->pictures : "", asked->frame ? " --frame" : "",
             asked->quick ? " --quick" : "", asked->validation ? " --validation" : "");
    cli_json_text(json, "command", text);
}

static void write_result(struct cli_json *json, const void *measured)
{
    const struct bench_palette_result *result = measured;
    const struct bench_palette_options *asked = result->options;
    bench_json_begin(json, "palette");
    write_command(json, asked);
    bench_json_device(json, result->gpu);
    cli_json_number(json, "radius", asked->radius);
    cli_json_text(json, "weight", bench_palette_weight_names[asked->weight]);
    cli_json_text(json, "light", bench_palette_light_names[asked->light]);
    cli_json_integer(json, "repeats", asked->repeats);
    cli_json_begin_array(json, "pictures");
    for (uint32_t i = 0; i < result->num_rows; i++) {
        write_row(json, &result->rows[i]);
    }
    cli_json_end_array(json);
    cli_json_end_object(json);
}

bool bench_palette_json_write(const char *path, const struct bench_palette_result *result)
{
    return cli_json_write(path, write_result, result) == WEIR_OK;
}
