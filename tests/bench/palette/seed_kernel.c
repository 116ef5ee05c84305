// SPDX-License-Identifier: MIT
// shaders/palette_seed.comp: its pipeline, its buffers, and one dispatch of it.
#include "tests/bench/palette/seed_kernel.h"

#include <stddef.h>
#include <string.h>

static const uint32_t code[] =
#include "palette_seed.inc"
    ;

enum { NUM_BUFFERS = BENCH_PALETTE_SEED_NUM_BUFFERS, COUNTERS_SIZE = 2 * sizeof(uint32_t) };

struct constants {
    VkBool32 frequency, srgb;
};

static enum weir_result make_layouts(struct bench_palette_seed_kernel *kernel)
{
    VkDescriptorSetLayoutBinding bindings[NUM_BUFFERS];
    for (uint32_t i = 0; i < NUM_BUFFERS; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    }
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = NUM_BUFFERS,
        .pBindings = bindings,
    };
    enum weir_result result = cli_gpu_check(
        vkCreateDescriptorSetLayout(kernel->gpu->vk, &set_info, NULL, &kernel->set_layout),
        "vkCreateDescriptorSetLayout");
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                       sizeof(struct bench_palette_seed_push)};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &kernel->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    if (result == WEIR_OK) {
        result = cli_gpu_check(
            vkCreatePipelineLayout(kernel->gpu->vk, &info, NULL, &kernel->layout),
            "vkCreatePipelineLayout");
    }
    return result;
}

static enum weir_result make_pipeline(struct bench_palette_seed_kernel *kernel,
                                      const struct constants *constants)
{
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = sizeof(code),
        .pCode = code,
    };
    VkShaderModule module = VK_NULL_HANDLE;
    enum weir_result result = cli_gpu_check(
        vkCreateShaderModule(kernel->gpu->vk, &module_info, NULL, &module), "vkCreateShaderModule");
    static const VkSpecializationMapEntry entries[] = {
        {0, offsetof(struct constants, frequency), sizeof(VkBool32)},
        {1, offsetof(struct constants, srgb), sizeof(VkBool32)},
    };
    const VkSpecializationInfo specialization = {2, entries, sizeof(*constants), constants};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &specialization},
        .layout = kernel->layout,
    };
    if (result == WEIR_OK) {
        result = cli_gpu_check(vkCreateComputePipelines(kernel->gpu->vk, VK_NULL_HANDLE, 1, &info,
                                                        NULL, &kernel->pipeline),
                               "vkCreateComputePipelines");
    }
    vkDestroyShaderModule(kernel->gpu->vk, module, NULL);
    return result;
}

static enum weir_result make_set(struct bench_palette_seed_kernel *kernel)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NUM_BUFFERS};
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    enum weir_result result = cli_gpu_check(
        vkCreateDescriptorPool(kernel->gpu->vk, &pool_info, NULL, &kernel->pool),
        "vkCreateDescriptorPool");
    if (result != WEIR_OK) {
        return result;
    }
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = kernel->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &kernel->set_layout,
    };
    result = cli_gpu_check(vkAllocateDescriptorSets(kernel->gpu->vk, &info, &kernel->set),
                           "vkAllocateDescriptorSets");
    if (result != WEIR_OK) {
        return result;
    }
    VkDescriptorBufferInfo infos[NUM_BUFFERS];
    VkWriteDescriptorSet writes[NUM_BUFFERS];
    for (uint32_t i = 0; i < NUM_BUFFERS; i++) {
        infos[i] = (VkDescriptorBufferInfo){kernel->buffers[i].buffer, 0, VK_WHOLE_SIZE};
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = kernel->set,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &infos[i],
        };
    }
    vkUpdateDescriptorSets(kernel->gpu->vk, NUM_BUFFERS, writes, 0, NULL);
    return WEIR_OK;
}

// Record a barrier before or after a copy, for all stages that this program uses.
static void record_barrier(VkCommandBuffer commands)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT,
    };
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                        VK_PIPELINE_STAGE_TRANSFER_BIT;
    vkCmdPipelineBarrier(commands, stages, stages | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
}

// Copy the first `size` bytes and wait until it is done.
static enum weir_result copy(struct cli_gpu *gpu, const struct cli_buffer *from,
                             const struct cli_buffer *to, uint64_t size)
{
    VkCommandBuffer commands = VK_NULL_HANDLE;
    enum weir_result result = cli_commands_allocate(gpu, &commands);
    if (result != WEIR_OK) {
        return result;
    }
    result = cli_commands_begin(commands);
    if (result == WEIR_OK) {
        const VkBufferCopy region = {.size = size};
        struct weir_point done = {0};
        record_barrier(commands);
        vkCmdCopyBuffer(commands, from->buffer, to->buffer, 1, &region);
        record_barrier(commands);
        result = cli_commands_submit(gpu, commands, &done);
        if (result == WEIR_OK) {
            result = cli_gpu_wait(gpu, done);
        }
    }
    vkFreeCommandBuffers(gpu->vk, gpu->pool, 1, &commands);
    return result;
}

