// SPDX-License-Identifier: MIT
// Times of the floor, of an empty dispatch and of every method, taken in turn.
#include <string.h>

#include "capture/base/clock.h"
#include "capture/weir/common/interrupt.h"
#include "tests/bench/pyramid/pyramid.h"
#include "tests/bench/timing.h"

static const uint64_t warm_up_ns = 100000000, host_warm_up_ns = 1;

struct bench {
    struct bench_pyramid_run *run;
    struct bench_pyramid_size *size;
    struct bench_images all, apart;
    uint32_t row;        // that is recorded
    uint32_t next_image; // of cold repetitions
    int cache;           // BENCH_COLD or BENCH_HOT
    struct cli_timer timer;
    struct bench_samples samples[BENCH_PYRAMID_MAX_ROWS];
};

static enum weir_result record_repetition(struct bench *bench, VkCommandBuffer commands)
{
    const struct bench_pyramid_row *row = &bench->size->rows[bench->row];
    const struct bench_images *images = &bench->all;
    const uint32_t image = bench->cache == BENCH_HOT ? 0 : bench->next_image++ % images->num;
    if (row->is_apart) {
        for (uint32_t i = 0; i < row->num_targets; i++) {
            WEIR_TRY(weir_cmd_pyramid(row->targets[i], commands, i == 0 ? &row->run : NULL));
        }
        return WEIR_OK;
    }
    if (row->num_targets > 0) {
        return weir_cmd_pyramid(row->targets[image], commands, &row->run);
    }
    bench_barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    if (bench->row == BENCH_PYRAMID_EMPTY) {
        bench_pyramid_record_empty(&bench->run->kernel, commands);
    } else {
        bench_pyramid_record_floor(&bench->run->kernel, images, bench->row, image, commands);
    }
    return WEIR_OK;
}

static enum weir_result record(void *user, VkCommandBuffer commands)
{
    struct bench *bench = user;
    for (uint64_t i = 0; i < bench->run->result->options.repeats; i++) {
        WEIR_TRY(record_repetition(bench, commands));
    }
    return WEIR_OK;
}

// The images of one pyramid a layer are many: it is hot only. The floor is the fastest of its
// forms.
static bool is_measured(const struct bench *bench, uint32_t i)
{
    const struct bench_pyramid_row *row = &bench->size->rows[i];
    return i != BENCH_PYRAMID_FLOOR && row->refused[0] == 0 &&
           (bench->cache == BENCH_HOT || !row->is_apart);
}

// One submission of every row, so that a clock that drifts hits all alike.
static enum weir_result run_round(struct bench *bench)
{
    const struct bench_part part = {.record = record, .user = bench};
    const uint32_t repeats = (uint32_t)bench->run->result->options.repeats;
    for (uint32_t i = 0; i < bench->size->num_rows && !cli_interrupted(); i++) {
        bench->row = i;
        if (is_measured(bench, i)) {
            WEIR_TRY(bench_submit(&bench->timer, &part, 1, repeats, &bench->samples[i]));
        }
    }
    return WEIR_OK;
}

static void keep_times(struct bench *bench, uint32_t i)
{
    struct bench_pyramid_row *rows = bench->size->rows;
    char name[48] = "";
    const struct bench_times times = bench_samples_take(&bench->samples[i]);
    if (i < BENCH_PYRAMID_NUM_FORMS) {
        bench_pyramid_form_name(i, name, sizeof(name));
        bench_keep_fastest(&rows[BENCH_PYRAMID_FLOOR].measured, bench->cache, &times, name);
    }
    bench_keep_fastest(&rows[i].measured, bench->cache, &times, name);
}

static enum weir_result measure_rounds(struct bench *bench)
{
    const struct bench_pyramid_result *result = bench->run->result;
    const uint64_t warm = weir_clock_ns() + (result->host_time ? host_warm_up_ns : warm_up_ns);
    do {
        WEIR_TRY(run_round(bench));
    } while (weir_clock_ns() < warm && !cli_interrupted());
    for (uint32_t i = 0; i < bench->size->num_rows; i++) {
        bench->samples[i].num = 0;
    }
    for (uint64_t i = 0; i < result->options.submits && !cli_interrupted(); i++) {
        WEIR_TRY(run_round(bench));
    }
    for (uint32_t i = 0; i < bench->size->num_rows; i++) {
        if (is_measured(bench, i)) {
            keep_times(bench, i);
        }
    }
    return WEIR_OK;
}

static enum weir_result measure(struct bench *bench)
{
    const struct bench_pyramid_size *size = bench->size;
    bench_timing_init(&bench->timer, bench->run->gpu);
    WEIR_TRY(bench_pyramid_rows_init(bench->run, bench->size, &bench->all, &bench->apart));
    const int last = size->num_images > 1 ? BENCH_COLD : BENCH_HOT;
    for (bench->cache = BENCH_HOT; size->num_images > 0 && bench->cache >= last; bench->cache--) {
        WEIR_TRY(measure_rounds(bench));
    }
    return WEIR_OK;
}

enum weir_result bench_pyramid_measure(struct bench_pyramid_run *run,
                                       struct bench_pyramid_size *size)
{
    static struct bench only; // whose samples are many for a stack
    memset(&only, 0, sizeof(only));
    only.run = run;
    only.size = size;
    const enum weir_result status = measure(&only);
    bench_kernel_clear(&run->kernel);
    bench_pyramid_rows_finish(size, &only.all, &only.apart);
    cli_timer_finish(&only.timer);
    return status;
}
