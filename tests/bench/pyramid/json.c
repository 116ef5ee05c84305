// SPDX-License-Identifier: MIT
// The results of weir-bench pyramid as JSON.
#include <inttypes.h>
#include <math.h>

#include "tests/bench/json.h"
#include "tests/bench/pyramid/pyramid.h"

static void write_times(struct cli_json *json, const struct bench_pyramid_size *size,
                        const struct bench_pyramid_row *row, bool hot)
{
    const struct bench_times *times = hot ? &row->hot : &row->cold;
    const struct bench_pyramid_row *floor = &size->rows[BENCH_PYRAMID_FLOOR];
    const char *key = hot ? "hot" : "cold";
    if (times->num == 0) {
        cli_json_null(json, key);
        return;
    }
    cli_json_begin_object(json, key);
    cli_json_integer(json, "num", times->num);
    cli_json_number(json, "min_us", times->min);
    cli_json_number(json, "median_us", times->median);
    cli_json_number(json, "p95_us", times->p95);
    cli_json_number(json, "ratio_to_floor", bench_pyramid_ratio(size, row, hot));
    cli_json_number(json, "min_ratio_to_floor",
                    times->min / (hot ? floor->hot.min : floor->cold.min));
    if (row != &size->rows[BENCH_PYRAMID_EMPTY]) {
        cli_json_number(json, "gb_per_s", size->bytes / times->median / 1e3);
    }
    cli_json_text(json, "form", row->forms[hot][0] != 0 ? row->forms[hot] : NULL);
    cli_json_end_object(json);
}

static void write_row(struct cli_json *json, const struct bench_pyramid_size *size,
                      const struct bench_pyramid_row *row)
{
    cli_json_begin_object(json, NULL);
    cli_json_text(json, "name", row->name);
    cli_json_text(json, "refused", row->refused[0] != 0 ? row->refused : NULL);
    cli_json_integer(json, "dispatches", row->num_dispatches);
    write_times(json, size, row, true);
    write_times(json, size, row, false);
    cli_json_end_object(json);
}

// Every form of the floor, for who looks for a faster one.
static void write_forms(struct cli_json *json, const struct bench_pyramid_size *size)
{
    cli_json_begin_array(json, "floor_forms");
    for (uint32_t i = 0; i < BENCH_PYRAMID_NUM_FORMS; i++) {
        const struct bench_pyramid_form_times *form = &size->forms[i];
        if (form->hot.num == 0) {
            continue;
        }
        cli_json_begin_object(json, NULL);
        cli_json_text(json, "form", form->name);
        cli_json_number(json, "hot_median_us", form->hot.median);
        cli_json_number(json, "cold_median_us", form->cold.num > 0 ? form->cold.median : NAN);
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
}

static void write_size(struct cli_json *json, const struct bench_pyramid_size *size)
{
    cli_json_begin_object(json, NULL);
    cli_json_integer(json, "width", size->width);
    cli_json_integer(json, "height", size->height);
    cli_json_integer(json, "layers", size->layers);
    cli_json_integer(json, "levels", size->levels);
    cli_json_integer(json, "num_images", size->num_images);
    cli_json_number(json, "bytes", size->bytes);
    cli_json_text(json, "auto",
                  size->automatic != WEIR_PYRAMID_AUTO
                      ? weir_pyramid_method_get_info(size->automatic)->name
                      : NULL);
    cli_json_text(json, "skipped", size->num_images == 0 ? size->skipped : NULL);
    cli_json_begin_array(json, "methods");
    for (uint32_t i = 0; i < size->num_rows; i++) {
        write_row(json, size, &size->rows[i]);
    }
    cli_json_end_array(json);
    write_forms(json, size);
    cli_json_end_object(json);
}

// The command line again, with what it left to defaults.
static void write_command(struct cli_json *json, const struct bench_pyramid_result *result)
{
    const struct bench_pyramid_options *asked = result->options;
    char text[2048];
    snprintf(text, sizeof(text),
             "weir-bench pyramid --format %s --reduction %s --repeats %" PRIu64
             " --submits %" PRIu64 "%s%s%s%s%s%s%s%s%s%s%s",
             bench_pyramid_format_name(result),
             weir_pyramid_reduction_get_info(result->reduction)->name, asked->repeats,
             asked->submits, asked->sizes ? " --sizes " : "", asked->sizes ? asked->sizes : "",
             asked->methods ? " --methods " : "", asked->methods ? asked->methods : "",
             asked->no_cold ? " --no-cold" : "", asked->filter_srgb ? " --filter-srgb" : "",
             asked->exact_srgb ? " --exact-srgb" : "", asked->filter_half ? " --filter-half" : "",
             asked->uint_views ? " --uint-views" : "", asked->graphics ? " --graphics" : "",
             asked->validation ? " --validation" : "");
    cli_json_text(json, "command", text);
}

static void write_result(struct cli_json *json, const void *measured)
{
    const struct bench_pyramid_result *result = measured;
    bench_json_begin(json, "pyramid");
    write_command(json, result);
    bench_json_device(json, result->gpu);
    cli_json_text(json, "clock", result->host_time ? "host" : "gpu");
    cli_json_text(json, "format", bench_pyramid_format_name(result));
    cli_json_text(json, "reduction", weir_pyramid_reduction_get_info(result->reduction)->name);
    cli_json_integer(json, "layers", result->options->layers);
    cli_json_integer(json, "repeats", result->options->repeats);
    cli_json_integer(json, "submits", result->options->submits);
    cli_json_begin_array(json, "sizes");
    for (uint32_t i = 0; i < result->num_sizes; i++) {
        write_size(json, &result->sizes[i]);
    }
    cli_json_end_array(json);
    cli_json_end_object(json);
}

bool bench_pyramid_json_write(const char *path, const struct bench_pyramid_result *result)
{
    return cli_json_write(path, write_result, result) == WEIR_OK;
}
