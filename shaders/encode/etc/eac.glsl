// SPDX-License-Identifier: MIT
// EAC of one channel of 11 bits, or of alpha. The lanes of a block (encode/lanes.glsl) divide the
// tables.
//
//   uvec2 encode_eac(int v[16])
//
// takes values 0 to EAC_MAX, row-major, and returns to lane 0 the 8 bytes of the block, in memory
// order. The result is the same on every device: integer arithmetic, and floats that hold integers.
//
// A signed block is an unsigned one whose values go from 0 to 2046 and whose base stands for 8 *
// base + 7: all is moved up by 1023, and the base by 127. -128, which decoders take for -127, is
// never written.
//
// Format: Khronos Data Format Specification, "ETC2". The search is Weir's: all multipliers by which
// a table's modifiers reach about as far as the texels do, each with bases from which they miss the
// least and the greatest texel by little.
//
// Requires GL_EXT_control_flow_attributes. The includer declares
//   const uint EFFORT // encode/effort.glsl
//   const bool SOURCE_IS_SIGNED
//   const int EAC_UNIT = 8; // for channels of 11 bits; 1 for the alpha of ETC2 RGBA

#include "encode/bytes.glsl"
#include "encode/divide.glsl"
#include "encode/lanes.glsl"
#include "encode/rounding.glsl"

const vec4 MAGNITUDES[16] = vec4[16](
    vec4(3.0, 6.0, 9.0, 15.0), vec4(3.0, 7.0, 10.0, 13.0), vec4(2.0, 5.0, 8.0, 13.0),
    vec4(2.0, 4.0, 6.0, 13.0), vec4(3.0, 6.0, 8.0, 12.0), vec4(3.0, 7.0, 9.0, 11.0),
    vec4(4.0, 7.0, 8.0, 11.0), vec4(3.0, 5.0, 8.0, 11.0), vec4(2.0, 6.0, 8.0, 10.0),
    vec4(2.0, 5.0, 8.0, 10.0), vec4(2.0, 4.0, 8.0, 10.0), vec4(2.0, 5.0, 7.0, 10.0),
    vec4(3.0, 4.0, 7.0, 10.0), vec4(1.0, 2.0, 3.0, 10.0), vec4(4.0, 6.0, 8.0, 9.0),
    vec4(3.0, 5.0, 7.0, 9.0));

const int EAC_MAX = EAC_UNIT == 1 ? 255 : SOURCE_IS_SIGNED ? 2046 : 2047;
const int MAX_BASE = SOURCE_IS_SIGNED ? 254 : 255;
const int LOWEST_BASE = SOURCE_IS_SIGNED ? -127 : 0; // the code that base 0 is written as
const int HALF = EAC_UNIT == 1 ? 0 : SOURCE_IS_SIGNED ? 7 : 4; // the value that base 0 stands for

// Limits of the search by effort.
const int EAC_MISSED = EFFORT == WEIR_ENCODE_EFFORT_HIGH ? 3 : 2;
const int EAC_MOST = EFFORT == WEIR_ENCODE_EFFORT_FAST   ? 12
                     : EFFORT == WEIR_ENCODE_EFFORT_HIGH ? 18
                                                         : 13;
const int EAC_LEAST = EFFORT == WEIR_ENCODE_EFFORT_FAST ? 1 : 2;
// Bases that a turn of search_table() tries. There are more than 65,535 combinations, and Mesa's
// software device ends the loops of an invocation after 65,535 turns in all.
const int EAC_TRIES_A_TURN = EFFORT == WEIR_ENCODE_EFFORT_EXHAUSTIVE ? 2 : 1;
// Above the least error of every block: a multiplier that reaches over all texels, as each effort
// tries one, has none farther from a value than 420. Floats hold all integers below it.
const float EAC_NO_FIT = 16777216.0;

struct EacFit {
    float start, multiplier; // the value that the base stands for
    int table;
    float error; // four times the squared distances, over the texels
};

