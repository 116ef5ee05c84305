// SPDX-License-Identifier: MIT
// What is timed for pictures of one size: the encode kernels, the floors and a plain copy. Work is
// repeated until its times are those of a busy device.
#include <string.h>

#include <weir/snappy.h>

#include "capture/base/clock.h"
#include "capture/base/size.h"
#include "capture/movie/hap.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "tests/bench/encode/encode.h"
#include "tests/bench/timing.h"

enum {
    MAX_BATCH = 32, // repetitions of a submission
    MIN_SAMPLES = 20,
    MIN_SAMPLES_QUICK = 3,
    PATIENCE = 4, // to have these, a measurement takes so many times as long as it should
    MOST_CHUNKS = 16,
};
static const uint64_t warm_up_ns = 100000000, quick_warm_up_ns = 1000000;
// Of one submission: well under a driver's watchdog.
static const double batch_ns = 50e6;
static const uint32_t block_sizes[] = {8, 16};

// The work that one repetition records.
struct work {
    enum { FLOOR, ENCODE, APART, PACK, COPY } type;
    uint32_t floor_shape;
    const weir_encoder *encoder;
    const weir_rdo *rdo; // NULL: the blocks stay
};

struct bench {
    struct cli_gpu *gpu;
    const struct bench_result *result;
    enum bench_source source;
    const struct bench_images *images;
    struct bench_size *size;
    struct bench_buffer blocks, past; // of a frame, and of the frame before
    struct bench_buffer control;      // what optimisers have of lambda, and say of a frame
    struct bench_buffer packed;       // what Snappy makes of the blocks, in host memory
    weir_snappy *snappy;
    struct cli_image snapshot; // of the plain copy
    struct bench_image_kernel floor, proxy;
    struct bench_measured floors[2]; // of blocks of 8 bytes and of 16
    struct cli_timer timer;
    struct bench_samples samples;
    struct work work;
    int cache;             // cold: each repetition takes the next image; hot: always the first
    uint32_t images_taken; // by cold repetitions
};

static uint32_t image_of(const struct bench *bench)
{
    return bench->cache == BENCH_HOT ? 0 : bench->images_taken % bench->images->num;
}

static enum weir_result record_encode(const struct bench *bench, VkCommandBuffer commands,
                                      uint32_t image)
{
    const weir_image *source = bench->images->images[image].weir;
    WEIR_TRY(weir_cmd_encode(bench->work.encoder, commands,
                             &(struct weir_encode){.source = source,
                                                   .buffer = bench->blocks.weir,
                                                   .history = bench->past.weir,
                                                   .proxy = bench->proxy.proxy.weir}));
    if (!bench->work.rdo) {
        return WEIR_OK;
    }
    return weir_cmd_rdo(
        bench->work.rdo, commands,
        &(struct weir_rdo_run){.source = source,
                               .buffer = bench->blocks.weir,
                               .history = bench->past.weir,
                               .history_offset = weir_buffer_get_params(bench->blocks.weir).size,
                               .control = bench->control.weir});
}

// One repetition at a time: what runs next waits for what ran before.
static enum weir_result before(void *user, VkCommandBuffer commands)
{
    const struct bench *bench = user;
    bench_barrier(commands, BENCH_DEVICE_STAGES);
    if (bench->past.weir) {
        // The images are alike: without this, blocks would end where they equal the last ones.
        vkCmdFillBuffer(commands, bench->past.memory.buffer, 0, VK_WHOLE_SIZE, 0x01010101);
        bench_barrier(commands, BENCH_DEVICE_STAGES);
    }
    if (bench->work.type == PACK) {
        WEIR_TRY(record_encode(bench, commands, image_of(bench)));
        bench_barrier(commands, BENCH_DEVICE_STAGES);
    }
    return WEIR_OK;
}

static enum weir_result record(void *user, VkCommandBuffer commands)
{
    struct bench *bench = user;
    const uint32_t image = image_of(bench);
    bench->images_taken++;
    switch (bench->work.type) {
    case FLOOR:
        bench_floor_record(&bench->floor, bench->work.floor_shape, image, commands);
        break;
    case APART:
        bench_proxy_record(&bench->proxy, image, commands);
        return record_encode(bench, commands, image);
    case ENCODE:
        return record_encode(bench, commands, image);
    case PACK:
        return weir_cmd_snappy(bench->snappy, commands,
                               &(struct weir_snappy_run){.source = bench->blocks.weir,
                                                         .destination = bench->packed.weir});
    case COPY:
        bench_copy(commands, &bench->images->images[image].gpu.params, &bench->snapshot.gpu.params);
        break;
    }
    return WEIR_OK;
}

