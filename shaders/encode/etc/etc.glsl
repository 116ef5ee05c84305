// SPDX-License-Identifier: MIT
// Code that the modes of ETC1 and ETC2 share: the four colours that a texel chooses from, and the
// words of a block.
// tests/ref/etc.c defines every bit of it; names are the same here.
//
// Requires GL_EXT_control_flow_attributes and GL_GOOGLE_include_directive.

#ifndef WEIR_ETC
#define WEIR_ETC

#include "encode/bytes.glsl"
#include "encode/divide.glsl"

const int ETC_NO_FIT = 1 << 28;
const uint ETC_ALL_OPAQUE = 0xffffu;

struct EtcTexels {
    ivec3 rgb[16]; // row-major; 0 where a texel is transparent
    uint opaque;   // a bit for each opaque texel
    int square;    // sum of the squares of all texels
};

// The four colours in a form that makes distances cheap. The squared distance of v from a colour is
// dot(v, v) + constant + dot(v, factor), and the first summand is the same for all colours.
struct EtcPalette {
    ivec3 factor[4];
    ivec4 constant;
};

int etc_dot(ivec3 a, ivec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

EtcTexels etc_texels(ivec3 rgb[16], uint opaque)
{
    EtcTexels x = EtcTexels(rgb, opaque, 0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        x.square += etc_dot(rgb[t], rgb[t]);
    }
    return x;
}

EtcPalette etc_palette(ivec3 a, ivec3 b, ivec3 c, ivec3 d, bool lacks_2)
{
    a = clamp(a, ivec3(0), ivec3(255));
    b = clamp(b, ivec3(0), ivec3(255));
    c = clamp(c, ivec3(0), ivec3(255));
    d = clamp(d, ivec3(0), ivec3(255));
    return EtcPalette(ivec3[4](-2 * a, -2 * b, -2 * c, -2 * d),
                      ivec4(etc_dot(a, a), etc_dot(b, b),
                            etc_dot(c, c) + (lacks_2 ? ETC_NO_FIT : 0), etc_dot(d, d)));
}

// Get the squared distance of v from each colour, less dot(v, v), which is the same for all.
ivec4 etc_distances(EtcPalette p, ivec3 v)
{
    return p.constant + ivec4(etc_dot(v, p.factor[0]), etc_dot(v, p.factor[1]),
                              etc_dot(v, p.factor[2]), etc_dot(v, p.factor[3]));
}

int etc_least(ivec4 d)
{
    return min(min(d.x, d.y), min(d.z, d.w));
}

uint etc_nearest(EtcPalette p, ivec3 v)
{
    const ivec4 d = etc_distances(p, v);
    const int least = etc_least(d);
    return d.x == least ? 0u : d.y == least ? 1u : d.z == least ? 2u : 3u;
}

bool is_opaque(uint opaque, int t)
{
    return (opaque >> t & 1u) != 0u;
}

ivec3 etc_value_of(ivec3 code, int size)
{
    return code << 8 - size | code >> 2 * size - 8;
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
