// SPDX-License-Identifier: MIT
// Snappy of blocks, as weir-bench encode times it: into memory of the host.
#include "tests/bench/encode/pack.h"

#include "capture/movie/section.h"

enum { MOST_CHUNKS = 16 };

enum weir_result bench_pack_init(struct bench_pack *pack, struct cli_gpu *gpu, uint64_t size,
                                 uint32_t block_size)
{
    *pack = (struct bench_pack){.num_chunks = weir_hap_num_chunks(size / block_size, MOST_CHUNKS)};
    const uint64_t room = weir_snappy_destination_size(size, pack->num_chunks);
    enum weir_result result = weir_snappy_create(
        gpu->context, weir_snappy_params(.size = size, .num_chunks = pack->num_chunks),
        &pack->snappy);
    if (result == WEIR_OK) {
        result = cli_buffer_init(gpu, room, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true,
                                 &pack->packed);
    }
    if (result == WEIR_OK) {
        result = weir_buffer_create(gpu->context,
                                    weir_buffer_params(.buffer = pack->packed.buffer, .size = room),
                                    &pack->buffer);
    }
    return result;
}

void bench_pack_finish(struct bench_pack *pack, struct cli_gpu *gpu)
{
    weir_snappy_destroy(&pack->snappy);
    weir_buffer_destroy(&pack->buffer);
    cli_buffer_finish(gpu, &pack->packed);
}

enum weir_result bench_pack_record(const struct bench_pack *pack, VkCommandBuffer commands,
                                   const weir_buffer *blocks)
{
    return weir_cmd_snappy(
        pack->snappy, commands,
        &(struct weir_snappy_run){.source = blocks, .destination = pack->buffer});
}

double bench_pack_left(const struct bench_pack *pack)
{
    const uint32_t *sizes = (const uint32_t *)(const void *)pack->packed.mapped;
    double left = 0;
    for (uint32_t i = 0; i < pack->num_chunks; i++) {
        left += sizes[i];
    }
    return left;
}
