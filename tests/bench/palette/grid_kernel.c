// SPDX-License-Identifier: MIT
// shaders/palette_grid.comp: its pipeline, its buffers, and one dispatch of it.
#include "tests/bench/palette/grid_kernel.h"

#include <string.h>

#include "capture/weir/gpu/barrier.h"
#include "capture/weir/gpu/commands.h"

static const uint32_t code[] =
#include "palette_grid.inc"
    ;

enum { NUM_BUFFERS = BENCH_PALETTE_GRID_NUM_BUFFERS, COUNTERS_SIZE = 2 * sizeof(uint32_t) };

static enum weir_result make_pipeline(struct bench_palette_grid_kernel *kernel, bool frequency,
                                      bool srgb)
{
    VkDescriptorSetLayoutBinding bindings[NUM_BUFFERS];
    for (uint32_t i = 0; i < NUM_BUFFERS; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    }
    const enum weir_result result = cli_layout_init(kernel->gpu, bindings, NUM_BUFFERS,
                                                    sizeof(struct bench_palette_grid_push),
                                                    &kernel->layout);
    const uint32_t constants[] = {frequency, srgb};
    const struct cli_pipeline_params params = {code, sizeof(code), constants, 2};
    return result == WEIR_OK
               ? cli_pipeline_create(kernel->gpu, &kernel->layout, &params, &kernel->pipeline)
               : result;
}

static enum weir_result make_set(struct bench_palette_grid_kernel *kernel)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NUM_BUFFERS};
    const enum weir_result result = cli_pool_create(kernel->gpu, &size, 1, 1, &kernel->pool);
    VkDescriptorBufferInfo infos[NUM_BUFFERS];
    VkWriteDescriptorSet writes[NUM_BUFFERS];
    for (uint32_t i = 0; i < NUM_BUFFERS; i++) {
        infos[i] = (VkDescriptorBufferInfo){kernel->buffers[i].buffer, 0, VK_WHOLE_SIZE};
        writes[i] = (VkWriteDescriptorSet){.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .pBufferInfo = &infos[i]};
    }
    return result == WEIR_OK ? cli_set_init(kernel->gpu, kernel->pool, &kernel->layout, writes,
                                            NUM_BUFFERS, &kernel->set)
                             : result;
}

// Record a barrier before or after a copy, for all stages that this program uses.
static void record_barrier(VkCommandBuffer commands)
{
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                        VK_PIPELINE_STAGE_TRANSFER_BIT;
    const struct cli_scope before = {stages,
                                     VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
    const struct cli_scope after = {stages | VK_PIPELINE_STAGE_HOST_BIT,
                                    VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                        VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT};
    cli_cmd_barrier(commands, before, after);
}

// Copy the first `size` bytes and wait until it is done.
static enum weir_result copy(struct cli_gpu *gpu, const struct cli_buffer *from,
                             const struct cli_buffer *to, uint64_t size)
{
    VkCommandBuffer commands;
    const enum weir_result result = cli_once_begin(gpu, &commands);
    if (result != WEIR_OK) {
        return result;
    }
    const VkBufferCopy region = {.size = size};
    record_barrier(commands);
    vkCmdCopyBuffer(commands, from->buffer, to->buffer, 1, &region);
    record_barrier(commands);
    return cli_once_run(gpu, commands);
}

struct content {
    const void *data; // NULL: none
    uint64_t size, buffer_size;
};

static enum weir_result make_buffers(struct bench_palette_grid_kernel *kernel,
                                     const struct content *contents)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < NUM_BUFFERS; i++) {
        most = contents[i].buffer_size > most ? contents[i].buffer_size : most;
    }
    const VkBufferUsageFlags transfers = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                         VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    enum weir_result result = cli_buffer_init(kernel->gpu, most, transfers, true, &kernel->staging);
    for (uint32_t i = 0; i < NUM_BUFFERS && result == WEIR_OK; i++) {
        result = cli_buffer_init(kernel->gpu, contents[i].buffer_size,
                                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | transfers, false,
                                 &kernel->buffers[i]);
        if (result != WEIR_OK || !contents[i].data) {
            continue;
        }
        memcpy(kernel->staging.mapped, contents[i].data, contents[i].size);
        result = copy(kernel->gpu, &kernel->staging, &kernel->buffers[i], contents[i].size);
    }
    return result;
}

