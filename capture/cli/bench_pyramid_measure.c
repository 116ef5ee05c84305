// SPDX-License-Identifier: MIT
// Times of the floor, of an empty dispatch and of every method, taken in turn.
#include <stdio.h>
#include <stdlib.h>

#include "capture/cli/bench_pyramid.h"
#include "capture/cli/bench_pyramid_floor.h"
#include "capture/cli/bench_pyramid_images.h"
#include "capture/cli/interrupt.h"
#include "capture/cli/report.h"
#include "capture/clock/clock.h"

static const uint64_t warm_up_ns = 100000000, host_warm_up_ns = 1;

enum kind { KIND_FLOOR, KIND_EMPTY, KIND_METHOD, KIND_APART };

// What one submission repeats.
struct entry {
    enum kind kind;
    uint32_t form; // of the floor
    struct bench_pyramid_row *row;
    weir_pyramid_target **targets; // one an image; APART: one a layer, all of one repetition
    uint32_t num_targets;
    struct weir_pyramid_run run; // the barrier that a use of the same image again needs
    uint32_t *samples[2];        // cold, hot [ns]
};
enum { max_entries = bench_pyramid_num_forms + bench_pyramid_max_rows };

struct bench {
    struct cli_gpu *gpu;
    const struct bench_pyramid_result *result;
    const struct bench_pyramid_methods *methods;
    struct bench_pyramid_size *size;
    struct bench_pyramid_images images;
    struct bench_pyramid_images apart; // as many images of one layer as those have layers
    struct bench_pyramid_sets sets, apart_sets;
    struct entry entries[max_entries];
    uint32_t num_entries;
    uint32_t next_image; // of cold repetitions
    VkQueryPool queries;
    VkCommandBuffer commands;
};

static void record_barrier(VkCommandBuffer commands)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static enum weir_result record(struct bench *bench, const struct entry *entry, bool hot)
{
    const uint32_t image = hot ? 0 : bench->next_image++ % bench->images.num;
    enum weir_result result = WEIR_OK;
    switch (entry->kind) {
    case KIND_FLOOR:
        record_barrier(bench->commands);
        bench_pyramid_record_floor(&bench->sets, entry->form, image, bench->commands);
        break;
    case KIND_EMPTY:
        record_barrier(bench->commands);
        bench_pyramid_record_empty(&bench->sets, bench->commands);
        break;
    case KIND_METHOD:
        result = weir_cmd_pyramid(entry->targets[image], bench->commands, &entry->run);
        break;
    case KIND_APART:
        for (uint32_t i = 0; i < entry->num_targets && result == WEIR_OK; i++)
            result = weir_cmd_pyramid(entry->targets[i], bench->commands,
                                      i == 0 ? &entry->run : NULL);
        break;
    }
    return result;
}

