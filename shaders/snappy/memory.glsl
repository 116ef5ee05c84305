// SPDX-License-Identifier: MIT
// What the kernels of Snappy share: their push constants, and the packer's memory.
//
// Of n fragments the memory holds n + 1 numbers, which are first the sizes of the packed fragments,
// and then where each begins in the result, and its end; n numbers that only the plan uses; and
// from a multiple of 16 bytes on the packed fragments, each in a room of its own.
//
// MEMORY_ACCESS: `coherent` where invocations read what others have written.

layout(push_constant) uniform Push {
#include "snappy/push.glsl"
} push;

layout(set = WEIR_SNAPPY_SET_MEMORY, binding = 0, std430) MEMORY_ACCESS buffer Memory {
    uint words[];
} memory;

const uint WORD_SIZE = 4u; // [bytes]
const uint FRAGMENT = WEIR_SNAPPY_FRAGMENT;

// Beside where a fragment begins: its chunk is stored as it was.
const uint IS_STORED = 1u << 31;

uint num_fragments()
{
    return push.num_chunks * push.chunk_fragments;
}

// Get where a packed fragment is in the memory [words].
uint room_of(uint fragment)
{
    const uint num_numbers = 2u * num_fragments() + 1u;
    return (num_numbers + 3u & ~3u) + fragment * WEIR_SNAPPY_ROOM;
}

// Get where a fragment is in the source [words].
uint source_of(uint fragment)
{
    const uint chunk = fragment / push.chunk_fragments;
    return push.source + chunk * push.chunk_words +
           (fragment - chunk * push.chunk_fragments) * FRAGMENT;
}
