// SPDX-License-Identifier: MIT
// Code that the modes of ETC1 and ETC2 share: the four colours that a texel chooses from, and the
// words of a block.
//
// Colours, sums and errors are floats that hold integers, or halves of integers below 2^23: GPUs
// compute these twice as fast, and they are as exact. No result depends on the order of a sum.
//
// Requires encode/texture.glsl.

#ifndef WEIR_ETC
#define WEIR_ETC

#include "encode/bytes.glsl"
#include "encode/divide.glsl"
#include "encode/lanes.glsl"

const float ETC_NO_FIT = 8388608.0; // above all errors, and exact with one on top
const uint ETC_ALL_OPAQUE = 0xffffu;

struct EtcTexels {
    vec3 rgb[16]; // row-major; 0 where a texel is transparent
    uint opaque;  // a bit for each opaque texel
    float square; // sum of the squares of all texels
};

// The four colours in a form that makes distances cheap. Half the squared distance of v from a
// colour is dot(v, v) / 2 + constant - dot(v, color), and the first summand is the same for all
// colours.
struct EtcPalette {
    vec3 color[4];
    vec4 constant;
};

shared uint etc_codes[16][BLOCKS_OF_GROUP];

// Fetch the texels of a block: each of its lanes fetches some for all.
void fetch_all_codes(uvec2 block, out ivec4 codes[16])
{
    const uvec4 shifts = uvec4(0u, 8u, 16u, 24u);
    [[unroll]] for (uint i = 0u; i < 16u; i += NUM_LANES) {
        const uvec4 own = uvec4(fetch_codes(block, i + lane_of_block())) << shifts;
        etc_codes[i + lane_of_block()][place_of_block()] = own.r | own.g | own.b | own.a;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        codes[i] = ivec4(uvec4(etc_codes[i][place_of_block()]) >> shifts & 255u);
    }
}

EtcTexels etc_texels(ivec3 rgb[16], uint opaque)
{
    EtcTexels x;
    x.opaque = opaque;
    x.square = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        x.rgb[t] = vec3(rgb[t]);
        x.square += dot(x.rgb[t], x.rgb[t]);
    }
    return x;
}

// Colours of 0 to 255.
EtcPalette etc_palette(vec3 a, vec3 b, vec3 c, vec3 d, bool lacks_2)
{
    return EtcPalette(vec3[4](a, b, c, d),
                      vec4(0.5 * dot(a, a), 0.5 * dot(b, b), lacks_2 ? ETC_NO_FIT : 0.5 * dot(c, c),
                           0.5 * dot(d, d)));
}

// Get half the squared distance of v from each colour, less dot(v, v) / 2, which is the same for
// all.
vec4 etc_distances(EtcPalette p, vec3 v)
{
    return p.constant -
           vec4(dot(v, p.color[0]), dot(v, p.color[1]), dot(v, p.color[2]), dot(v, p.color[3]));
}

float etc_least(vec4 d)
{
    return min(min(d.x, d.y), min(d.z, d.w));
}

uint etc_nearest(EtcPalette p, vec3 v)
{
    const vec4 d = etc_distances(p, v);
    const float least = etc_least(d);
    return d.x == least ? 0u : d.y == least ? 1u : d.z == least ? 2u : 3u;
}

bool is_opaque(uint opaque, int t)
{
    return (opaque >> t & 1u) != 0u;
}

// Get the codes of `size` bits that are nearest to x / (255 n), in lo .. hi.
ivec3 etc_code_of(ivec3 x, int n, int size, ivec3 lo, ivec3 hi)
{
    const ivec3 twice = ((2 << size) - 2) * max(x, ivec3(0)) + 255 * n;
    const float inverse = 1.0 / float(510 * n);
    return clamp(ivec3(divide(twice.x, 510 * n, inverse), divide(twice.y, 510 * n, inverse),
                       divide(twice.z, 510 * n, inverse)),
                 lo, hi);
}

uvec2 etc_pack(EtcTexels x, uint head, bool is_flipped, EtcPalette first, EtcPalette second)
{
    uint codes = 0u;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const uint a = etc_nearest(first, x.rgb[t]);
        const uint b = etc_nearest(second, x.rgb[t]);
        const bool is_second = is_flipped ? t / 8 == 1 : t % 4 / 2 == 1;
        const uint code = is_opaque(x.opaque, t) ? (is_second ? b : a) : 2u;
        codes |= (code >> 1 << 16 | (code & 1u)) << t % 4 * 4 + t / 4;
    }
    return uvec2(swap_bytes(head), swap_bytes(codes));
}

#endif