static enum weir_result run_batch(struct bench *bench, uint32_t num)
{
    const struct bench_part part = {.before = before, .record = record, .user = bench};
    return bench_submit(&bench->timer, &part, num, 1, &bench->samples);
}

// Repeat until the caches and clocks are those of a busy device. `*batch` becomes how many
// repetitions one submission holds.
static enum weir_result warm_up(struct bench *bench, uint32_t *batch)
{
    const uint64_t until = weir_clock_ns() +
                           (bench->result->options->quick ? quick_warm_up_ns : warm_up_ns);
    *batch = 1;
    do {
        const uint64_t start = weir_clock_ns();
        WEIR_TRY(run_batch(bench, *batch));
        bench->samples.num = 0;
        const double wanted = batch_ns * *batch / (double)(weir_clock_ns() - start + 1);
        *batch = wanted > MAX_BATCH ? MAX_BATCH : wanted < 1 ? 1 : (uint32_t)wanted;
    } while (weir_clock_ns() < until);
    return WEIR_OK;
}

static enum weir_result measure_work(struct bench *bench, struct bench_times *times)
{
    const struct bench_options *options = bench->result->options;
    const uint32_t least = options->quick ? MIN_SAMPLES_QUICK : MIN_SAMPLES;
    const uint64_t wanted_ns = options->milliseconds * 1000000 / 10;
    uint32_t batch;
    WEIR_TRY(warm_up(bench, &batch));
    const uint64_t start = weir_clock_ns();
    const struct bench_samples *samples = &bench->samples;
    while (samples->num + batch <= BENCH_MAX_SAMPLES &&
           (samples->num == 0 ||
            weir_clock_ns() - start < (samples->num < least ? PATIENCE : 1) * wanted_ns)) {
        WEIR_TRY(run_batch(bench, batch));
    }
    *times = bench_samples_take(&bench->samples);
    return WEIR_OK;
}

static enum weir_result measure_both(struct bench *bench, struct work work,
                                     struct bench_measured *measured)
{
    bench->work = work;
    for (bench->cache = BENCH_COLD; bench->cache <= BENCH_HOT; bench->cache++) {
        WEIR_TRY(measure_work(bench, &measured->times[bench->cache]));
    }
    return WEIR_OK;
}

static double image_bytes(const struct bench *bench)
{
    return (double)bench->images->format->texel_size * bench->size->width * bench->size->height;
}

static uint64_t blocks_size(const struct bench *bench, uint32_t block_size)
{
    return weir_divide_up(bench->size->width, 4) * weir_divide_up(bench->size->height, 4) *
           block_size;
}

// A figure that reads the image and writes blocks; 0: none.
static struct bench_figure figure_of(const struct bench *bench, const char *name,
                                     const struct bench_row *row, uint32_t block_size)
{
    return (struct bench_figure){
        .name = name,
        .row = row,
        .block_size = block_size,
        .bytes = image_bytes(bench) + (double)blocks_size(bench, block_size),
    };
}

// Held against the floor of its blocks; a copy, against that of the smaller ones.
static void put(const struct bench *bench, const struct bench_figure *figure)
{
    const int larger = figure->block_size == 16 || bench->floors[0].times[BENCH_HOT].num == 0;
    bench_figure_put(bench->size, figure, bench->images->format->texel_size,
                     &bench->floors[larger]);
}

static void show_step(const struct bench *bench, uint32_t step, const char *what)
{
    char text[128];
    snprintf(text, sizeof(text), "%ux%u: %s", bench->size->width, bench->size->height, what);
    cli_progress_step(bench->result->progress, step, bench->result->num_rows, text);
}

