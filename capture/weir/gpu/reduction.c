// SPDX-License-Identifier: MIT
// A palette reduction on the device, stage by stage, each with its GPU time.
#include "capture/weir/gpu/reduction.h"

#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"

// In a submission: a few dispatches that find nothing to do cost less than to ask after each.
enum { DISPATCHES_PER_SUBMISSION = 4 };

enum weir_result cli_reduction_init(struct cli_reduction *run, struct cli_gpu *gpu,
                                    const struct cli_reduction_params *params)
{
    *run = (struct cli_reduction){.params = *params, .gpu = gpu};
    struct cli_image like;
    enum weir_result result = cli_image_init(gpu, 1, 1, &like);
    if (result == WEIR_OK) {
        result = weir_palette_create(
            gpu->context,
            weir_palette_params(.like = like.weir, .weight = params->weight, .light = params->light,
                                .max_colors = params->max_colors, .table = params->table,
                                .no_merge = params->no_merge),
            &run->palette);
        cli_image_finish(gpu, &like);
    }
    if (result == WEIR_OK) {
        result = cli_commands_allocate(gpu, &run->commands);
    }
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 2,
    };
    if (result == WEIR_OK && gpu->timestamp_bits > 0) {
        result = cli_gpu_check(vkCreateQueryPool(gpu->vk, &queries, NULL, &run->queries),
                               "vkCreateQueryPool");
    }
    return result;
}

void cli_reduction_finish(struct cli_reduction *run)
{
    if (!run->gpu) {
        return;
    }
    vkDestroyQueryPool(run->gpu->vk, run->queries, NULL);
    if (run->commands != VK_NULL_HANDLE) {
        vkFreeCommandBuffers(run->gpu->vk, run->gpu->pool, 1, &run->commands);
    }
    weir_palette_destroy(&run->palette);
    *run = (struct cli_reduction){0};
}

static enum weir_result begin(struct cli_reduction *run)
{
    const enum weir_result result = cli_commands_begin(run->commands);
    if (result == WEIR_OK && run->queries != VK_NULL_HANDLE) {
        vkCmdResetQueryPool(run->commands, run->queries, 0, 2);
    }
    return result;
}

static void write_timestamp(struct cli_reduction *run, uint32_t query)
{
    if (run->queries != VK_NULL_HANDLE) {
        vkCmdWriteTimestamp(run->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, run->queries,
                            query);
    }
}