static enum weir_result read_timestamps(struct bench *bench, double *ns)
{
    const struct cli_gpu *gpu = bench->gpu;
    uint64_t ticks[2];
    const enum weir_result result = cli_gpu_check(
        vkGetQueryPoolResults(gpu->vk, bench->queries, 0, 2, sizeof ticks, ticks, sizeof ticks[0],
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
    if (result != WEIR_OK)
        return result;
    const uint64_t mask = gpu->timestamp_bits >= 64 ? UINT64_MAX
                                                    : ((uint64_t)1 << gpu->timestamp_bits) - 1;
    *ns = (double)((ticks[1] - ticks[0]) & mask) * (double)gpu->properties.limits.timestampPeriod;
    return WEIR_OK;
}

// Time one submission; `*sample` is what one of its repetitions takes [ns].
static enum weir_result run_submit(struct bench *bench, const struct entry *entry, bool hot,
                                   uint32_t *sample)
{
    const uint32_t repeats = (uint32_t)bench->result->options->repeats;
    const bool host_time = bench->result->host_time;
    enum weir_result result = cli_commands_begin(bench->commands);
    if (result != WEIR_OK)
        return result;
    if (!host_time) {
        vkCmdResetQueryPool(bench->commands, bench->queries, 0, 2);
        // At the bottom of the pipe both: the first is written when all before it has ended.
        vkCmdWriteTimestamp(bench->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, bench->queries,
                            0);
    }
    for (uint32_t i = 0; i < repeats && result == WEIR_OK; i++)
        result = record(bench, entry, hot);
    if (!host_time)
        vkCmdWriteTimestamp(bench->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, bench->queries,
                            1);
    struct weir_point done = {0};
    const uint64_t start = weir_clock_ns();
    if (result == WEIR_OK)
        result = cli_commands_submit(bench->gpu, bench->commands, &done);
    if (result == WEIR_OK)
        result = cli_gpu_wait(bench->gpu, done);
    double ns = (double)(weir_clock_ns() - start);
    if (result == WEIR_OK && !host_time)
        result = read_timestamps(bench, &ns);
    ns = ns / repeats + 0.5;
    *sample = ns < (double)UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
    return result;
}

// One submission of every entry, so that a clock that drifts hits all alike.
static enum weir_result run_round(struct bench *bench, bool hot, uint64_t round)
{
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < bench->num_entries && result == WEIR_OK; i++) {
        const struct entry *entry = &bench->entries[i];
        if (hot || entry->kind != KIND_APART)
            result = run_submit(bench, entry, hot, &entry->samples[hot][round]);
        if (result == WEIR_OK && cli_interrupted()) {
            cli_report_error("interrupted");
            result = WEIR_ERROR_IO;
        }
    }
    return result;
}

// Keep the fastest form of the floor; of everything else there is one.
static void keep(struct entry *entry, bool hot, uint64_t num)
{
    struct bench_pyramid_row *row = entry->row;
    struct bench_times *kept = hot ? &row->hot : &row->cold;
    if (!hot && entry->kind == KIND_APART)
        return;
    const struct bench_times times = bench_times_of(entry->samples[hot], num);
    if (kept->num != 0 && kept->median <= times.median)
        return;
    *kept = times;
    if (entry->kind != KIND_FLOOR)
        return;
    const struct bench_pyramid_form *form = &bench_pyramid_forms[entry->form];
    snprintf(row->forms[hot], sizeof row->forms[hot], "%ux%u of %ux%u taps%s", form->width,
             form->height, form->taps_x, form->taps_y, form->share != 0 ? ", shared" : "");
}

static enum weir_result measure_rounds(struct bench *bench, bool hot)
{
    const struct bench_pyramid_options *options = bench->result->options;
    const uint64_t warm = weir_clock_ns() +
                          (bench->result->host_time ? host_warm_up_ns : warm_up_ns);
    enum weir_result result = WEIR_OK;
    do
        result = run_round(bench, hot, 0);
    while (result == WEIR_OK && weir_clock_ns() < warm);
    for (uint64_t i = 0; i < options->submits && result == WEIR_OK; i++)
        result = run_round(bench, hot, i);
    return result;
}

static enum weir_result add_entry(struct bench *bench, const struct entry *from)
{
    struct entry *entry = &bench->entries[bench->num_entries++];
    *entry = *from;
    const size_t num = (size_t)bench->result->options->submits;
    for (int i = 0; i < 2; i++)
        if ((entry->samples[i] = calloc(num, sizeof(uint32_t))) == NULL)
            return WEIR_ERROR_OUT_OF_MEMORY;
    return WEIR_OK;
}

static struct bench_pyramid_row *add_row(struct bench *bench, const char *name, const char *more,
                                         uint32_t num_dispatches)
{
    struct bench_pyramid_row *row = &bench->size->rows[bench->size->num_rows++];
    *row = (struct bench_pyramid_row){.num_dispatches = num_dispatches};
    snprintf(row->name, sizeof row->name, "%s%s", name, more);
    return row;
}

// Targets on each of `images`, or why there are none in row->refused.
static enum weir_result make_targets(struct bench *bench, struct entry *entry,
                                     enum weir_pyramid_method method,
                                     const struct bench_pyramid_images *images)
{
    struct bench_pyramid_log *log = bench->methods->log;
    entry->targets = calloc(images->num, sizeof(weir_pyramid_target *));
    if (entry->targets == NULL)
        return WEIR_ERROR_OUT_OF_MEMORY;
    enum weir_result result = WEIR_OK;
    log->keep = true;
    log->text[0] = 0;
    for (uint32_t i = 0; i < images->num && result == WEIR_OK; i++) {
        result = weir_pyramid_target_create(
            bench->methods->pyramids[method],
            weir_pyramid_target_params(.images = &images->images[i], .width = images->width,
                                       .height = images->height, .layers = images->layers,
                                       .usage = images->usage, .flags = images->format->flags),
            &entry->targets[i]);
        entry->num_targets += result == WEIR_OK;
    }
    log->keep = false;
    if (result == WEIR_OK)
        return WEIR_OK;
    snprintf(entry->row->refused, sizeof entry->row->refused, "%s",
             log->text[0] != 0 ? log->text : weir_result_name(result));
    return result == WEIR_ERROR_UNSUPPORTED ? WEIR_OK : result;
}

static enum weir_result add_method(struct bench *bench, enum weir_pyramid_method method, bool apart)
{
    const weir_pyramid *pyramid = bench->methods->pyramids[method];
    struct entry entry = {.kind = apart ? KIND_APART : KIND_METHOD};
    entry.row = add_row(bench, weir_pyramid_method_name(method), apart ? ", one by one" : "", 0);
    if (pyramid == NULL) {
        snprintf(entry.row->refused, sizeof entry.row->refused, "%s",
                 bench->methods->refused[method]);
        return WEIR_OK;
    }
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(pyramid);
    entry.run = (struct weir_pyramid_run){.src_stages = scope.stages, .src_access = scope.writes};
    const enum weir_result result = make_targets(bench, &entry, method,
                                                 apart ? &bench->apart : &bench->images);
    if (result == WEIR_OK && entry.row->refused[0] == 0) {
        entry.row->num_dispatches = weir_pyramid_target_num_dispatches(entry.targets[0]) *
                                    (apart ? entry.num_targets : 1);
        return add_entry(bench, &entry);
    }
    if (result != WEIR_OK)
        cli_report_error("%s, %ux%u: %s", entry.row->name, bench->size->width, bench->size->height,
                         entry.row->refused);
    for (uint32_t i = 0; i < entry.num_targets; i++)
        weir_pyramid_target_destroy(&entry.targets[i]);
    free(entry.targets);
    return result;
}

static enum weir_result add_entries(struct bench *bench)
{
    struct bench_pyramid_row *floor = add_row(bench, "floor", "", 1);
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < bench_pyramid_num_forms && result == WEIR_OK; i++)
        result = add_entry(bench, &(struct entry){.kind = KIND_FLOOR, .form = i, .row = floor});
    struct bench_pyramid_row *empty = add_row(bench, "empty", "", 1);
    if (result == WEIR_OK)
        result = add_entry(bench, &(struct entry){.kind = KIND_EMPTY, .row = empty});
    enum weir_pyramid_method first = WEIR_PYRAMID_AUTO;
    for (int i = WEIR_PYRAMID_AUTO + 1; i < WEIR_PYRAMID_NUM_METHODS && result == WEIR_OK; i++) {
        if (!bench->result->methods[i])
            continue;
        if (first == WEIR_PYRAMID_AUTO && bench->methods->pyramids[i] != NULL)
            first = (enum weir_pyramid_method)i;
        result = add_method(bench, (enum weir_pyramid_method)i, false);
    }
    if (result == WEIR_OK && bench->apart.num > 0 && first != WEIR_PYRAMID_AUTO)
        result = add_method(bench, first, true);
    return result;
}