// The fastest way to read the image and write the blocks; and that of those in which each
// invocation reads its own block, as an encoder needs it.
static enum weir_result measure_floor(struct bench *bench, uint32_t block_size)
{
    show_step(bench, 0, "floor");
    struct bench_figure floor = figure_of(bench, "floor", NULL, block_size);
    struct bench_figure blocks = figure_of(bench, "blocks", NULL, block_size);
    WEIR_TRY(bench_floor_init(&bench->floor, bench->gpu, bench->images, bench->blocks.memory.buffer,
                              block_size));
    for (uint32_t i = 0; i < BENCH_NUM_FLOOR_SHAPES && !cli_interrupted(); i++) {
        const struct bench_floor_shape *shape = &bench_floor_shapes[i];
        struct bench_measured measured;
        char name[48];
        snprintf(name, sizeof(name), "%ux%u blocks, %s %s", shape->width, shape->height,
                 shape->gathers != 0 ? "gathered" : "read",
                 shape->rows != 0 ? "in rows" : "block by block");
        WEIR_TRY(measure_both(bench, (struct work){.type = FLOOR, .floor_shape = i}, &measured));
        for (int cache = BENCH_COLD; cache <= BENCH_HOT; cache++) {
            bench_keep_fastest(&floor.measured, cache, &measured.times[cache], name);
            if (shape->rows == 0 && shape->gathers == 0) {
                bench_keep_fastest(&blocks.measured, cache, &measured.times[cache], name);
            }
        }
    }
    bench_image_kernel_finish(&bench->floor);
    bench->floors[block_size == 16] = floor.measured;
    put(bench, &floor);
    put(bench, &blocks);
    return WEIR_OK;
}

// A row's encoder as it writes a proxy, and beside a kernel that does.
static enum weir_result measure_proxy(struct bench *bench, const struct bench_row *row,
                                      struct work work)
{
    const double written = 4.0 * bench->proxy.proxy.gpu.params.width *
                           bench->proxy.proxy.gpu.params.height;
    struct bench_figure proxy = figure_of(bench, "proxy", row, row->info->block_size);
    struct bench_figure apart = figure_of(bench, "apart", row, row->info->block_size);
    proxy.bytes += written;
    apart.bytes += written + image_bytes(bench);
    work.type = APART;
    WEIR_TRY(measure_both(bench, work, &apart.measured));
    work.type = ENCODE;
    work.encoder = row->proxy.encoder;
    WEIR_TRY(measure_both(bench, work, &proxy.measured));
    put(bench, &proxy);
    put(bench, &apart);
    return WEIR_OK;
}

// Snappy of a row's blocks, into memory of the host.
static enum weir_result measure_pack(struct bench *bench, const struct bench_row *row,
                                     struct work work)
{
    const uint64_t size = blocks_size(bench, row->info->block_size);
    const uint32_t num_chunks = weir_hap_num_chunks(size / row->info->block_size, MOST_CHUNKS);
    struct bench_figure pack = figure_of(bench, "pack", row, row->info->block_size);
    work.type = PACK;
    WEIR_TRY(weir_snappy_create(bench->gpu->context,
                                weir_snappy_params(.size = size, .num_chunks = num_chunks),
                                &bench->snappy));
    WEIR_TRY(bench_buffer_init(bench->gpu, weir_snappy_destination_size(size, num_chunks), true,
                               &bench->packed));
    WEIR_TRY(measure_both(bench, work, &pack.measured));
    const uint32_t *sizes = (const uint32_t *)(const void *)bench->packed.memory.mapped;
    double left = 0;
    for (uint32_t i = 0; i < num_chunks; i++) {
        left += sizes[i];
    }
    pack.bytes = (double)size + left;
    pack.packed = 100 * left / (double)size;
    put(bench, &pack);
    weir_snappy_destroy(&bench->snappy);
    bench_buffer_finish(bench->gpu, &bench->packed);
    return WEIR_OK;
}

static enum weir_result measure_row(struct bench *bench, const struct bench_row *row)
{
    const struct cli_coder *coder = row->timed.encoder ? &row->timed : &row->coder;
    const struct work work = {.type = ENCODE, .encoder = coder->encoder, .rdo = coder->rdo};
    struct bench_figure encode = figure_of(bench, "encode", row, row->info->block_size);
    if (row->is_steady) { // the history is read and written
        encode.bytes += 2 * (double)blocks_size(bench, row->info->block_size);
    }
    WEIR_TRY(measure_both(bench, work, &encode.measured));
    put(bench, &encode);
    if (row->proxy.encoder) {
        WEIR_TRY(measure_proxy(bench, row, work));
    }
    return bench->result->options->snappy ? measure_pack(bench, row, work) : WEIR_OK;
}