enum weir_result bench_palette_grid_kernel_init(struct bench_palette_grid_kernel *kernel,
                                                struct cli_gpu *gpu,
                                                const struct bench_palette_grid *grid,
                                                const uint32_t *counts, bool frequency, bool srgb)
{
    *kernel = (struct bench_palette_grid_kernel){.gpu = gpu};
    static const uint32_t zeroes[2];
    const uint64_t num = grid->num_points, points_size = num * sizeof(*grid->points);
    const uint64_t ranges_size = BENCH_PALETTE_GRID_CELLS * sizeof(*grid->ranges);
    const uint64_t sums_size = BENCH_PALETTE_GRID_CELLS * sizeof(*grid->sums);
    const uint64_t words_size = num * sizeof(uint32_t);
    const struct content contents[NUM_BUFFERS] = {
        [BENCH_PALETTE_GRID_RANGES] = {grid->ranges, ranges_size, ranges_size},
        [BENCH_PALETTE_GRID_SUMS] = {grid->sums, sums_size, sums_size},
        [BENCH_PALETTE_GRID_ORDER] = {grid->order, words_size, words_size},
        [BENCH_PALETTE_GRID_POINTS] = {grid->points, points_size, points_size},
        [BENCH_PALETTE_GRID_COUNTS] = {counts, words_size, words_size},
        [BENCH_PALETTE_GRID_STATES] = {grid->points, points_size, 2 * points_size},
        [BENCH_PALETTE_GRID_OUTPUTS] = {NULL, 0, words_size},
        [BENCH_PALETTE_GRID_COUNTERS] = {zeroes, COUNTERS_SIZE, COUNTERS_SIZE},
    };
    enum weir_result result = make_buffers(kernel, contents);
    if (result == WEIR_OK) {
        result = make_pipeline(kernel, frequency, srgb);
    }
    if (result == WEIR_OK) {
        result = make_set(kernel);
    }
    return result;
}

void bench_palette_grid_kernel_finish(struct bench_palette_grid_kernel *kernel)
{
    if (!kernel->gpu) {
        return;
    }
    VkDevice vk = kernel->gpu->vk;
    vkDestroyDescriptorPool(vk, kernel->pool, NULL);
    vkDestroyPipeline(vk, kernel->pipeline, NULL);
    cli_layout_finish(kernel->gpu, &kernel->layout);
    for (uint32_t i = 0; i < NUM_BUFFERS; i++) {
        cli_buffer_finish(kernel->gpu, &kernel->buffers[i]);
    }
    cli_buffer_finish(kernel->gpu, &kernel->staging);
    *kernel = (struct bench_palette_grid_kernel){0};
}

enum weir_result bench_palette_grid_kernel_run(struct bench_palette_grid_kernel *kernel,
                                               struct cli_timer *watch,
                                               const struct bench_palette_grid_push *push,
                                               uint32_t num_workgroups, double *ns)
{
    const enum weir_result result = cli_timer_begin(watch);
    if (result != WEIR_OK) {
        return result;
    }
    cli_cmd_bind(watch->commands, &kernel->layout, kernel->pipeline, kernel->set, push,
                 sizeof(*push));
    record_barrier(watch->commands);
    cli_timer_start(watch, 0);
    vkCmdDispatch(watch->commands, num_workgroups, 1, 1);
    cli_timer_stop(watch, 0);
    const VkBufferCopy region = {.size = COUNTERS_SIZE};
    record_barrier(watch->commands);
    vkCmdCopyBuffer(watch->commands, kernel->buffers[BENCH_PALETTE_GRID_COUNTERS].buffer,
                    kernel->staging.buffer, 1, &region);
    record_barrier(watch->commands);
    return bench_stopwatch_submit(watch, ns);
}

enum weir_result bench_palette_grid_kernel_read(struct bench_palette_grid_kernel *kernel,
                                                uint32_t *outputs)
{
    const struct cli_buffer *buffer = &kernel->buffers[BENCH_PALETTE_GRID_OUTPUTS];
    const enum weir_result result = copy(kernel->gpu, buffer, &kernel->staging, buffer->size);
    if (result == WEIR_OK) {
        memcpy(outputs, kernel->staging.mapped, buffer->size);
    }
    return result;
}
