// SPDX-License-Identifier: MIT
// GPU times of the encode kernels, of the floors and of a plain copy, from timestamps.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>

#include "capture/base/clock.h"
#include "capture/base/size.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/gpu/barrier.h"
#include "capture/weir/gpu/commands.h"
#include "capture/weir/gpu/timer.h"
#include "tests/bench/encode/encode.h"
#include "tests/bench/encode/floor.h"
#include "tests/bench/encode/pack.h"
#include "tests/bench/encode/proxy.h"

enum { MAX_BATCH = 32, MAX_SAMPLES = 4096, MIN_SAMPLES = 20, MIN_SAMPLES_QUICK = 3 };
static const uint64_t warm_up_ns = 100000000, quick_warm_up_ns = 1000000;
// Of one submission: well under a driver's watchdog.
static const double batch_ns = 50e6;
// To have the least of samples, a measurement takes so many times as long as it should, and no
// more.
enum { PATIENCE = 4 };

const uint32_t bench_block_sizes[BENCH_NUM_BLOCK_SIZES] = {8, 16};

struct bench {
    struct cli_gpu *gpu;
    const struct bench_result *result;
    const struct bench_images *images;
    struct cli_buffer blocks, past; // of a frame, and of the frame before
    struct cli_buffer shared;       // what optimisers have of lambda, and say of a frame
    weir_buffer *buffer, *history, *control;
    struct cli_image snapshot; // of the plain copy
    struct bench_floor floor;
    struct bench_proxy proxy; // with --proxy
    struct cli_timer timer;
    uint64_t samples[MAX_SAMPLES]; // [ns]
};

// The work that one repetition records.
struct work {
    enum { WORK_FLOOR, WORK_ENCODE, WORK_APART, WORK_PACK, WORK_COPY } kind;
    uint32_t floor_shape;
    const weir_encoder *encoder;
    const weir_rdo *rdo;           // NULL: the blocks stay
    const struct bench_pack *pack; // what WORK_PACK times, behind the encoder
    bool hot;
};

static enum weir_result record_encode(struct bench *bench, const struct work *work,
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

static enum weir_result record_work(struct bench *bench, const struct work *work, uint32_t image)
{
    if (work->kind == WORK_FLOOR) {
        bench_floor_record(&bench->floor, work->floor_shape, image, bench->timer.commands);
    } else if (work->kind == WORK_ENCODE) {
        return record_encode(bench, work, bench->images->images[image].weir);
    } else if (work->kind == WORK_APART) {
        bench_proxy_record(&bench->proxy, image, bench->timer.commands);
        return record_encode(bench, work, bench->images->images[image].weir);
    } else if (work->kind == WORK_PACK) {
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
static enum weir_result run_batch(struct bench *bench, const struct work *work, uint32_t first,
                                  uint32_t num, uint64_t *samples)
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
        if (work->kind == WORK_PACK) {
            result = record_encode(bench, work, bench->images->images[image].weir);
            record_barrier(timer->commands);
        }
        cli_timer_start(timer, i);
        result = result == WEIR_OK ? record_work(bench, work, image) : result;
        cli_timer_stop(timer, i);
    }
    double ns[MAX_BATCH];
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
static enum weir_result warm_up(struct bench *bench, const struct work *work, uint32_t *batch)
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
        *batch = wanted > MAX_BATCH ? MAX_BATCH : wanted < 1 ? 1 : (uint32_t)wanted;
    } while (result == WEIR_OK && weir_clock_ns() < until);
    return result;
}

