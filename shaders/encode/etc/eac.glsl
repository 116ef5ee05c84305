// SPDX-License-Identifier: MIT
// EAC of one channel of 11 bits, or of alpha: an invocation encodes one block of 4x4 values, all by
// itself.
//
//   uvec2 encode_eac(int v[16])
//
// takes values 0 to EAC_MAX, row-major, and returns the 8 bytes of the block, in memory order.
// Integer arithmetic: the result is the same on every device. tests/ref/eac.c defines every bit of
// it; names are the same here.
//
// Requires GL_EXT_control_flow_attributes and GL_GOOGLE_include_directive. The includer declares
//   const uint EFFORT // encode/effort.glsl
//   const bool SOURCE_IS_SIGNED
//   const int EAC_UNIT = 8; // for channels of 11 bits; 1 for the alpha of ETC2 RGBA

#include "encode/bytes.glsl"
#include "encode/divide.glsl"

const ivec4 MAGNITUDES[16] = ivec4[16](
    ivec4(3, 6, 9, 15), ivec4(3, 7, 10, 13), ivec4(2, 5, 8, 13), ivec4(2, 4, 6, 13),
    ivec4(3, 6, 8, 12), ivec4(3, 7, 9, 11), ivec4(4, 7, 8, 11), ivec4(3, 5, 8, 11),
    ivec4(2, 6, 8, 10), ivec4(2, 5, 8, 10), ivec4(2, 4, 8, 10), ivec4(2, 5, 7, 10),
    ivec4(3, 4, 7, 10), ivec4(1, 2, 3, 10), ivec4(4, 6, 8, 9), ivec4(3, 5, 7, 9));

const int EAC_MAX = EAC_UNIT == 1 ? 255 : SOURCE_IS_SIGNED ? 2046 : 2047;
const int MAX_BASE = SOURCE_IS_SIGNED ? 254 : 255;
const int LOWEST_BASE = SOURCE_IS_SIGNED ? -127 : 0; // the code that base 0 is written as
const int HALF = EAC_UNIT == 1 ? 0 : SOURCE_IS_SIGNED ? 7 : 4; // the value that base 0 stands for

// Limits of the search by effort.
const int EAC_RADIUS = EFFORT == WEIR_ENCODE_EFFORT_FAST         ? 2
                       : EFFORT == WEIR_ENCODE_EFFORT_HIGH       ? 24
                       : EFFORT == WEIR_ENCODE_EFFORT_EXHAUSTIVE ? 511
                                                                 : 12;
// Bases that a turn of search_table() tries. There are more than 65,535 combinations, and Mesa's
// software device ends the loops of an invocation after 65,535 turns in all.
const int EAC_TRIES_A_TURN = EFFORT == WEIR_ENCODE_EFFORT_EXHAUSTIVE ? 2 : 1;
const int EAC_FROM = EFFORT == WEIR_ENCODE_EFFORT_FAST         ? 7
                     : EFFORT == WEIR_ENCODE_EFFORT_HIGH       ? 3
                     : EFFORT == WEIR_ENCODE_EFFORT_EXHAUSTIVE ? 0
                                                               : 5;
const int EAC_TO = EFFORT == WEIR_ENCODE_EFFORT_FAST   ? 12
                   : EFFORT == WEIR_ENCODE_EFFORT_HIGH ? 25
                                                       : 13;

struct EacFit {
    int base, multiplier, table;
    int error;
};

int eac_scale(int multiplier)
{
    return multiplier == 0 ? EAC_UNIT / 8 : EAC_UNIT * multiplier;
}

// Get the distances from v of the values that the four modifiers on v's side of `start` give.
ivec4 eac_distances(int start, int scale, ivec4 magnitudes, int v)
{
    return 2 * (v - start) >= -scale ? abs(min(start + (magnitudes - 1) * scale, EAC_MAX) - v)
                                     : abs(max(start - magnitudes * scale, 0) - v);
}

EacFit keep_better(int v[16], EacFit moved, EacFit f)
{
    const int scale = eac_scale(moved.multiplier);
    const int start = EAC_UNIT * moved.base + HALF;
    const ivec4 magnitudes = MAGNITUDES[moved.table];
    moved.error = 0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const ivec4 d = eac_distances(start, scale, magnitudes, v[t]);
        const int distance = min(min(d.x, d.y), min(d.z, d.w));
        moved.error += distance * distance;
    }
    if (moved.error < f.error) {
        return moved;
    }
    return f;
}

EacFit search_table(int v[16], int table, int lo, int hi, EacFit f)
{
    const int reach = 10 * EAC_UNIT * (2 * MAGNITUDES[table].w - 1);
    const float inverse = 1.0 / float(reach);
    const int first = divide(EAC_FROM * (hi - lo), reach, inverse);
    const int last = EFFORT == WEIR_ENCODE_EFFORT_EXHAUSTIVE
                         ? 15
                         : max(divide(EAC_TO * (hi - lo) + reach - 1, reach, inverse), first);
    [[dont_unroll]] for (int multiplier = first; multiplier <= min(last, 15); multiplier++) {
        const int middle = max(lo + hi + eac_scale(multiplier) + EAC_UNIT - 2 * HALF, 0) /
                           (2 * EAC_UNIT);
        const int top = min(middle + EAC_RADIUS, MAX_BASE);
        [[dont_unroll]] for (int base = max(middle - EAC_RADIUS, 0); base <= top;
                             base += EAC_TRIES_A_TURN) {
            f = keep_better(v, EacFit(base, multiplier, table, 0), f);
            if (EFFORT == WEIR_ENCODE_EFFORT_EXHAUSTIVE && base < top) {
                f = keep_better(v, EacFit(base + 1, multiplier, table, 0), f);
            }
        }
    }
    return f;
}

uint eac_code(EacFit f, int v)
{
    const int scale = eac_scale(f.multiplier);
    const int start = EAC_UNIT * f.base + HALF;
    const ivec4 d = eac_distances(start, scale, MAGNITUDES[f.table], v);
    const int least = min(min(d.x, d.y), min(d.z, d.w));
    const uint k = d.x == least ? 0u : d.y == least ? 1u : d.z == least ? 2u : 3u;
    return k + (2 * (v - start) >= -scale ? 4u : 0u);
}

uvec2 pack(int v[16], EacFit f)
{
    uvec2 codes = uvec2(0u); // codes of eight texels each, the first texel's highest
    [[unroll]] for (int p = 0; p < 16; p++) {
        codes[p / 8] = codes[p / 8] << 3 | eac_code(f, v[p % 4 * 4 + p / 4]);
    }
    const uint head = uint(f.base + LOWEST_BASE) << 24 | uint(f.multiplier) << 20 |
                      uint(f.table) << 16;
    return uvec2(swap_bytes(head | codes.x >> 8), swap_bytes(codes.x << 24 | codes.y));
}

uvec2 encode_eac(int v[16])
{
    int lo = EAC_MAX;
    int hi = 0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        lo = min(lo, v[t]);
        hi = max(hi, v[t]);
    }
    EacFit f = EacFit(0, 0, 0, 1 << 30);
    [[dont_unroll]] for (int table = 0; table < 16; table++) {
        f = search_table(v, table, lo, hi, f);
    }
    return pack(v, f);
}
