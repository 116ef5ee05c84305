// SPDX-License-Identifier: MIT
// Enters the colours of a picture into a hash table, each once.
//
// An invocation looks up a pixel. A table that is full takes no more.

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1, r32ui) uniform uimage2D table; // 64 x 64; 0 is an empty place

const uint PLACES = 64u * 64u;

void main()
{
    const ivec2 position = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(position, textureSize(picture, 0)))) {
        return;
    }
    const uint color = packUnorm4x8(vec4(texelFetch(picture, position, 0).rgb, 1.0));
    uint place = (color * 2654435761u >> 20) % PLACES; // Fibonacci hashing (Knuth)
    for (uint i = 0u; i < PLACES; ++i) {
        const ivec2 at = ivec2(place % 64u, place / 64u);
        // Most pixels find their colour there already: a read is cheaper than an exchange.
        uint holds = imageLoad(table, at).r;
        if (holds == 0u) {
            holds = imageAtomicCompSwap(table, at, 0u, color);
        }
        if (holds == 0u || holds == color) {
            return;
        }
        place = (place + 1u) % PLACES;
    }
}
