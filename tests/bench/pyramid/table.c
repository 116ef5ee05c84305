// SPDX-License-Identifier: MIT
// The results of weir-bench pyramid as a table.
#include <inttypes.h>
#include <string.h>

#include <weir/version.h>

#include "capture/weir/common/build.h"
#include "tests/bench/pyramid/pyramid.h"

double bench_pyramid_ratio(const struct bench_pyramid_size *size,
                           const struct bench_pyramid_row *row, bool hot)
{
    const struct bench_pyramid_row *floor = &size->rows[BENCH_PYRAMID_FLOOR];
    const struct bench_times *times = hot ? &row->hot : &row->cold;
    const struct bench_times *least = hot ? &floor->hot : &floor->cold;
    return times->num > 0 && least->median > 0 ? times->median / least->median : 0;
}

void bench_pyramid_table_head(FILE *out, const struct bench_pyramid_result *result)
{
    const struct cli_gpu *gpu = result->gpu;
    fprintf(out, "weir %s (%s), %s, %s, %s, %s\n", weir_version(), cli_build_commit,
            bench_pyramid_format_name(result),
            weir_pyramid_reduction_get_info(result->reduction)->name, gpu->properties.deviceName,
            gpu->driver);
    fprintf(out, "queue family %u, %s; %" PRIu64 " submissions of %" PRIu64 " repetitions\n",
            gpu->queue.family,
            weir_context_is_async(gpu->context) ? "asynchronous" : "shared with graphics",
            result->options->submits, result->options->repeats);
}

static void print_times(FILE *out, const struct bench_pyramid_size *size,
                        const struct bench_pyramid_row *row, bool hot)
{
    const struct bench_times *times = hot ? &row->hot : &row->cold;
    if (times->num == 0) {
        fprintf(out, " | %9s %9s %9s %7s %7s", "-", "-", "-", "-", "-");
        return;
    }
    fprintf(out, " | %9.2f %9.2f %9.2f %7.3f", times->min, times->median, times->p95,
            bench_pyramid_ratio(size, row, hot));
    if (row == &size->rows[BENCH_PYRAMID_EMPTY]) {
        fprintf(out, " %7s", "-");
    } else {
        fprintf(out, " %7.1f", size->bytes / times->median / 1e3);
    }
}

static void print_row(FILE *out, const struct bench_pyramid_size *size,
                      const struct bench_pyramid_row *row)
{
    fprintf(out, "  %-20s", row->name);
    if (row->refused[0] != 0) {
        fprintf(out, " %5s", "-");
    } else {
        fprintf(out, " %5u", row->num_dispatches);
    }
    print_times(out, size, row, true);
    print_times(out, size, row, false);
    fputc('\n', out);
}

// Each reason once, with the methods that it stops.
static void print_reasons(FILE *out, const struct bench_pyramid_size *size)
{
    for (uint32_t i = 0; i < size->num_rows; i++) {
        const char *reason = size->rows[i].refused;
        bool told = reason[0] == 0;
        for (uint32_t j = 0; j < i && !told; j++) {
            told = strcmp(size->rows[j].refused, reason) == 0;
        }
        if (told) {
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

void bench_pyramid_table_size(FILE *out, const struct bench_pyramid_result *result,
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
    } else if (!result->options->no_cold) {
        fprintf(out, "; the memory holds no second one, so none is cold");
    }
    fprintf(out, "\n  %-20s %5s | %9s %9s %9s %7s %7s | %9s %9s %9s %7s %7s\n", "", "disp.",
            "hot min", "median", "p95", "x floor", "GB/s", "cold min", "median", "p95", "x floor",
            "GB/s");
    for (uint32_t i = 0; i < size->num_rows; i++) {
        print_row(out, size, &size->rows[i]);
    }
    const struct bench_pyramid_row *floor = &size->rows[BENCH_PYRAMID_FLOOR];
    fprintf(out, "  (floor: workgroups of %s hot", floor->forms[1]);
    if (floor->cold.num > 0) {
        fprintf(out, ", %s cold", floor->forms[0]);
    }
    fputs(")\n", out);
    if (size->automatic != WEIR_PYRAMID_AUTO) {
        fprintf(out, "  (auto: %s)\n", weir_pyramid_method_get_info(size->automatic)->name);
    }
    print_reasons(out, size);
}
