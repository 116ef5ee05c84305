// SPDX-License-Identifier: MIT
// Times of the floor, of an empty dispatch and of every method, taken in turn.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/clock.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/gpu/barrier.h"
#include "tests/bench/pyramid/entries.h"
#include "tests/bench/pyramid/pyramid.h"
#include "tests/bench/stopwatch.h"

static const uint64_t warm_up_ns = 100000000, host_warm_up_ns = 1;

struct bench {
    struct cli_gpu *gpu;
    const struct bench_pyramid_result *result;
    struct bench_pyramid_entries entries;
    uint32_t next_image; // of cold repetitions
    struct cli_timer watch;
};

static void record_barrier(VkCommandBuffer commands)
{
    const VkPipelineStageFlags compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT;
    cli_cmd_barrier(commands, (struct cli_scope){compute, writes},
                    (struct cli_scope){compute, VK_ACCESS_SHADER_READ_BIT | writes});
}

static enum weir_result record(struct bench *bench, const struct bench_pyramid_entry *entry,
                               bool hot)
{
    const uint32_t image = hot ? 0 : bench->next_image++ % bench->entries.images.num;
    enum weir_result result = WEIR_OK;
    switch (entry->kind) {
    case BENCH_PYRAMID_KIND_FLOOR:
        record_barrier(bench->watch.commands);
        bench_pyramid_record_floor(&bench->entries.sets, entry->form, image, bench->watch.commands);
        break;
    case BENCH_PYRAMID_KIND_EMPTY:
        record_barrier(bench->watch.commands);
        bench_pyramid_record_empty(&bench->entries.sets, bench->watch.commands);
        break;
    case BENCH_PYRAMID_KIND_METHOD:
        result = weir_cmd_pyramid(entry->targets[image], bench->watch.commands, &entry->run);
        break;
    case BENCH_PYRAMID_KIND_APART:
        for (uint32_t i = 0; i < entry->num_targets && result == WEIR_OK; i++) {
            result = weir_cmd_pyramid(entry->targets[i], bench->watch.commands,
                                      i == 0 ? &entry->run : NULL);
        }
        break;
    }
    return result;
}

// Time one submission; `*sample` is what one of its repetitions takes [ns].
static enum weir_result run_submit(struct bench *bench, const struct bench_pyramid_entry *entry,
                                   bool hot, uint64_t *sample)
{
    const uint32_t repeats = (uint32_t)bench->result->options->repeats;
    enum weir_result result = cli_timer_begin(&bench->watch);
    if (result == WEIR_OK) {
        cli_timer_start(&bench->watch, 0);
    }
    for (uint32_t i = 0; i < repeats && result == WEIR_OK; i++) {
        result = record(bench, entry, hot);
    }
    double ns = 0;
    if (result == WEIR_OK) {
        cli_timer_stop(&bench->watch, 0);
        result = bench_stopwatch_submit(&bench->watch, &ns);
    }
    *sample = (uint64_t)(ns / repeats + 0.5);
    return result;
}

// One submission of every entry, so that a clock that drifts hits all alike.
static enum weir_result run_round(struct bench *bench, bool hot, uint64_t round)
{
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < bench->entries.num && result == WEIR_OK; i++) {
        const struct bench_pyramid_entry *entry = &bench->entries.entries[i];
        if (hot || entry->kind != BENCH_PYRAMID_KIND_APART) {
            result = run_submit(bench, entry, hot, &entry->samples[hot][round]);
        }
        if (result == WEIR_OK && cli_interrupted()) {
            cli_report_error("interrupted");
            result = WEIR_ERROR_IO;
        }
    }
    return result;
}

static void keep_form(struct bench_pyramid_size *size, const struct bench_pyramid_entry *entry,
                      bool hot, const struct bench_times *times)
{
    static const char *const orders[] = {
        [BENCH_PYRAMID_WITH] = "",
        [BENCH_PYRAMID_OWN] = ", shared",
        [BENCH_PYRAMID_FIRST] = ", small first",
    };
    const struct bench_pyramid_form *form = &bench_pyramid_forms[entry->form];
    struct bench_pyramid_form_times *kept = &size->forms[entry->form];
    snprintf(kept->name, sizeof(kept->name), "%ux%u of %ux%u taps%s", form->width, form->height,
             form->taps_x, form->taps_y, orders[form->order]);
    *(hot ? &kept->hot : &kept->cold) = *times;
}

// Keep the fastest form of the floor; of everything else there is one.
static void keep(struct bench_pyramid_size *size, const struct bench_pyramid_entry *entry, bool hot,
                 uint64_t num)
{
    struct bench_pyramid_row *row = entry->row;
    struct bench_times *kept = hot ? &row->hot : &row->cold;
    if (!hot && entry->kind == BENCH_PYRAMID_KIND_APART) {
        return;
    }
    const struct bench_times times = bench_times_of(entry->samples[hot], num);
    const bool is_floor = entry->kind == BENCH_PYRAMID_KIND_FLOOR;
    if (is_floor) {
        keep_form(size, entry, hot, &times);
    }
    if (kept->num != 0 && kept->median <= times.median) {
        return;
    }
    *kept = times;
    if (is_floor) {
        memcpy(row->forms[hot], size->forms[entry->form].name, sizeof(row->forms[hot]));
    }
}

static enum weir_result measure_rounds(struct bench *bench, bool hot)
{
    const struct bench_pyramid_options *options = bench->result->options;
    const uint64_t warm = weir_clock_ns() +
                          (bench->result->host_time ? host_warm_up_ns : warm_up_ns);
    enum weir_result result = WEIR_OK;
    do {
        result = run_round(bench, hot, 0);
    } while (result == WEIR_OK && weir_clock_ns() < warm);
    for (uint64_t i = 0; i < options->submits && result == WEIR_OK; i++) {
        result = run_round(bench, hot, i);
    }
    return result;
}

enum weir_result bench_pyramid_measure(struct cli_gpu *gpu,
                                       const struct bench_pyramid_result *result,
                                       const struct bench_pyramid_methods *methods,
                                       const struct bench_pyramid_kernels *kernels,
                                       struct bench_pyramid_size *size)
{
    struct bench *bench = calloc(1, sizeof(*bench));
    if (!bench) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *bench = (struct bench){.gpu = gpu, .result = result};
    enum weir_result status = bench_stopwatch_init(&bench->watch, gpu);
    if (status == WEIR_OK) {
        status = bench_pyramid_entries_init(&bench->entries, gpu, result, methods, kernels, size);
    }
    for (int hot = 1; hot >= 0 && status == WEIR_OK && size->num_images > 0; hot--) {
        if (hot == 0 && size->num_images == 1) {
            break;
        }
        status = measure_rounds(bench, hot != 0);
        for (uint32_t i = 0; i < bench->entries.num && status == WEIR_OK; i++) {
            keep(size, &bench->entries.entries[i], hot != 0, result->options->submits);
        }
    }
    bench_pyramid_entries_finish(&bench->entries);
    cli_timer_finish(&bench->watch);
    free(bench);
    return status;
}
