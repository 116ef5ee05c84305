// SPDX-License-Identifier: MIT
// Gathers packed fragments, and chunks that are stored, to one run of bytes.
//
// An invocation writes 16 bytes, a workgroup 4 KiB; those behind the end write nothing. No shared
// memory. Requires nothing beyond Vulkan 1.2.

#include "snappy/constants.h"

layout(local_size_x = WEIR_SNAPPY_GROUP) in;

layout(set = WEIR_SNAPPY_SET_SOURCE, binding = 0, std430) readonly buffer Source {
    uint words[];
} source;
layout(set = WEIR_SNAPPY_SET_DESTINATION, binding = 0, std430) writeonly buffer Destination {
    uvec4 vectors[];
} destination;

#define MEMORY_ACCESS readonly
#include "snappy/memory.glsl"

uint start_of(uint fragment)
{
    return memory.words[fragment] & ~IS_STORED;
}

// Get the fragment that has that byte of the result.
uint fragment_at(uint byte)
{
    uint low = 0u, high = num_fragments();
    while (high - low > 1u) {
        const uint middle = (low + high) / 2u;
        if (start_of(middle) <= byte)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Where a fragment's bytes are.
struct Place {
    bool is_stored;
    uint first;      // word, in the source or in the memory
    uint start, end; // in the result [bytes]
};

Place place_of(uint fragment)
{
    const bool is_stored = (memory.words[fragment] & IS_STORED) != 0u;
    return Place(is_stored, is_stored ? source_of(fragment) : room_of(fragment),
                 start_of(fragment), start_of(fragment + 1u));
}

uint word_at(Place place, uint index)
{
    return place.is_stored ? source.words[place.first + index] : memory.words[place.first + index];
}

// Get four bytes from that byte of the result on, all of them in one place.
uint four_at(Place place, uint byte)
{
    const uint at = byte - place.start;
    const uint shift = 8u * (at & 3u);
    const uint low = word_at(place, at >> 2);
    return shift == 0u ? low : low >> shift | word_at(place, (at >> 2) + 1u) << (32u - shift);
}

void main()
{
    const uint group = gl_WorkGroupID.y * WEIR_SNAPPY_GATHER_ROW + gl_WorkGroupID.x;
    const uint vector = group * WEIR_SNAPPY_GROUP + gl_LocalInvocationIndex;
    const uint first = 16u * vector;
    const uint end = start_of(num_fragments());
    if (first >= end)
        return;
    uint fragment = fragment_at(first);
    Place place = place_of(fragment);
    uvec4 result = uvec4(0u);
    for (uint i = 0u; i < 4u; i++) {
        const uint byte = first + 4u * i;
        if (byte + 4u <= place.end) {
            result[i] = four_at(place, byte);
            continue;
        }
        for (uint b = byte; b < min(byte + 4u, end); b++) {
            if (b == place.end)
                place = place_of(++fragment);
            const uint at = b - place.start;
            result[i] |= (word_at(place, at >> 2) >> 8u * (at & 3u) & 0xffu) << 8u * (b & 3u);
        }
    }
    const uint data = (push.num_chunks + 3u) / 4u; // behind the sizes
    destination.vectors[push.destination + data + vector] = result;
}
