// SPDX-License-Identifier: MIT
// The bus: how fast copies of a frame's bytes are, with nothing beside them. No stream is faster.
#include "tests/bench/bus.h"

#include <math.h>

#include "capture/base/clock.h"
#include "tests/bench/timing.h"

enum {
    NUM_PLACES = 8, // on each side, as a capture has slots
    LEAST_ROUNDS = 8,
    MAX_ROUNDS = 1 << 12,
};

struct bus {
    weir_gpu *queue;
    uint64_t size; // of a copy [bytes]
    bool to_host;
    struct weir_gpu_buffer device, host;
};

static enum weir_result bus_init(struct bus *bus, struct cli_gpu *gpu)
{
    const struct weir_queue transfer = gpu->import->transfer[0];
    WEIR_TRY(weir_gpu_create(
        weir_gpu_params(.import = gpu->import, .queue = transfer.queue ? transfer : gpu->queue),
        &bus->queue));
    const VkBufferUsageFlags both = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                    VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    WEIR_TRY(cli_buffer_init(gpu, NUM_PLACES * bus->size, both, false, &bus->device));
    return cli_buffer_init(gpu, NUM_PLACES * bus->size, both, true, &bus->host);
}

static void bus_finish(struct bus *bus)
{
    weir_gpu_buffer_finish(bus->queue, &bus->host);
    weir_gpu_buffer_finish(bus->queue, &bus->device);
    weir_gpu_destroy(&bus->queue);
}

// Record so many rounds of a copy to each place.
static void record_copies(const struct bus *bus, VkCommandBuffer commands, uint32_t rounds)
{
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t place = 0; place < NUM_PLACES; place++) {
            const uint64_t offset = place * bus->size;
            const VkBuffer device = bus->device.buffer, host = bus->host.buffer;
            vkCmdCopyBuffer(commands, bus->to_host ? device : host, bus->to_host ? host : device, 1,
                            &(const VkBufferCopy){offset, offset, bus->size});
        }
        bench_barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT);
    }
}

// Submit so many rounds, and wait for them. `*ns`: from the submission to their end.
static enum weir_result run_copies(const struct bus *bus, uint32_t rounds, uint64_t *ns)
{
    VkCommandBuffer commands;
    WEIR_TRY(weir_gpu_begin(bus->queue, &commands));
    record_copies(bus, commands, rounds);
    const uint64_t start = weir_clock_ns();
    const enum weir_result result = weir_gpu_run(bus->queue, commands);
    *ns = weir_clock_ns() - start;
    return result;
}

enum weir_result bench_bus_measure(struct cli_gpu *gpu, uint64_t size, bool to_host,
                                   uint64_t least_ns, double *gb_per_s)
{
    struct bus bus = {.size = size, .to_host = to_host};
    enum weir_result result = bus_init(&bus, gpu);
    uint64_t ns = 0;
    *gb_per_s = 0;
    // The first submissions wake the bus, and others may wait for the processor: the best counts.
    for (uint32_t rounds = 1; result == WEIR_OK && rounds <= MAX_ROUNDS; rounds *= 2) {
        result = run_copies(&bus, rounds, &ns);
        *gb_per_s = fmax(*gb_per_s, (double)(rounds * NUM_PLACES * size) / (double)ns);
        if (ns >= least_ns && rounds >= LEAST_ROUNDS) {
            break;
        }
    }
    bus_finish(&bus);
    return result;
}
