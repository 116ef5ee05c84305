// SPDX-License-Identifier: MIT
// Plans the result: which chunks are stored, how large each is, and where each fragment begins.
//
// One workgroup does all of it, an invocation a run of fragments, and then of chunks. Shared
// memory: 5 KiB. Requires nothing beyond Vulkan 1.2.

#include "snappy/constants.h"

layout(local_size_x = WEIR_SNAPPY_GROUP) in;

layout(set = WEIR_SNAPPY_SET_DESTINATION, binding = 0, std430) writeonly buffer Destination {
    uint words[];
} destination;

#define MEMORY_ACCESS coherent
#include "snappy/memory.glsl"
#include "snappy/scan.glsl"

shared uint chunk_starts[WEIR_SNAPPY_MOST_CHUNKS + 1u]; // in the result, with IS_STORED [bytes]

// Get the packed size of all fragments before that one.
uint packed_before(uint fragment)
{
    return memory.words[num_fragments() + 1u + fragment];
}
void set_packed_before(uint fragment, uint size)
{
    memory.words[num_fragments() + 1u + fragment] = size;
}

// Add up the sizes of the packed fragments.
uint sum_up_fragments(uint lane)
{
    const uint each = (num_fragments() + WEIR_SNAPPY_GROUP - 1u) / WEIR_SNAPPY_GROUP;
    const uint begin = lane * each, end = min(begin + each, num_fragments());
    uint size = 0u;
    for (uint i = begin; i < end; i++)
        size += memory.words[i];
    uint total;
    uint before = sum_before(lane, size, total);
    for (uint i = begin; i < end; i++) {
        set_packed_before(i, before);
        before += memory.words[i];
    }
    return total;
}

// Get the size of a chunk as packed.
uint packed_size(uint chunk, uint total)
{
    const uint begin = chunk * push.chunk_fragments, end = begin + push.chunk_fragments;
    return (end < num_fragments() ? packed_before(end) : total) - packed_before(begin);
}

// What does not get smaller is stored, and all chunks are where they save too little together.
void plan_chunks(uint lane, uint total)
{
    const uint chunk_size = push.chunk_words * WORD_SIZE;
    const uint each = (push.num_chunks + WEIR_SNAPPY_GROUP - 1u) / WEIR_SNAPPY_GROUP;
    const uint begin = lane * each, end = min(begin + each, push.num_chunks);
    uint size = 0u;
    for (uint i = begin; i < end; i++)
        size += min(packed_size(i, total), chunk_size);
    uint whole;
    uint before = sum_before(lane, size, whole);
    const bool pays = push.num_chunks * chunk_size - whole >= push.least_saved;
    for (uint i = begin; i < end; i++) {
        const uint packed = packed_size(i, total);
        const bool is_stored = !pays || packed >= chunk_size;
        const uint start = pays ? before : i * chunk_size;
        chunk_starts[i] = start | (is_stored ? IS_STORED : 0u);
        destination.words[4u * push.destination + i] = is_stored ? chunk_size : packed;
        before += min(packed, chunk_size);
    }
    if (lane == 0u)
        chunk_starts[push.num_chunks] = pays ? whole : push.num_chunks * chunk_size;
}

void main()
{
    const uint lane = gl_LocalInvocationIndex;
    const uint total = sum_up_fragments(lane);
    memoryBarrierBuffer();
    barrier();
    plan_chunks(lane, total);
    barrier();
    for (uint i = lane; i < num_fragments(); i += WEIR_SNAPPY_GROUP) {
        const uint chunk = i / push.chunk_fragments, first = chunk * push.chunk_fragments;
        const uint start = chunk_starts[chunk];
        const uint into_chunk = (start & IS_STORED) != 0u ? (i - first) * FRAGMENT * WORD_SIZE
                                                          : packed_before(i) - packed_before(first);
        memory.words[i] = start + into_chunk;
    }
    if (lane == 0u)
        memory.words[num_fragments()] = chunk_starts[push.num_chunks];
}
