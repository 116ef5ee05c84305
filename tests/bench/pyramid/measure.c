// SPDX-License-Identifier: MIT
// Times of the floor, of an empty dispatch and of every method, taken in turn.
#include <string.h>

#include "capture/base/clock.h"
#include "capture/weir/common/interrupt.h"
#include "tests/bench/pyramid/pyramid.h"
#include "tests/bench/timing.h"

static const uint64_t warm_up_ns = 100000000, host_warm_up_ns = 1;

struct bench {
    struct bench_pyramid_entries entries;
    const struct bench_pyramid_entry *entry; // that is recorded
    uint32_t next_image;                     // of cold repetitions
    int cache;                               // BENCH_COLD or BENCH_HOT
    struct cli_timer timer;
};

static enum weir_result record_repetition(struct bench *bench, VkCommandBuffer commands)
{
    const struct bench_pyramid_entry *entry = bench->entry;
    const struct bench_pyramid_set *all = &bench->entries.all;
    const uint32_t image = bench->cache == BENCH_HOT ? 0 : bench->next_image++ % all->images.num;
    switch (entry->type) {
    case BENCH_PYRAMID_ENTRY_FLOOR:
        bench_barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
        bench_pyramid_record_floor(&all->sets, &all->images, entry->form, image, commands);
        break;
    case BENCH_PYRAMID_ENTRY_EMPTY:
        bench_barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
        bench_pyramid_record_empty(&all->sets, commands);
        break;
    case BENCH_PYRAMID_ENTRY_METHOD:
        return weir_cmd_pyramid(entry->targets[image], commands, &entry->run);
    case BENCH_PYRAMID_ENTRY_APART:
        for (uint32_t i = 0; i < entry->num_targets; i++) {
            WEIR_TRY(weir_cmd_pyramid(entry->targets[i], commands, i == 0 ? &entry->run : NULL));
        }
        break;
    }
    return WEIR_OK;
}

static enum weir_result record(void *user, VkCommandBuffer commands)
{
    struct bench *bench = user;
    for (uint64_t i = 0; i < bench->entries.result->options->repeats; i++) {
        WEIR_TRY(record_repetition(bench, commands));
    }
    return WEIR_OK;
}

// The images of a repetition of APART are many: it is hot only.
static bool is_measured(const struct bench *bench, const struct bench_pyramid_entry *entry)
{
    return entry->row->refused[0] == 0 &&
           (bench->cache == BENCH_HOT || entry->type != BENCH_PYRAMID_ENTRY_APART);
}

// One submission of every entry, so that a clock that drifts hits all alike.
static enum weir_result run_round(struct bench *bench)
{
    const struct bench_part part = {.record = record, .user = bench};
    const uint32_t repeats = (uint32_t)bench->entries.result->options->repeats;
    for (uint32_t i = 0; i < bench->entries.num && !cli_interrupted(); i++) {
        struct bench_pyramid_entry *entry = &bench->entries.entries[i];
        bench->entry = entry;
        if (is_measured(bench, entry)) {
            WEIR_TRY(bench_submit(&bench->timer, &part, 1, repeats, &entry->samples));
        }
    }
    return WEIR_OK;
}

static void keep(struct bench *bench, struct bench_pyramid_entry *entry)
{
    if (!is_measured(bench, entry)) {
        return;
    }
    const struct bench_times times = bench_samples_take(&entry->samples);
    char name[48] = "";
    if (entry->type == BENCH_PYRAMID_ENTRY_FLOOR) {
        bench_pyramid_form_name(entry->form, name, sizeof(name));
        bench_keep_fastest(&bench->entries.size->forms[entry->form], bench->cache, &times, name);
    }
    bench_keep_fastest(&entry->row->measured, bench->cache, &times, name);
}

static enum weir_result measure_rounds(struct bench *bench)
{
    const struct bench_pyramid_result *result = bench->entries.result;
    const uint64_t warm = weir_clock_ns() + (result->host_time ? host_warm_up_ns : warm_up_ns);
    do {
        WEIR_TRY(run_round(bench));
    } while (weir_clock_ns() < warm && !cli_interrupted());
    for (uint32_t i = 0; i < bench->entries.num; i++) {
        bench->entries.entries[i].samples.num = 0;
    }
    for (uint64_t i = 0; i < result->options->submits && !cli_interrupted(); i++) {
        WEIR_TRY(run_round(bench));
    }
    for (uint32_t i = 0; i < bench->entries.num; i++) {
        keep(bench, &bench->entries.entries[i]);
    }
    return WEIR_OK;
}

static enum weir_result measure(struct bench *bench, const struct bench_kernel *kernel)
{
    const struct bench_pyramid_size *size = bench->entries.size;
    WEIR_TRY(bench_timing_init(&bench->timer, bench->entries.gpu));
    WEIR_TRY(bench_pyramid_entries_init(&bench->entries, kernel));
    const int last = size->num_images > 1 ? BENCH_COLD : BENCH_HOT;
    for (bench->cache = BENCH_HOT; size->num_images > 0 && bench->cache >= last; bench->cache--) {
        WEIR_TRY(measure_rounds(bench));
    }
    return WEIR_OK;
}

enum weir_result bench_pyramid_measure(struct cli_gpu *gpu,
                                       const struct bench_pyramid_result *result,
                                       const struct bench_pyramid_methods *methods,
                                       const struct bench_kernel *kernel,
                                       struct bench_pyramid_size *size)
{
    static struct bench only; // whose samples are many for a stack
    struct bench *bench = &only;
    memset(bench, 0, sizeof(*bench));
    bench->entries.gpu = gpu;
    bench->entries.result = result;
    bench->entries.methods = methods;
    bench->entries.size = size;
    const enum weir_result status = measure(bench, kernel);
    bench_pyramid_entries_finish(&bench->entries);
    cli_timer_finish(&bench->timer);
    return status;
}