static enum weir_result fill(struct bench *bench, const struct bench_pyramid_sets *sets)
{
    enum weir_result result = cli_commands_begin(bench->commands);
    if (result != WEIR_OK)
        return result;
    bench_pyramid_record_fill(sets, bench->commands);
    struct weir_point done = {0};
    result = cli_commands_submit(bench->gpu, bench->commands, &done);
    return result == WEIR_OK ? cli_gpu_wait(bench->gpu, done) : result;
}

// `images`, `num` or fewer of `layers` layers each, filled.
static enum weir_result make_images(struct bench *bench,
                                    const struct bench_pyramid_kernels *kernels, uint32_t layers,
                                    uint32_t least, uint32_t num,
                                    struct bench_pyramid_images *images,
                                    struct bench_pyramid_sets *sets)
{
    struct bench_pyramid_size *size = bench->size;
    VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    for (int i = 0; i < WEIR_PYRAMID_NUM_METHODS; i++)
        if (bench->methods->pyramids[i] != NULL)
            usage |= weir_pyramid_get_scope(bench->methods->pyramids[i]).usage;
    *images = (struct bench_pyramid_images){
        .gpu = bench->gpu,
        .format = bench->result->format,
        .width = size->width,
        .height = size->height,
        .layers = layers,
        .levels = size->levels,
        .usage = usage,
    };
    enum weir_result result = bench_pyramid_images_init(images, least, num, size->skipped,
                                                        sizeof size->skipped);
    if (result != WEIR_OK || images->num == 0)
        return result;
    result = bench_pyramid_sets_init(sets, kernels, images);
    return result == WEIR_OK ? fill(bench, sets) : result;
}