static enum weir_result read_time(struct cli_reduction *run, enum cli_reduction_stage stage)
{
    const struct cli_gpu *gpu = run->gpu;
    uint64_t ticks[2];
    const enum weir_result result = cli_gpu_check(
        vkGetQueryPoolResults(gpu->vk, run->queries, 0, 2, sizeof(ticks), ticks, sizeof(ticks[0]),
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
    const uint64_t mask = gpu->timestamp_bits >= 64 ? UINT64_MAX
                                                    : ((uint64_t)1 << gpu->timestamp_bits) - 1;
    if (result == WEIR_OK) {
        run->stage_ns[stage] += (double)((ticks[1] - ticks[0]) & mask) *
                                (double)gpu->properties.limits.timestampPeriod;
    }
    return result;
}

// The host reads the stats next, which a kernel or a copy has written.
static void record_host_barrier(const struct cli_reduction *run)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
    };
    vkCmdPipelineBarrier(run->commands,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static enum weir_result submit_and_wait(struct cli_reduction *run, enum cli_reduction_stage stage)
{
    record_host_barrier(run);
    enum weir_result result = cli_commands_submit(run->gpu, run->commands, &run->done);
    if (result == WEIR_OK) {
        result = cli_gpu_wait(run->gpu, run->done);
    }
    return result == WEIR_OK && run->queries != VK_NULL_HANDLE ? read_time(run, stage) : result;
}

enum weir_result cli_reduction_count(struct cli_reduction *run, const weir_image *source,
                                     bool clear)
{
    const struct weir_palette_count count = {.source = source, .clear = clear};
    enum weir_result result = begin(run);
    if (result != WEIR_OK) {
        return result;
    }
    write_timestamp(run, 0);
    result = weir_cmd_palette_count(run->palette, run->commands, &count);
    write_timestamp(run, 1);
    return result == WEIR_OK ? submit_and_wait(run, CLI_REDUCTION_COUNT) : result;
}

// One of the stages between counting and mapping; `radius` and `limit` are for the first.
static enum weir_result move(struct cli_reduction *run, enum cli_reduction_stage stage,
                             float radius, uint32_t limit)
{
    const struct weir_palette_start params = {.radius = radius, .limit = limit};
    enum weir_result result = begin(run);
    if (result != WEIR_OK) {
        return result;
    }
    write_timestamp(run, 0);
    if (stage == CLI_REDUCTION_START) {
        result = weir_cmd_palette_start(run->palette, run->commands, &params);
    } else if (stage == CLI_REDUCTION_ITERATE) {
        result = weir_cmd_palette_iterate(run->palette, run->commands, DISPATCHES_PER_SUBMISSION);
    } else {
        result = weir_cmd_palette_finish(run->palette, run->commands);
    }
    write_timestamp(run, 1);
    return result == WEIR_OK ? submit_and_wait(run, stage) : result;
}

enum weir_result cli_reduction_reduce(struct cli_reduction *run, float radius, uint32_t limit,
                                      struct weir_palette_stats *stats)
{
    enum weir_result result = move(run, CLI_REDUCTION_START, radius, limit);
    while (result == WEIR_OK) {
        *stats = weir_palette_get_stats(run->palette);
        if (stats->num_unfinished == 0 || stats->overflow) {
            break;
        }
        if (cli_interrupted()) {
            return WEIR_ERROR_IO;
        }
        if (run->params.progress) {
            cli_progress_step(run->params.progress, stats->num_colors - stats->num_unfinished,
                              stats->num_colors, "colours");
        }
        result = move(run, CLI_REDUCTION_ITERATE, 0, 0);
    }
    if (result == WEIR_OK) {
        result = move(run, CLI_REDUCTION_FINISH, 0, 0);
    }
    if (result != WEIR_OK) {
        return result;
    }
    *stats = weir_palette_get_stats(run->palette);
    if (stats->overflow) {
        cli_report_error("there are more colours than room for %u", run->params.max_colors);
        return WEIR_ERROR_UNSUPPORTED;
    }
    return WEIR_OK;
}

static void change_layout(const struct cli_reduction *run, const struct cli_image *image,
                          VkImageMemoryBarrier barrier)
{
    const VkPipelineStageFlags compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image->image;
    barrier.subresourceRange = (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdPipelineBarrier(run->commands, compute, compute, 0, 0, NULL, 0, NULL, 1, &barrier);
}

enum weir_result cli_reduction_map(struct cli_reduction *run, const weir_image *source,
                                   const struct cli_image *image)
{
    enum weir_result result = begin(run);
    if (result != WEIR_OK) {
        return result;
    }
    change_layout(run, image,
                  (VkImageMemoryBarrier){.dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                         .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                         .newLayout = VK_IMAGE_LAYOUT_GENERAL});
    write_timestamp(run, 0);
    result = weir_cmd_palette_map(run->palette, run->commands, source, image->weir);
    write_timestamp(run, 1);
    change_layout(run, image,
                  (VkImageMemoryBarrier){.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                         .dstAccessMask = VK_ACCESS_SHADER_READ_BIT,
                                         .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
                                         .newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL});
    return result == WEIR_OK ? submit_and_wait(run, CLI_REDUCTION_MAP) : result;
}

void cli_reduction_reset_times(struct cli_reduction *run)
{
    for (int i = 0; i < CLI_REDUCTION_NUM_STAGES; i++) {
        run->stage_ns[i] = 0;
    }
}

double cli_reduction_total_ns(const struct cli_reduction *run)
{
    double total = 0;
    for (int i = 0; i < CLI_REDUCTION_NUM_STAGES; i++) {
        total += run->stage_ns[i];
    }
    return total;
}