float eac_scale(float multiplier)
{
    return multiplier == 0.0 ? float(EAC_UNIT / 8) : float(EAC_UNIT) * multiplier;
}

// The values of the modifiers lie on both sides of the middle between the least two, -m and m - 1,
// each as far from it as its like. So four magnitudes serve all eight, and two of them make a pair,
// with a middle and half a distance of its own. All is doubled, as that middle may be a half. Where
// values are clamped, 0 or EAC_MAX is one; what they were before is farther from all texels.
float eac_error(float twice[16], float start, float scale, vec4 magnitudes)
{
    const float middle = 2.0 * start - scale;
    const vec2 pairs = (magnitudes.xz + magnitudes.yw - 1.0) * scale;
    const vec2 halves = (magnitudes.yw - magnitudes.xz) * scale;
    float distances[16];
    [[unroll]] for (int t = 0; t < 16; t++) {
        const float d = abs(twice[t] - middle);
        distances[t] = min(abs(abs(d - pairs.x) - halves.x), abs(abs(d - pairs.y) - halves.y));
    }
    if (start < magnitudes.w * scale) {
        [[unroll]] for (int t = 0; t < 16; t++) {
            distances[t] = min(distances[t], twice[t]);
        }
    }
    if (start + (magnitudes.w - 1.0) * scale > float(EAC_MAX)) {
        [[unroll]] for (int t = 0; t < 16; t++) {
            distances[t] = min(distances[t], float(2 * EAC_MAX) - twice[t]);
        }
    }
    float error = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        error += distances[t] * distances[t];
    }
    return error;
}

EacFit keep_better(float twice[16], float start, float scale, float multiplier, int table,
                   EacFit f)
{
    const float error = eac_error(twice, start, scale, MAGNITUDES[table]);
    if (error < f.error) {
        return EacFit(start, multiplier, table, error);
    }
    return f;
}

// Get a power of two, and one over it.
vec2 step_of(float multiplier)
{
    const float by = multiplier > 8.0 ? 4.0 : multiplier > 4.0 ? 2.0 : 1.0;
    const float part = multiplier > 8.0 ? 0.25 : multiplier > 4.0 ? 0.5 : 1.0;
    return EFFORT >= WEIR_ENCODE_EFFORT_HIGH || multiplier <= 1.0 ? vec2(1.0, 1.0)
           : EFFORT == WEIR_ENCODE_EFFORT_FAST                    ? vec2(2.0 * by, 0.5 * part)
                                                                  : vec2(by, part);
}

// Round a multiple of 1/16 down.
float eac_floor(float x)
{
    precise float below = x - 31.0 / 64.0;
    return nearest(below);
}

// The bases to try with a multiplier, as the values that they stand for: from `start` to `top`.
struct EacBases {
    float scale, start, top, by;
};

EacBases bases_of(float multiplier, float reach, float sum, float within)
{
    const float unit = float(EAC_UNIT);
    const float scale = eac_scale(multiplier);
    const float twice = max(sum + scale + float(EAC_UNIT - 2 * HALF), 0.0);
    const float middle = min(eac_floor(0.5 / unit * twice), float(MAX_BASE));
    const float radius = EFFORT == WEIR_ENCODE_EFFORT_EXHAUSTIVE
                             ? float(MAX_BASE)
                             : eac_floor(0.5 / unit * max(reach * scale - within, 0.0));
    const vec2 by = step_of(multiplier);
    const float base = middle - by.x * eac_floor(min(radius, middle) * by.y);
    return EacBases(scale, unit * base + float(HALF),
                    unit * min(middle + radius, float(MAX_BASE)) + float(HALF), unit * by.x);
}