static enum weir_result make_objects(struct bench *bench,
                                     const struct bench_pyramid_kernels *kernels)
{
    struct bench_pyramid_size *size = bench->size;
    struct cli_gpu *gpu = bench->gpu;
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 2,
    };
    enum weir_result result = cli_commands_allocate(gpu, &bench->commands);
    if (result == WEIR_OK && !bench->result->host_time)
        result = cli_gpu_check(vkCreateQueryPool(gpu->vk, &queries, NULL, &bench->queries),
                               "vkCreateQueryPool");
    const uint32_t wanted = bench->result->options->no_cold
                                ? 1
                                : bench_pyramid_images_rotation(size->bytes);
    if (result == WEIR_OK)
        result = make_images(bench, kernels, size->layers, 1, wanted, &bench->images, &bench->sets);
    size->num_images = bench->images.num;
    size->image_size = (double)bench->images.image_size;
    if (result == WEIR_OK && size->num_images > 0 && size->layers > 1)
        result = make_images(bench, kernels, 1, size->layers, size->layers, &bench->apart,
                             &bench->apart_sets);
    return result;
}

static void free_objects(struct bench *bench)
{
    for (uint32_t i = 0; i < bench->num_entries; i++) {
        struct entry *entry = &bench->entries[i];
        for (uint32_t j = 0; j < entry->num_targets; j++)
            weir_pyramid_target_destroy(&entry->targets[j]);
        free(entry->targets);
        free(entry->samples[0]);
        free(entry->samples[1]);
    }
    bench_pyramid_sets_finish(&bench->apart_sets);
    bench_pyramid_sets_finish(&bench->sets);
    bench_pyramid_images_finish(&bench->apart);
    bench_pyramid_images_finish(&bench->images);
    vkDestroyQueryPool(bench->gpu->vk, bench->queries, NULL);
    if (bench->commands != VK_NULL_HANDLE)
        vkFreeCommandBuffers(bench->gpu->vk, bench->gpu->pool, 1, &bench->commands);
}

enum weir_result bench_pyramid_measure(struct cli_gpu *gpu,
                                       const struct bench_pyramid_result *result,
                                       const struct bench_pyramid_methods *methods,
                                       const struct bench_pyramid_kernels *kernels,
                                       struct bench_pyramid_size *size)
{
    struct bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL)
        return WEIR_ERROR_OUT_OF_MEMORY;
    *bench = (struct bench){.gpu = gpu, .result = result, .methods = methods, .size = size};
    enum weir_result status = make_objects(bench, kernels);
    if (status == WEIR_OK && size->num_images > 0)
        status = add_entries(bench);
    for (int hot = 1; hot >= 0 && status == WEIR_OK && size->num_images > 0; hot--) {
        if (hot == 0 && size->num_images == 1)
            break;
        status = measure_rounds(bench, hot != 0);
        for (uint32_t i = 0; i < bench->num_entries && status == WEIR_OK; i++)
            keep(&bench->entries[i], hot != 0, result->options->submits);
    }
    free_objects(bench);
    free(bench);
    return status;
}