static enum weir_result measure(struct bench *bench, const struct work *work,
                                struct bench_times *times)
{
    const struct bench_options *options = bench->result->options;
    const uint32_t least = options->quick ? MIN_SAMPLES_QUICK : MIN_SAMPLES;
    const uint64_t wanted_ns = options->milliseconds * 1000000 / 10;
    uint32_t batch, num = 0, image = 0;
    enum weir_result result = warm_up(bench, work, &batch);
    const uint64_t start = weir_clock_ns();
    while (result == WEIR_OK && num + batch <= MAX_SAMPLES &&
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

// The copy reads the images as a transfer does; `back` gives them back to the kernels.
static enum weir_result change_layouts(struct bench *bench, bool back)
{
    const VkPipelineStageFlags compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const struct cli_image_scope kernels = {compute, VK_ACCESS_SHADER_READ_BIT,
                                            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const struct cli_image_scope copies = {transfer, VK_ACCESS_TRANSFER_READ_BIT,
                                           VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
    const struct cli_image_scope unused = {compute, 0, VK_IMAGE_LAYOUT_UNDEFINED};
    const struct cli_image_scope filled = {transfer, VK_ACCESS_TRANSFER_WRITE_BIT,
                                           VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
    struct cli_image_scope before = back ? copies : kernels;
    before.access = 0; // neither writes the images
    enum weir_result result = cli_commands_begin(bench->timer.commands);
    if (result != WEIR_OK) {
        return result;
    }
    for (uint32_t i = 0; i < bench->images->num; i++) {
        cli_cmd_image_barrier(bench->timer.commands, bench->images->images[i].image, before,
                              back ? kernels : copies);
    }
    if (!back) {
        cli_cmd_image_barrier(bench->timer.commands, bench->snapshot.image, unused, filled);
    }
    return cli_commands_run(bench->gpu, bench->timer.commands);
}

// Keep the faster of what was measured so far and of one form of the floor kernel.
static void keep_faster(struct bench_kernel *kernel, const struct bench_floor_shape *shape,
                        const struct bench_times *cold, const struct bench_times *hot)
{
    if (kernel->cold.num == 0 || cold->median < kernel->cold.median) {
        kernel->cold = *cold;
        snprintf(kernel->form, sizeof(kernel->form), "%ux%u blocks a workgroup, %s %s",
                 shape->width, shape->height, shape->gathers != 0 ? "gathered" : "read",
                 shape->rows != 0 ? "in rows" : "block by block");
    }
    if (kernel->hot.num == 0 || hot->median < kernel->hot.median) {
        kernel->hot = *hot;
    }
}

static enum weir_result measure_floor(struct bench *bench, uint32_t block_size,
                                      struct bench_base *base)
{
    enum weir_result result = bench_floor_init(&bench->floor, bench->gpu, bench->images,
                                               bench->blocks.buffer, block_size);
    for (uint32_t i = 0; i < BENCH_NUM_FLOOR_SHAPES && result == WEIR_OK; i++) {
        const struct bench_floor_shape *shape = &bench_floor_shapes[i];
        struct work work = {.kind = WORK_FLOOR, .floor_shape = i};
        struct bench_times cold = {0}, hot = {0};
        result = measure(bench, &work, &cold);
        work.hot = true;
        if (result == WEIR_OK) {
            result = measure(bench, &work, &hot);
        }
        if (result != WEIR_OK) {
            break;
        }
        keep_faster(&base->floor, shape, &cold, &hot);
        if (shape->rows == 0 && shape->gathers == 0) {
            keep_faster(&base->blocks, shape, &cold, &hot);
        }
    }
    bench_floor_finish(&bench->floor);
    return result;
}

static enum weir_result measure_kernel(struct bench *bench, struct work work,
                                       struct bench_kernel *kernel)
{
    enum weir_result result = measure(bench, &work, &kernel->cold);
    work.hot = true;
    return result == WEIR_OK ? measure(bench, &work, &kernel->hot) : result;
}

static double image_bytes(const struct bench_images *images)
{
    return (double)cli_texel_size(bench_source_format(images->source)) * images->width *
           images->height;
}

static uint64_t blocks_size(const struct bench_images *images, uint32_t block_size)
{
    return weir_divide_up(images->width, 4) * weir_divide_up(images->height, 4) * block_size;
}

static double encode_bytes(const struct bench_images *images, uint32_t block_size)
{
    return image_bytes(images) + (double)blocks_size(images, block_size);
}

const struct bench_base *bench_base_of(const struct bench_size *size, const struct bench_row *row)
{
    const struct bench_base *bases = size->bases[row->source];
    return &bases[row->info->block_size == bench_block_sizes[0] ? 0 : 1];
}

const struct bench_kernel *bench_copy_floor(const struct bench_size *size, enum bench_source source)
{
    const struct bench_base *bases = size->bases[source];
    return bases[0].floor.cold.num != 0 ? &bases[0].floor : &bases[1].floor;
}

static void show_step(const struct bench *bench, uint32_t step, const char *what)
{
    char text[128];
    snprintf(text, sizeof(text), "%ux%u: %s", bench->images->width, bench->images->height, what);
    cli_progress_step(bench->result->progress, step, bench->result->num_rows, text);
}

static enum weir_result measure_bases(struct bench *bench, struct bench_size *size)
{
    enum weir_result result = WEIR_OK;
    for (int i = 0; i < BENCH_NUM_BLOCK_SIZES && result == WEIR_OK; i++) {
        const uint32_t block_size = bench_block_sizes[i];
        if (!bench_rows_have(bench->result, bench->images->source, block_size)) {
            continue;
        }
        struct bench_base *base = &size->bases[bench->images->source][i];
        const double bytes = encode_bytes(bench->images, block_size);
        *base = (struct bench_base){.floor = {.name = "floor", .bytes = bytes},
                                    .blocks = {.name = "blocks", .bytes = bytes}};
        show_step(bench, 0, "floor");
        result = measure_floor(bench, block_size, base);
    }
    return result;
}

// Time Snappy of a row's blocks.
static enum weir_result measure_pack(struct bench *bench, struct work work, uint32_t block_size,
                                     struct bench_kernel *kernel, double *percent)
{
    struct bench_pack pack;
    const uint64_t size = blocks_size(bench->images, block_size);
    enum weir_result result = bench_pack_init(&pack, bench->gpu, size, block_size);
    if (result == WEIR_OK) {
        *kernel = (struct bench_kernel){.name = "pack"};
        work.kind = WORK_PACK;
        work.pack = &pack;
        result = measure_kernel(bench, work, kernel);
    }
    if (result == WEIR_OK) {
        const double left = bench_pack_left(&pack);
        kernel->bytes = (double)size + left;
        *percent = 100 * left / (double)size;
    }
    bench_pack_finish(&pack, bench->gpu);
    return result;
}

// Time a row's encoder as it writes a proxy, and beside a kernel that does.
static enum weir_result measure_proxy(struct bench *bench, const struct bench_row *row,
                                      struct work work, struct bench_kernel *proxy,
                                      struct bench_kernel *apart)
{
    const double written = 4.0 * bench->proxy.image.width * bench->proxy.image.height;
    const double bytes = encode_bytes(bench->images, row->info->block_size) + written;
    *proxy = (struct bench_kernel){.name = "proxy", .bytes = bytes};
    *apart = (struct bench_kernel){.name = "apart", .bytes = bytes + image_bytes(bench->images)};
    work.kind = WORK_APART;
    enum weir_result result = measure_kernel(bench, work, apart);
    if (result == WEIR_OK) {
        work.kind = WORK_ENCODE;
        work.encoder = row->proxy.encoder;
        result = measure_kernel(bench, work, proxy);
    }
    return result;
}

static enum weir_result measure_rows(struct bench *bench, struct bench_size *size)
{
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < bench->result->num_rows && result == WEIR_OK; i++) {
        const struct bench_row *row = &bench->result->rows[i];
        if (!row->coder.encoder || row->source != bench->images->source || cli_interrupted()) {
            continue;
        }
        char text[64];
        show_step(bench, i + 1, bench_row_text(row, text, sizeof(text)));
        const uint32_t block_size = row->info->block_size;
        size->encodes[i] = (struct bench_kernel){.name = "encode",
                                                 .bytes = encode_bytes(bench->images, block_size)};
        if (row->is_steady) { // the history is read and written
            size->encodes[i].bytes += 2 * (double)blocks_size(bench->images, block_size);
        }
        const struct cli_coder *coder = row->timed.encoder ? &row->timed : &row->coder;
        const struct work work = {
            .kind = WORK_ENCODE, .encoder = coder->encoder, .rdo = coder->rdo};
        result = measure_kernel(bench, work, &size->encodes[i]);
        if (result == WEIR_OK && row->proxy.encoder) {
            result = measure_proxy(bench, row, work, &size->proxies[i], &size->aparts[i]);
        }
        if (result == WEIR_OK && bench->result->options->snappy) {
            result = measure_pack(bench, work, block_size, &size->packs[i], &size->packed[i]);
        }
    }
    return result;
}

static enum weir_result measure_copy(struct bench *bench, struct bench_size *size)
{
    struct bench_kernel *copy = &size->copies[bench->images->source];
    *copy = (struct bench_kernel){.name = "copy", .bytes = 2 * image_bytes(bench->images)};
    enum weir_result result = change_layouts(bench, false);
    if (result == WEIR_OK) {
        result = measure_kernel(bench, (struct work){.kind = WORK_COPY}, copy);
    }
    return result == WEIR_OK ? change_layouts(bench, true) : result;
}

static enum weir_result make_buffer(struct bench *bench, uint64_t size, bool mapped,
                                    struct cli_buffer *out, weir_buffer **wrapped)
{
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    const enum weir_result result = cli_buffer_init(bench->gpu, size, usage, mapped, out);
    return result == WEIR_OK
               ? weir_buffer_create(bench->gpu->context,
                                    weir_buffer_params(.buffer = out->buffer, .size = size),
                                    wrapped)
               : result;
}

// Room for the larger of the blocks, and for both histories: of encoders, then of optimisers.
static enum weir_result make_blocks(struct bench *bench)
{
    const struct bench_images *images = bench->images;
    const uint32_t largest = bench_block_sizes[BENCH_NUM_BLOCK_SIZES - 1];
    const uint32_t block_size = bench_rows_have(bench->result, images->source, largest)
                                    ? largest
                                    : bench_block_sizes[0];
    const uint64_t size = blocks_size(images, block_size);
    const enum weir_result result = make_buffer(bench, size, false, &bench->blocks, &bench->buffer);
    return result == WEIR_OK && bench->result->options->steady
               ? make_buffer(bench, 2 * size, false, &bench->past, &bench->history)
               : result;
}

// As a capture has it, in memory of the host's.
static enum weir_result make_control(struct bench *bench)
{
    const struct bench_images *images = bench->images;
    const struct weir_rdo_control head = {
        .lambda = weir_rdo_lambda((double)bench->result->options->quality)};
    if (bench->result->options->quality == 0) {
        return WEIR_OK;
    }
    const uint64_t size = weir_rdo_control_size(images->width, images->height);
    const enum weir_result result = make_buffer(bench, size, true, &bench->shared, &bench->control);
    if (result == WEIR_OK) {
        memcpy(bench->shared.mapped, &head, sizeof(head));
    }
    return result;
}

static enum weir_result make_objects(struct bench *bench)
{
    struct cli_gpu *gpu = bench->gpu;
    const struct bench_images *images = bench->images;
    enum weir_result result = make_blocks(bench);
    if (result == WEIR_OK) {
        result = make_control(bench);
    }
    if (result == WEIR_OK) {
        result = cli_image_init_as(gpu, bench_source_format(images->source), images->width,
                                   images->height, &bench->snapshot);
    }
    if (result == WEIR_OK) {
        result = cli_timer_init(&bench->timer, gpu, MAX_BATCH);
    }
    return result == WEIR_OK && bench->result->options->proxy && images->source == BENCH_CODES
               ? bench_proxy_init(&bench->proxy, gpu, images, bench->timer.commands)
               : result;
}

static void free_objects(struct bench *bench)
{
    struct cli_gpu *gpu = bench->gpu;
    bench_proxy_finish(&bench->proxy);
    cli_timer_finish(&bench->timer);
    cli_image_finish(gpu, &bench->snapshot);
    weir_buffer_destroy(&bench->control);
    cli_buffer_finish(gpu, &bench->shared);
    weir_buffer_destroy(&bench->history);
    cli_buffer_finish(gpu, &bench->past);
    weir_buffer_destroy(&bench->buffer);
    cli_buffer_finish(gpu, &bench->blocks);
}

enum weir_result bench_kernels_measure(struct cli_gpu *gpu, const struct bench_result *result,
                                       const struct bench_images *images, struct bench_size *size)
{
    if (gpu->timestamp_bits == 0) {
        cli_report_error("queue family %u of %s has no timestamps", gpu->queue.family,
                         gpu->properties.deviceName);
        return WEIR_ERROR_UNSUPPORTED;
    }
    struct bench *bench = calloc(1, sizeof(*bench));
    if (!bench) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    bench->gpu = gpu;
    bench->result = result;
    bench->images = images;
    enum weir_result status = make_objects(bench);
    if (status == WEIR_OK) {
        status = measure_bases(bench, size);
    }
    if (status == WEIR_OK) {
        status = measure_rows(bench, size);
    }
    if (status == WEIR_OK) {
        status = measure_copy(bench, size);
    }
    free_objects(bench);
    free(bench);
    return status;
}
