// SPDX-License-Identifier: MIT
// Work is repeated until its times are those of a busy device.
#include "tests/bench/encode/work.h"

#include <weir/encode.h>

#include "capture/base/clock.h"
#include "capture/weir/gpu/barrier.h"
#include "capture/weir/gpu/commands.h"

enum { MIN_SAMPLES = 20, MIN_SAMPLES_QUICK = 3 };
static const uint64_t warm_up_ns = 100000000, quick_warm_up_ns = 1000000;
// Of one submission: well under a driver's watchdog.
static const double batch_ns = 50e6;
// To have the least of samples, a measurement takes so many times as long as it should, and no
// more.
enum { PATIENCE = 4 };

static enum weir_result record_encode(struct bench *bench, const struct bench_work *work,
                                      const weir_image *source)
{
    const enum weir_result result = weir_cmd_encode(
        work->encoder, bench->timer.commands,
        &(struct weir_encode){.source = source,
                              .buffer = bench->buffer,
                              .history = bench->history,
                              .proxy = bench->proxy.image.weir});
    if (result != WEIR_OK || !work->rdo) {
        return result;
    }
    return weir_cmd_rdo(
        work->rdo, bench->timer.commands,
        &(struct weir_rdo_run){.source = source,
                               .buffer = bench->buffer,
                               .history = bench->history,
                               .history_offset = weir_buffer_get_params(bench->buffer).size,
                               .control = bench->control});
}

static enum weir_result record_work(struct bench *bench, const struct bench_work *work,
                                    uint32_t image)
{
    if (work->kind == BENCH_WORK_FLOOR) {
        bench_floor_record(&bench->floor, work->floor_shape, image, bench->timer.commands);
    } else if (work->kind == BENCH_WORK_ENCODE) {
        return record_encode(bench, work, bench->images->images[image].weir);
    } else if (work->kind == BENCH_WORK_APART) {
        bench_proxy_record(&bench->proxy, image, bench->timer.commands);
        return record_encode(bench, work, bench->images->images[image].weir);
    } else if (work->kind == BENCH_WORK_PACK) {
        return bench_pack_record(work->pack, bench->timer.commands, bench->buffer);
    } else {
        const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        const VkImageCopy copy = {.srcSubresource = layers,
                                  .dstSubresource = layers,
                                  .extent = {bench->images->width, bench->images->height, 1}};
        vkCmdCopyImage(bench->timer.commands, bench->images->images[image].image,
                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, bench->snapshot.image,
                       VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    }
    return WEIR_OK;
}

// One repetition at a time: what runs next waits for what ran before.
static void record_barrier(VkCommandBuffer commands)
{
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                        VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    const VkAccessFlags reads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    cli_cmd_barrier(commands, (struct cli_scope){stages, writes},
                    (struct cli_scope){stages, reads | writes});
}

// Time `num` repetitions, from image `first` on, into `samples`.
static enum weir_result run_batch(struct bench *bench, const struct bench_work *work,
                                  uint32_t first, uint32_t num, uint64_t *samples)
{
    struct cli_timer *timer = &bench->timer;
    enum weir_result result = cli_timer_begin(timer);
    if (result != WEIR_OK) {
        return result;
    }
    for (uint32_t i = 0; i < num && result == WEIR_OK; i++) {
        record_barrier(timer->commands);
        if (bench->result->options->steady) {
            // The images are alike: without this, blocks would end where they equal the last ones.
            vkCmdFillBuffer(timer->commands, bench->past.buffer, 0, VK_WHOLE_SIZE, 0x01010101);
            record_barrier(timer->commands);
        }
        const uint32_t image = work->hot ? 0 : (first + i) % bench->images->num;
        if (work->kind == BENCH_WORK_PACK) {
            result = record_encode(bench, work, bench->images->images[image].weir);
            record_barrier(timer->commands);
        }
        cli_timer_start(timer, i);
        result = result == WEIR_OK ? record_work(bench, work, image) : result;
        cli_timer_stop(timer, i);
    }
    double ns[BENCH_MAX_BATCH];
    if (result == WEIR_OK) {
        result = cli_timer_run(timer, num, ns);
    }
    for (uint32_t i = 0; i < num && result == WEIR_OK; i++) {
        samples[i] = (uint64_t)ns[i];
    }
    return result;
}

// Repeat until the caches and clocks are those of a busy device. `*batch` becomes how many
// repetitions one submission holds.
static enum weir_result warm_up(struct bench *bench, const struct bench_work *work, uint32_t *batch)
{
    const uint64_t until = weir_clock_ns() +
                           (bench->result->options->quick ? quick_warm_up_ns : warm_up_ns);
    enum weir_result result = WEIR_OK;
    uint32_t image = 0;
    *batch = 1;
    do {
        const uint64_t start = weir_clock_ns();
        result = run_batch(bench, work, image, *batch, bench->samples);
        image += *batch;
        const double wanted = batch_ns * *batch / (double)(weir_clock_ns() - start + 1);
        *batch = wanted > BENCH_MAX_BATCH ? BENCH_MAX_BATCH : wanted < 1 ? 1 : (uint32_t)wanted;
    } while (result == WEIR_OK && weir_clock_ns() < until);
    return result;
}

enum weir_result bench_work_measure(struct bench *bench, const struct bench_work *work,
                                    struct bench_times *times)
{
    const struct bench_options *options = bench->result->options;
    const uint32_t least = options->quick ? MIN_SAMPLES_QUICK : MIN_SAMPLES;
    const uint64_t wanted_ns = options->milliseconds * 1000000 / 10;
    uint32_t batch, num = 0, image = 0;
    enum weir_result result = warm_up(bench, work, &batch);
    const uint64_t start = weir_clock_ns();
    while (result == WEIR_OK && num + batch <= BENCH_MAX_SAMPLES &&
           (num == 0 || weir_clock_ns() - start < (num < least ? PATIENCE : 1) * wanted_ns)) {
        result = run_batch(bench, work, image, batch, bench->samples + num);
        num += batch;
        image += batch;
    }
    if (result == WEIR_OK) {
        *times = bench_times_of(bench->samples, num);
    }
    return result;
}
