// SPDX-License-Identifier: MIT
// The bus: how fast copies of a frame's bytes to host memory are, with nothing beside them. The
// stream can be no faster.
#include "capture/base/clock.h"
#include "tests/bench/encode/encode.h"
#include "tests/bench/timing.h"

enum {
    NUM_PLACES = 8, // in host memory, as a capture has slots
    MAX_ROUNDS = 1 << 12,
};

struct bus {
    struct cli_gpu *gpu;
    const struct weir_queue *queue;
    uint64_t size; // of a copy [bytes]
    struct cli_buffer device, host;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
};

static enum weir_result bus_init(struct bus *bus)
{
    struct cli_gpu *gpu = bus->gpu;
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = bus->queue->family,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandBufferCount = 1,
    };
    BENCH_TRY(cli_gpu_check_made(vkCreateCommandPool(gpu->vk, &pool, NULL, &bus->pool),
                                 "vkCreateCommandPool", &bus->pool));
    info.commandPool = bus->pool;
    BENCH_TRY(cli_gpu_check(vkAllocateCommandBuffers(gpu->vk, &info, &bus->commands),
                            "vkAllocateCommandBuffers"));
    BENCH_TRY(cli_gpu_check_made(vkCreateFence(gpu->vk, &fence, NULL, &bus->fence), "vkCreateFence",
                                 &bus->fence));
    BENCH_TRY(
        cli_buffer_init(gpu, bus->size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, false, &bus->device));
    return cli_buffer_init(gpu, NUM_PLACES * bus->size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true,
                           &bus->host);
}

static void bus_finish(struct bus *bus)
{
    cli_buffer_finish(bus->gpu, &bus->host);
    cli_buffer_finish(bus->gpu, &bus->device);
    vkDestroyFence(bus->gpu->vk, bus->fence, NULL);
    vkDestroyCommandPool(bus->gpu->vk, bus->pool, NULL);
}

// Record so many rounds of a copy to each place.
static void record(const struct bus *bus, uint32_t rounds)
{
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t place = 0; place < NUM_PLACES; place++) {
            const VkBufferCopy copy = {.dstOffset = place * bus->size, .size = bus->size};
            vkCmdCopyBuffer(bus->commands, bus->device.buffer, bus->host.buffer, 1, &copy);
        }
        bench_barrier(bus->commands, VK_PIPELINE_STAGE_TRANSFER_BIT);
    }
}

// Submit so many rounds, and wait for them. `*ns`: from the submission to their end.
static enum weir_result run(const struct bus *bus, uint32_t rounds, uint64_t *ns)
{
    const VkDevice vk = bus->gpu->vk;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &bus->commands,
    };
    BENCH_TRY(cli_gpu_check(vkBeginCommandBuffer(bus->commands, &begin), "vkBeginCommandBuffer"));
    record(bus, rounds);
    BENCH_TRY(cli_gpu_check(vkEndCommandBuffer(bus->commands), "vkEndCommandBuffer"));
    const uint64_t start = weir_clock_ns();
    BENCH_TRY(
        cli_gpu_check(vkQueueSubmit(bus->queue->queue, 1, &submit, bus->fence), "vkQueueSubmit"));
    BENCH_TRY(
        cli_gpu_check(vkWaitForFences(vk, 1, &bus->fence, VK_TRUE, UINT64_MAX), "vkWaitForFences"));
    *ns = weir_clock_ns() - start;
    return cli_gpu_check(vkResetFences(vk, 1, &bus->fence), "vkResetFences");
}

enum weir_result bench_bus_measure(struct cli_gpu *gpu, uint64_t size, uint64_t least_ns,
                                   double *gb_per_s)
{
    const struct weir_queue *transfer = &gpu->import->transfer[0];
    struct bus bus = {.gpu = gpu, .queue = transfer->queue ? transfer : &gpu->queue, .size = size};
    enum weir_result result = bus_init(&bus);
    uint64_t ns = 0;
    // The first submission wakes the bus; what counts is the last.
    for (uint32_t rounds = 1; result == WEIR_OK && ns < least_ns && rounds <= MAX_ROUNDS;
         rounds *= 2) {
        result = run(&bus, rounds, &ns);
        *gb_per_s = (double)(rounds * NUM_PLACES * size) / (double)ns;
    }
    bus_finish(&bus);
    return result;
}
