// SPDX-License-Identifier: MIT
// Snappy of blocks, as weir-bench encode times it: into memory of the host.
#ifndef WEIR_TESTS_BENCH_ENCODE_PACK_H
#define WEIR_TESTS_BENCH_ENCODE_PACK_H

#include <weir/snappy.h>

#include "capture/weir/gpu/gpu.h"

struct bench_pack {
    weir_snappy *snappy;
    uint32_t num_chunks;
    struct cli_buffer packed; // mapped
    weir_buffer *buffer;
};

// For `size` bytes of blocks, in up to sixteen chunks. Finish it in every case.
enum weir_result bench_pack_init(struct bench_pack *pack, struct cli_gpu *gpu, uint64_t size,
                                 uint32_t block_size);
void bench_pack_finish(struct bench_pack *pack, struct cli_gpu *gpu);

enum weir_result bench_pack_record(const struct bench_pack *pack, VkCommandBuffer commands,
                                   const weir_buffer *blocks);

// Get the size of what was packed last [bytes].
double bench_pack_left(const struct bench_pack *pack);

#endif