static enum weir_result measure_copy(struct bench *bench)
{
    struct bench_figure copy = figure_of(bench, "copy", NULL, 0);
    copy.bytes *= 2;
    WEIR_TRY(bench_copy_change(bench->gpu, bench->images, &bench->snapshot, false));
    WEIR_TRY(measure_both(bench, (struct work){.type = COPY}, &copy.measured));
    put(bench, &copy);
    return bench_copy_change(bench->gpu, bench->images, &bench->snapshot, true);
}

static enum weir_result make_objects(struct bench *bench)
{
    const struct bench_options *options = bench->result->options;
    const struct bench_images *images = bench->images;
    // Room for the larger of the blocks, and for both histories: of encoders, then of optimisers.
    const uint64_t size = blocks_size(bench,
                                      bench_rows_have(bench->result, bench->source, 16) ? 16 : 8);
    WEIR_TRY(bench_buffer_init(bench->gpu, size, false, &bench->blocks));
    if (options->steady) {
        WEIR_TRY(bench_buffer_init(bench->gpu, 2 * size, false, &bench->past));
    }
    if (options->quality > 0) { // as a capture has it, in memory of the host's
        const struct weir_rdo_control head = {.lambda = weir_rdo_lambda((double)options->quality)};
        WEIR_TRY(bench_buffer_init(bench->gpu,
                                   weir_rdo_control_size(bench->size->width, bench->size->height),
                                   true, &bench->control));
        memcpy(bench->control.memory.mapped, &head, sizeof(head));
    }
    if (options->proxy > 0 && bench->source == BENCH_CODES) {
        WEIR_TRY(bench_proxy_init(&bench->proxy, bench->gpu, images, (uint32_t)options->proxy));
    }
    WEIR_TRY(cli_image_init(bench->gpu,
                            weir_image_params(.format = images->params.format,
                                              .width = images->params.width,
                                              .height = images->params.height),
                            &bench->snapshot));
    cli_timer_init(&bench->timer, bench->gpu, MAX_BATCH);
    return WEIR_OK;
}

static enum weir_result measure(struct bench *bench)
{
    const struct bench_result *result = bench->result;
    const enum bench_source source = bench->source;
    WEIR_TRY(make_objects(bench));
    for (size_t i = 0; i < BENCH_COUNT(block_sizes) && !cli_interrupted(); i++) {
        if (bench_rows_have(result, source, block_sizes[i])) {
            WEIR_TRY(measure_floor(bench, block_sizes[i]));
        }
    }
    for (uint32_t i = 0; i < result->num_rows && !cli_interrupted(); i++) {
        const struct bench_row *row = &result->rows[i];
        char text[64];
        if (row->coder.encoder && row->source == source) {
            show_step(bench, i + 1, bench_row_text(row, text, sizeof(text)));
            WEIR_TRY(measure_row(bench, row));
        }
    }
    return cli_interrupted() ? WEIR_OK : measure_copy(bench);
}

enum weir_result bench_figures_measure(struct cli_gpu *gpu, const struct bench_result *result,
                                       enum bench_source source, const struct bench_images *images,
                                       struct bench_size *size)
{
    static struct bench only; // whose samples are many for a stack
    struct bench *bench = &only;
    *bench = (struct bench){
        .gpu = gpu, .result = result, .source = source, .images = images, .size = size};
    const enum weir_result status = measure(bench);
    weir_snappy_destroy(&bench->snappy);
    bench_image_kernel_finish(&bench->floor);
    bench_image_kernel_finish(&bench->proxy);
    cli_timer_finish(&bench->timer);
    cli_image_finish(gpu, &bench->snapshot);
    bench_buffer_finish(bench->gpu, &bench->packed);
    bench_buffer_finish(bench->gpu, &bench->control);
    bench_buffer_finish(bench->gpu, &bench->past);
    bench_buffer_finish(bench->gpu, &bench->blocks);
    return status;
}
