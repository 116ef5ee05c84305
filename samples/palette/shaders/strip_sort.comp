// SPDX-License-Identifier: MIT
// Sorts the colours of the hash table by their light, and lays them out in a row of 256 texels.
//
// One workgroup. An invocation collects 16 places of the table, ranks a colour, and writes a texel.
// Of more than 256 colours any 256 are shown. Shared memory: 2 KB.

layout(local_size_x = 256) in;

layout(set = 0, binding = 0, r32ui) uniform readonly uimage2D table; // 64 x 64
layout(set = 0, binding = 1, rgba8) uniform writeonly image2D row;   // 256 x 1

shared uint found[256], sorted[256], num_found;

float luma(uint color)
{
    return dot(unpackUnorm4x8(color).rgb, vec3(0.299, 0.587, 0.114));
}

// Return true if `a` comes before `b`, in an order without ties.
bool before(uint a, uint b)
{
    return luma(a) < luma(b) || (luma(a) == luma(b) && a < b);
}

void main()
{
    const uint self = gl_LocalInvocationIndex;
    if (self == 0u) {
        num_found = 0u;
    }
    barrier();
    for (uint place = self; place < 64u * 64u; place += 256u) {
        const uint color = imageLoad(table, ivec2(place % 64u, place / 64u)).r;
        const uint number = color != 0u ? atomicAdd(num_found, 1u) : 256u;
        if (number < 256u) {
            found[number] = color;
        }
    }
    barrier();
    const uint num = min(num_found, 256u);
    if (self < num) {
        uint rank = 0u;
        for (uint i = 0u; i < num; ++i) {
            rank += before(found[i], found[self]) ? 1u : 0u;
        }
        sorted[rank] = found[self];
    }
    barrier();
    imageStore(row, ivec2(self, 0), unpackUnorm4x8(sorted[self * num / 256u]));
}
