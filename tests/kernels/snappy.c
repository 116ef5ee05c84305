// SPDX-License-Identifier: MIT
// The kernels of Snappy on the processor.
#include "tests/kernels/snappy.h"

#include <stdlib.h>
#include <string.h>

#include "tests/kernels/run.h"

typedef void snappy_kernel(const struct snappy_call *call);
extern snappy_kernel snappy_pack, snappy_plan, snappy_gather;

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

uint32_t kernel_snappy(const struct weir_snappy_params *params, const uint8_t *in, uint8_t *out)
{
    const uint32_t size = (uint32_t)params->size, num_chunks = params->num_chunks;
    const uint32_t chunk_fragments = divide_up(size / num_chunks / 4, WEIR_SNAPPY_FRAGMENT);
    const uint32_t num_fragments = num_chunks * chunk_fragments;
    const uint32_t num_gathers = divide_up(size, WEIR_SNAPPY_GATHERED);
    const size_t num_sizes = num_chunks * sizeof(uint32_t), data = (num_sizes + 15) / 16 * 16;
    struct snappy_call call = {
        .num_chunks = num_chunks,
        .chunk_words = size / num_chunks / 4,
        .chunk_fragments = chunk_fragments,
        .least_saved = params->least_saved,
        .source = malloc(size + 4), // a word behind the last may be read
        .memory = calloc(2 * num_fragments + 8 + num_fragments * WEIR_SNAPPY_ROOM, 4),
        .destination = calloc(1, data + (size + 15) / 16 * 16),
    };
    memcpy(call.source, in, size);
    call.num_groups = num_fragments;
    snappy_pack(&call);
    call.num_groups = 1;
    snappy_plan(&call);
    call.num_groups = num_gathers;
    snappy_gather(&call);
    const uint32_t packed_size = call.memory[num_fragments]; // as the plan has it
    memcpy(out, call.destination, num_sizes);
    memcpy(out + data, (uint8_t *)call.destination + data, packed_size);
    free(call.destination);
    free(call.memory);
    free(call.source);
    return (uint32_t)data + packed_size;
}
