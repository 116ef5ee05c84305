// SPDX-License-Identifier: MIT
// GPU times of the encode kernel, of the floor and of a plain copy, from timestamps.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>

#include "capture/cli/bench.h"
#include "capture/cli/bench_floor.h"
#include "capture/cli/report.h"
#include "capture/clock/clock.h"

enum { max_batch = 32, max_samples = 4096, min_samples = 20, min_samples_quick = 3 };
static const uint64_t warm_up_ns = 100000000, quick_warm_up_ns = 1000000;
// Of one submission: well under a driver's watchdog.
static const double batch_ns = 50e6;

struct bench {
    struct cli_gpu *gpu;
    const struct bench_options *options;
    const struct bench_images *images;
    weir_encoder *encoder;
    struct cli_buffer blocks;
    weir_buffer *target;
    struct cli_image snapshot; // of the plain copy
    struct bench_floor floor;
    VkQueryPool queries;
    VkCommandBuffer commands;
    uint32_t samples[max_samples]; // [ns]
};

// What one repetition records.
struct work {
    enum bench_kernel_index kernel;
    uint32_t floor_shape;
    bool hot;
};

static enum weir_result record_work(struct bench *bench, const struct work *work, uint32_t image)
{
    if (work->kernel == BENCH_FLOOR) {
        bench_floor_record(&bench->floor, work->floor_shape, image, bench->commands);
    } else if (work->kernel == BENCH_ENCODE) {
        return weir_cmd_encode(bench->encoder, bench->commands,
                               &(struct weir_encode){.source = bench->images->images[image].weir,
                                                     .target = bench->target});
    } else {
        const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        const VkImageCopy copy = {.srcSubresource = layers,
                                  .dstSubresource = layers,
                                  .extent = {bench->images->width, bench->images->height, 1}};
        vkCmdCopyImage(bench->commands, bench->images->images[image].image,
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
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
    };
    vkCmdPipelineBarrier(commands, stages, stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

// Time `num` repetitions, from image `first` on, into `samples`.
static enum weir_result run_batch(struct bench *bench, const struct work *work, uint32_t first,
                                  uint32_t num, uint32_t *samples)
{
    struct cli_gpu *gpu = bench->gpu;
    enum weir_result result = cli_commands_begin(bench->commands);
    if (result != WEIR_OK)
        return result;
    vkCmdResetQueryPool(bench->commands, bench->queries, 0, 2 * max_batch);
    for (uint32_t i = 0; i < num && result == WEIR_OK; i++) {
        record_barrier(bench->commands);
        // At the bottom of the pipe both: the first is written when all before it has ended.
        vkCmdWriteTimestamp(bench->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, bench->queries,
                            2 * i);
        result = record_work(bench, work, work->hot ? 0 : (first + i) % bench->images->num);
        vkCmdWriteTimestamp(bench->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, bench->queries,
                            2 * i + 1);
    }
    struct weir_point done = {0};
    if (result == WEIR_OK)
        result = cli_commands_submit(gpu, bench->commands, &done);
    if (result == WEIR_OK)
        result = cli_gpu_wait(gpu, done);
    uint64_t ticks[2 * max_batch];
    if (result == WEIR_OK)
        result = cli_gpu_check(
            vkGetQueryPoolResults(gpu->vk, bench->queries, 0, 2 * num, sizeof ticks, ticks,
                                  sizeof ticks[0],
                                  VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
            "vkGetQueryPoolResults");
    if (result != WEIR_OK)
        return result;
    const uint64_t mask = gpu->timestamp_bits >= 64 ? UINT64_MAX
                                                    : ((uint64_t)1 << gpu->timestamp_bits) - 1;
    for (uint32_t i = 0; i < num; i++) {
        double ns = (double)((ticks[2 * i + 1] - ticks[2 * i]) & mask) *
                    (double)gpu->properties.limits.timestampPeriod;
        samples[i] = ns < (double)UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
    }
    return WEIR_OK;
}

static enum weir_result measure(struct bench *bench, const struct work *work,
                                struct bench_times *times)
{
    const bool quick = bench->options->quick;
    const uint64_t start = weir_clock_ns();
    enum weir_result result = WEIR_OK;
    uint32_t batch = 1, image = 0;
    uint64_t warm_until = start + (quick ? quick_warm_up_ns : warm_up_ns);
    do {
        result = run_batch(bench, work, image, batch, bench->samples);
        image += batch;
        double wanted = batch_ns / (bench->samples[0] > 0 ? bench->samples[0] : 1);
        batch = wanted > max_batch ? max_batch : wanted < 1 ? 1 : (uint32_t)wanted;
    } while (result == WEIR_OK && weir_clock_ns() < warm_until);

    const uint64_t least = quick ? min_samples_quick : min_samples;
    const uint64_t until = weir_clock_ns() + bench->options->milliseconds * 1000000 / 10;
    uint32_t num = 0;
    while (result == WEIR_OK && num + batch <= max_samples &&
           (num < least || weir_clock_ns() < until)) {
        result = run_batch(bench, work, image, batch, bench->samples + num);
        num += batch;
        image += batch;
    }
    if (result == WEIR_OK)
        *times = bench_times_of(bench->samples, num);
    return result;
}

// The copy reads the images as a transfer does; `back` gives them back to the kernels.
static enum weir_result change_layouts(struct bench *bench, bool back)
{
    const VkImageLayout shader = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    const VkImageLayout transfer = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    VkImageMemoryBarrier barriers[bench_max_images + 1];
    const uint32_t num = bench->images->num;
    for (uint32_t i = 0; i <= num; i++)
        barriers[i] = (VkImageMemoryBarrier){
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
            .dstAccessMask = back ? VK_ACCESS_SHADER_READ_BIT : VK_ACCESS_TRANSFER_READ_BIT,
            .oldLayout = back ? transfer : shader,
            .newLayout = back ? shader : transfer,
            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .image = i < num ? bench->images->images[i].image : bench->snapshot.image,
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
        };
    barriers[num].oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    barriers[num].newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    barriers[num].dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    const VkPipelineStageFlags kernels = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkPipelineStageFlags copies = VK_PIPELINE_STAGE_TRANSFER_BIT;
    enum weir_result result = cli_commands_begin(bench->commands);
    if (result != WEIR_OK)
        return result;
    vkCmdPipelineBarrier(bench->commands, back ? copies : kernels, back ? kernels : copies, 0, 0,
                         NULL, 0, NULL, back ? num : num + 1, barriers);
    struct weir_point done = {0};
    result = cli_commands_submit(bench->gpu, bench->commands, &done);
    return result == WEIR_OK ? cli_gpu_wait(bench->gpu, done) : result;
}

// Keep the faster of what was measured so far and of one form of the floor kernel.
static void keep_faster(struct bench_kernel *kernel, const struct bench_floor_shape *shape,
                        const struct bench_times *cold, const struct bench_times *hot)
{
    if (kernel->cold.num == 0 || cold->median < kernel->cold.median) {
        kernel->cold = *cold;
        snprintf(kernel->form, sizeof kernel->form, "%ux%u blocks a workgroup, read %s",
                 shape->width, shape->height, shape->rows != 0 ? "in rows" : "block by block");
    }
    if (kernel->hot.num == 0 || hot->median < kernel->hot.median)
        kernel->hot = *hot;
}

static enum weir_result measure_floor(struct bench *bench, struct bench_size *size)
{
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < bench_num_floor_shapes && result == WEIR_OK; i++) {
        const struct bench_floor_shape *shape = &bench_floor_shapes[i];
        struct work work = {BENCH_FLOOR, i, false};
        struct bench_times cold = {0}, hot = {0};
        result = measure(bench, &work, &cold);
        work.hot = true;
        if (result == WEIR_OK)
            result = measure(bench, &work, &hot);
        if (result != WEIR_OK)
            break;
        keep_faster(&size->kernels[BENCH_FLOOR], shape, &cold, &hot);
        if (shape->rows == 0)
            keep_faster(&size->kernels[BENCH_BLOCKS], shape, &cold, &hot);
    }
    return result;
}

static enum weir_result measure_kernel(struct bench *bench, enum bench_kernel_index index,
                                       struct bench_kernel *kernel)
{
    struct work work = {index, 0, false};
    enum weir_result result = measure(bench, &work, &kernel->cold);
    work.hot = true;
    return result == WEIR_OK ? measure(bench, &work, &kernel->hot) : result;
}

static enum weir_result make_objects(struct bench *bench)
{
    struct cli_gpu *gpu = bench->gpu;
    const enum weir_codec codec = bench_codec(bench->options);
    const uint64_t size = weir_codec_image_size(codec, bench->images->width, bench->images->height);
    enum weir_result result = weir_encoder_create(
        gpu->context, weir_encoder_params(.codec = codec, .format = VK_FORMAT_R8G8B8A8_UNORM),
        &bench->encoder);
    if (result == WEIR_OK)
        result = cli_buffer_init(gpu, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, false,
                                 &bench->blocks);
    if (result == WEIR_OK)
        result = weir_buffer_create(
            gpu->context, weir_buffer_params(.buffer = bench->blocks.buffer, .size = size),
            &bench->target);
    if (result == WEIR_OK)
        result = cli_image_init(gpu, bench->images->width, bench->images->height, &bench->snapshot);
    if (result == WEIR_OK)
        result = bench_floor_init(&bench->floor, gpu, bench->images, bench->blocks.buffer);
    if (result == WEIR_OK)
        result = cli_commands_allocate(gpu, &bench->commands);
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 2 * max_batch,
    };
    if (result == WEIR_OK)
        result = cli_gpu_check(vkCreateQueryPool(gpu->vk, &queries, NULL, &bench->queries),
                               "vkCreateQueryPool");
    return result;
}

static void free_objects(struct bench *bench)
{
    struct cli_gpu *gpu = bench->gpu;
    vkDestroyQueryPool(gpu->vk, bench->queries, NULL);
    if (bench->commands != VK_NULL_HANDLE)
        vkFreeCommandBuffers(gpu->vk, gpu->pool, 1, &bench->commands);
    bench_floor_finish(&bench->floor);
    cli_image_finish(gpu, &bench->snapshot);
    weir_buffer_destroy(&bench->target);
    cli_buffer_finish(gpu, &bench->blocks);
    weir_encoder_destroy(&bench->encoder);
}

enum weir_result bench_kernels_measure(struct cli_gpu *gpu, const struct bench_options *options,
                                       const struct bench_images *images, struct bench_size *size)
{
    if (gpu->timestamp_bits == 0) {
        cli_report_error("queue family %u of %s has no timestamps", gpu->queue.family,
                         gpu->properties.deviceName);
        return WEIR_ERROR_UNSUPPORTED;
    }
    struct bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL)
        return WEIR_ERROR_OUT_OF_MEMORY;
    bench->gpu = gpu;
    bench->options = options;
    bench->images = images;
    const double read = 4.0 * images->width * images->height;
    enum weir_result result = make_objects(bench);
    const double written = (double)bench->blocks.size;
    size->kernels[BENCH_FLOOR] = (struct bench_kernel){.name = "floor", .bytes = read + written};
    size->kernels[BENCH_BLOCKS] = (struct bench_kernel){.name = "blocks", .bytes = read + written};
    size->kernels[BENCH_ENCODE] = (struct bench_kernel){.name = "encode", .bytes = read + written};
    size->kernels[BENCH_COPY] = (struct bench_kernel){.name = "copy", .bytes = 2 * read};
    if (result == WEIR_OK)
        result = measure_floor(bench, size);
    if (result == WEIR_OK)
        result = measure_kernel(bench, BENCH_ENCODE, &size->kernels[BENCH_ENCODE]);
    if (result == WEIR_OK)
        result = change_layouts(bench, false);
    if (result == WEIR_OK)
        result = measure_kernel(bench, BENCH_COPY, &size->kernels[BENCH_COPY]);
    if (result == WEIR_OK)
        result = change_layouts(bench, true);
    free_objects(bench);
    free(bench);
    return result;
}