// One loop over multipliers and bases: invocations that have few bases of one multiplier and many
// of the next do not wait for each other at each.
EacFit search_table(float twice[16], int table, int lo, int hi, EacFit f)
{
    const int reach = 2 * int(MAGNITUDES[table].w) - 1;
    const int range = hi - lo;
    const int within = range - 2 * (EAC_MISSED * range / 20);
    int first = 0, last = 15;
    if (EFFORT != WEIR_ENCODE_EFFORT_EXHAUSTIVE) {
        const int whole = EAC_UNIT * reach, tenths = 10 * whole;
        const int fit = divide(within + whole - 1, whole, 1.0 / float(whole));
        const int most = divide(EAC_MOST * range + tenths - 1, tenths, 1.0 / float(tenths));
        first = within <= reach * (EAC_UNIT / 8) ? 0 : min(fit, 15);
        last = range == 0 ? 0 : min(max(most, EAC_LEAST), 15);
    }
    const float sum = float(lo + hi);
    const float end = float(max(first, last));
    float multiplier = float(first);
    EacBases bases = bases_of(multiplier, float(reach), sum, float(within));
    [[dont_unroll]] while (multiplier <= end) {
        f = keep_better(twice, bases.start, bases.scale, multiplier, table, f);
        if (EFFORT == WEIR_ENCODE_EFFORT_EXHAUSTIVE && bases.start < bases.top) {
            f = keep_better(twice, bases.start + float(EAC_UNIT), bases.scale, multiplier, table,
                            f);
        }
        bases.start += bases.by * float(EAC_TRIES_A_TURN);
        if (bases.start > bases.top) {
            multiplier += 1.0;
            bases = bases_of(multiplier, float(reach), sum, float(within));
        }
    }
    return f;
}

uint eac_code(EacFit f, float v)
{
    const float scale = eac_scale(f.multiplier);
    const vec4 magnitudes = MAGNITUDES[f.table];
    const vec4 below = abs(max(f.start - magnitudes * scale, 0.0) - v);
    const vec4 above = abs(min(f.start + (magnitudes - 1.0) * scale, float(EAC_MAX)) - v);
    const float least_below = min(min(below.x, below.y), min(below.z, below.w));
    const float least_above = min(min(above.x, above.y), min(above.z, above.w));
    const bool is_above = least_above < least_below;
    const vec4 d = is_above ? above : below;
    const float least = min(least_below, least_above);
    const uint k = d.x == least ? 0u : d.y == least ? 1u : d.z == least ? 2u : 3u;
    return k + (is_above ? 4u : 0u);
}

uvec2 pack(int v[16], EacFit f)
{
    uvec2 codes = uvec2(0u); // codes of eight texels each, the first texel's highest
    [[unroll]] for (int p = 0; p < 16; p++) {
        codes[p / 8] = codes[p / 8] << 3 | eac_code(f, float(v[p % 4 * 4 + p / 4]));
    }
    const int base = (int(f.start) - HALF) / EAC_UNIT + LOWEST_BASE;
    const uint head = uint(base) << 24 | uint(f.multiplier) << 20 | uint(f.table) << 16;
    return uvec2(swap_bytes(head | codes.x >> 8), swap_bytes(codes.x << 24 | codes.y));
}

shared EacFit eac_fits[NUM_LANES][BLOCKS_OF_GROUP]; // of the lanes of each block

uvec2 encode_eac(int v[16])
{
    float twice[16];
    int lo = EAC_MAX;
    int hi = 0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        twice[t] = float(2 * v[t]);
        lo = min(lo, v[t]);
        hi = max(hi, v[t]);
    }
    EacFit f = EacFit(0.0, 0.0, 0, EAC_NO_FIT);
    [[dont_unroll]] for (uint table = lane_of_block(); table < 16u; table += NUM_LANES) {
        f = search_table(twice, int(table), lo, hi, f);
    }
    eac_fits[lane_of_block()][place_of_block()] = f;
    barrier();
    if (lane_of_block() != 0u) {
        return uvec2(0u);
    }
    [[dont_unroll]] for (uint i = 1u; i < NUM_LANES; i++) {
        const EacFit other = eac_fits[i][place_of_block()];
        if (other.error < f.error || (other.error == f.error && other.table < f.table)) {
            f = other;
        }
    }
    return pack(v, f);
}