struct content {
    const void *data; // NULL: none
    uint64_t size, buffer_size;
};

static enum weir_result make_buffers(struct bench_palette_seed_kernel *kernel,
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

enum weir_result bench_palette_seed_kernel_init(struct bench_palette_seed_kernel *kernel,
                                                struct cli_gpu *gpu,
                                                const struct bench_palette_grid *grid,
                                                const uint32_t *counts, bool frequency, bool srgb)
{
    *kernel = (struct bench_palette_seed_kernel){.gpu = gpu};
    static const uint32_t zeroes[2];
    const uint64_t num = grid->num_points, points_size = num * sizeof(*grid->points);
    const uint64_t ranges_size = BENCH_PALETTE_GRID_CELLS * sizeof(*grid->ranges);
    const uint64_t sums_size = BENCH_PALETTE_GRID_CELLS * sizeof(*grid->sums);
    const uint64_t words_size = num * sizeof(uint32_t);
    const struct content contents[NUM_BUFFERS] = {
        [BENCH_PALETTE_SEED_RANGES] = {grid->ranges, ranges_size, ranges_size},
        [BENCH_PALETTE_SEED_SUMS] = {grid->sums, sums_size, sums_size},
        [BENCH_PALETTE_SEED_ORDER] = {grid->order, words_size, words_size},
        [BENCH_PALETTE_SEED_POINTS] = {grid->points, points_size, points_size},
        [BENCH_PALETTE_SEED_COUNTS] = {counts, words_size, words_size},
        [BENCH_PALETTE_SEED_STATES] = {grid->points, points_size, 2 * points_size},
        [BENCH_PALETTE_SEED_OUTPUTS] = {NULL, 0, words_size},
        [BENCH_PALETTE_SEED_COUNTERS] = {zeroes, COUNTERS_SIZE, COUNTERS_SIZE},
    };
    const struct constants constants = {frequency, srgb};
    enum weir_result result = make_buffers(kernel, contents);
    if (result == WEIR_OK) {
        result = make_layouts(kernel);
    }
    if (result == WEIR_OK) {
        result = make_pipeline(kernel, &constants);
    }
    if (result == WEIR_OK) {
        result = make_set(kernel);
    }
    return result;
}

void bench_palette_seed_kernel_finish(struct bench_palette_seed_kernel *kernel)
{
    if (!kernel->gpu) {
        return;
    }
    VkDevice vk = kernel->gpu->vk;
    vkDestroyDescriptorPool(vk, kernel->pool, NULL);
    vkDestroyPipeline(vk, kernel->pipeline, NULL);
    vkDestroyPipelineLayout(vk, kernel->layout, NULL);
    vkDestroyDescriptorSetLayout(vk, kernel->set_layout, NULL);
    for (uint32_t i = 0; i < NUM_BUFFERS; i++) {
        cli_buffer_finish(kernel->gpu, &kernel->buffers[i]);
    }
    cli_buffer_finish(kernel->gpu, &kernel->staging);
    *kernel = (struct bench_palette_seed_kernel){0};
}

enum weir_result bench_palette_seed_kernel_run(struct bench_palette_seed_kernel *kernel,
                                               struct bench_stopwatch *watch,
                                               const struct bench_palette_seed_push *push,
                                               uint32_t num_workgroups, double *ns)
{
    const enum weir_result result = bench_stopwatch_begin(watch);
    if (result != WEIR_OK) {
        return result;
    }
    vkCmdBindPipeline(watch->commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    vkCmdBindDescriptorSets(watch->commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout, 0, 1,
                            &kernel->set, 0, NULL);
    vkCmdPushConstants(watch->commands, kernel->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       sizeof(*push), push);
    record_barrier(watch->commands);
    bench_stopwatch_start(watch);
    vkCmdDispatch(watch->commands, num_workgroups, 1, 1);
    bench_stopwatch_stop(watch);
    const VkBufferCopy region = {.size = COUNTERS_SIZE};
    record_barrier(watch->commands);
    vkCmdCopyBuffer(watch->commands, kernel->buffers[BENCH_PALETTE_SEED_COUNTERS].buffer,
                    kernel->staging.buffer, 1, &region);
    record_barrier(watch->commands);
    return bench_stopwatch_submit(watch, ns);
}

enum weir_result bench_palette_seed_kernel_read(struct bench_palette_seed_kernel *kernel,
                                                uint32_t *outputs)
{
    const struct cli_buffer *buffer = &kernel->buffers[BENCH_PALETTE_SEED_OUTPUTS];
    const enum weir_result result = copy(kernel->gpu, buffer, &kernel->staging, buffer->size);
    if (result == WEIR_OK) {
        memcpy(outputs, kernel->staging.mapped, buffer->size);
    }
    return result;
}
