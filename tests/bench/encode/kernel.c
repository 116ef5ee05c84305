// SPDX-License-Identifier: MIT
// What is timed for pictures of one size: the encode kernels, the floors and a plain copy.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>

#include "capture/base/size.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/gpu/barrier.h"
#include "capture/weir/gpu/commands.h"
#include "tests/bench/encode/work.h"

const uint32_t bench_block_sizes[BENCH_NUM_BLOCK_SIZES] = {8, 16};

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
        struct bench_work work = {.kind = BENCH_WORK_FLOOR, .floor_shape = i};
        struct bench_times cold = {0}, hot = {0};
        result = bench_work_measure(bench, &work, &cold);
        work.hot = true;
        if (result == WEIR_OK) {
            result = bench_work_measure(bench, &work, &hot);
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

static enum weir_result measure_kernel(struct bench *bench, struct bench_work work,
                                       struct bench_kernel *kernel)
{
    enum weir_result result = bench_work_measure(bench, &work, &kernel->cold);
    work.hot = true;
    return result == WEIR_OK ? bench_work_measure(bench, &work, &kernel->hot) : result;
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
static enum weir_result measure_pack(struct bench *bench, struct bench_work work,
                                     uint32_t block_size, struct bench_kernel *kernel,
                                     double *percent)
{
    struct bench_pack pack;
    const uint64_t size = blocks_size(bench->images, block_size);
    enum weir_result result = bench_pack_init(&pack, bench->gpu, size, block_size);
    if (result == WEIR_OK) {
        *kernel = (struct bench_kernel){.name = "pack"};
        work.kind = BENCH_WORK_PACK;
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
                                      struct bench_work work, struct bench_kernel *proxy,
                                      struct bench_kernel *apart)
{
    const double written = 4.0 * bench->proxy.image.width * bench->proxy.image.height;
    const double bytes = encode_bytes(bench->images, row->info->block_size) + written;
    *proxy = (struct bench_kernel){.name = "proxy", .bytes = bytes};
    *apart = (struct bench_kernel){.name = "apart", .bytes = bytes + image_bytes(bench->images)};
    work.kind = BENCH_WORK_APART;
    enum weir_result result = measure_kernel(bench, work, apart);
    if (result == WEIR_OK) {
        work.kind = BENCH_WORK_ENCODE;
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
        const struct bench_work work = {
            .kind = BENCH_WORK_ENCODE, .encoder = coder->encoder, .rdo = coder->rdo};
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
        result = measure_kernel(bench, (struct bench_work){.kind = BENCH_WORK_COPY}, copy);
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
        result = cli_timer_init(&bench->timer, gpu, BENCH_MAX_BATCH);
    }
    const uint32_t level = (uint32_t)bench->result->options->proxy;
    return result == WEIR_OK && level > 0 && images->source == BENCH_CODES
               ? bench_proxy_init(&bench->proxy, gpu, level, images, bench->timer.commands)
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
