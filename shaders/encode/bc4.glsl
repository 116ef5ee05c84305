// SPDX-License-Identifier: MIT
// BC4 of one channel: an invocation encodes one block of 4x4 values, all by itself.
//
//   uvec2 encode_bc4(int values[16])
//
// takes values 0 to VALUE_MAX, row-major, and returns the 8 bytes of the block, in memory order. Integer arithmetic: the
// result is the same on every device. tests/ref/bc4.c defines every bit of it; names are the same here.
//
// Requires GL_EXT_control_flow_attributes and GL_GOOGLE_include_directive. The includer declares
//   layout(constant_id = N) const uint LEVEL = LEVEL_DEFAULT;
//   const bool SOURCE_IS_SIGNED

#include "encode/divide.glsl"

const int VALUE_MAX = SOURCE_IS_SIGNED ? 254 : 255;
const int LOWEST = SOURCE_IS_SIGNED ? -127 : 0; // what the value 0 stands for
const int MARGIN = 24;
const int INNER = 8;
const int RADIUS = LEVEL == LEVEL_EXHAUSTIVE ? 255 : 4;

struct ChannelFit {
    int a0, a1;
    int steps; // 7: eight values. 5: six, and 0 and the greatest
    int error; // (steps * difference)^2 over the texels
};

int scale_of(ChannelFit f)
{
    const int range = abs(f.a0 - f.a1);
    return range == 0 ? 0 : divide((1 << 19) + (range >> 1), range, 1.0 / float(range));
}

int nearest_value(ChannelFit f, int scale, int v)
{
    const int distance = clamp(f.a0 > f.a1 ? f.a0 - v : v - f.a0, 0, abs(f.a0 - f.a1));
    return (f.steps * distance * scale + (1 << 18)) >> 19;
}

int square(int x)
{
    return x * x;
}

int value_error(ChannelFit f, int k, int v)
{
    return square(f.steps * (v - f.a0) - k * (f.a1 - f.a0));
}

int extreme_error(ChannelFit f, int v)
{
    return square(f.steps * min(v, VALUE_MAX - v));
}

ChannelFit make_fit(int values[16], int a0, int a1, int steps)
{
    ChannelFit f = ChannelFit(a0, a1, steps, 0);
    const int scale = scale_of(f);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const int error = value_error(f, nearest_value(f, scale, values[t]), values[t]);
        f.error += steps == 5 ? min(error, extreme_error(f, values[t])) : error;
    }
    return f;
}

ChannelFit keep_better(int values[16], int a0, int a1, ChannelFit f)
{
    const ChannelFit moved = make_fit(values, a0, a1, f.steps);
    if (moved.error < f.error) {
        return moved;
    }
    return f;
}

ChannelFit refine(int values[16], ChannelFit f)
{
    const int scale = scale_of(f);
    int n = 0, sk = 0, skk = 0, sv = 0, skv = 0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const int v = values[t];
        const int k = nearest_value(f, scale, v);
        if (f.steps == 7 || value_error(f, k, v) <= extreme_error(f, v)) {
            n++;
            sk += k;
            skk += k * k;
            sv += v;
            skv += k * v;
        }
    }
    const int s = f.steps;
    const int aa = s * s * n - 2 * s * sk + skk;
    const int ab = s * sk - skk;
    const int bb = skk;
    const int av = s * sv - skv;
    const int bv = skv;
    const int d = aa * bb - ab * ab;
    const ivec2 ends = clamp(divide_round(s * ivec2(av * bb - bv * ab, bv * aa - av * ab), max(d, 1)), 0, VALUE_MAX);
    if (d > 0 && (ends.x > ends.y) == (s == 7)) {
        f = keep_better(values, ends.x, ends.y, f);
    }
    return f;
}

ChannelFit search(int values[16], ChannelFit f)
{
    const ChannelFit center = f;
    const bool is_seven = center.steps == 7;
    const int last = min(center.a0 + RADIUS, VALUE_MAX);
    [[dont_unroll]] for (int a0 = max(center.a0 - RADIUS, 0); a0 <= last; a0++) {
        const int from = max(center.a1 - RADIUS, is_seven ? 0 : a0);
        const int to = min(center.a1 + RADIUS, is_seven ? a0 - 1 : VALUE_MAX);
        [[dont_unroll]] for (int a1 = from; a1 <= to; a1++) {
            f = keep_better(values, a0, a1, f);
        }
    }
    return f;
}

ChannelFit improve(int values[16], ChannelFit f)
{
    [[dont_unroll]] for (int i = 0; i < (LEVEL == LEVEL_FAST ? 1 : 3); i++) {
        f = refine(values, f);
    }
    return LEVEL >= LEVEL_HIGH ? search(values, f) : f;
}

ChannelFit try_six(int values[16], ChannelFit f)
{
    int lo = VALUE_MAX;
    int hi = 0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        if (values[t] >= INNER && values[t] <= VALUE_MAX - INNER) {
            lo = min(lo, values[t]);
            hi = max(hi, values[t]);
        }
    }
    const ChannelFit six = improve(values, make_fit(values, min(lo, hi), hi, 5));
    if (49 * six.error < 25 * f.error) {
        return six;
    }
    return f;
}

uint code_of(ChannelFit f, int scale, int v)
{
    const int k = nearest_value(f, scale, v);
    if (f.steps == 5 && value_error(f, k, v) > extreme_error(f, v)) {
        return 2 * v < VALUE_MAX ? 6u : 7u;
    }
    return k == 0 ? 0u : k == f.steps ? 1u : uint(k) + 1u;
}

uvec2 pack(int values[16], ChannelFit f)
{
    const int scale = scale_of(f);
    uvec2 codes = uvec2(0u); // of eight texels each
    [[unroll]] for (int t = 0; t < 16; t++) {
        codes[t / 8] |= code_of(f, scale, values[t]) << 3 * (t % 8);
    }
    const uvec2 ends = uvec2(ivec2(f.a0, f.a1) + LOWEST) & 255u;
    return uvec2(ends.x | ends.y << 8 | codes.x << 16, codes.x >> 16 | codes.y << 8);
}

uvec2 encode_bc4(int values[16])
{
    int lo = VALUE_MAX;
    int hi = 0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        lo = min(lo, values[t]);
        hi = max(hi, values[t]);
    }
    // One value: equal endpoints mean six values, of which the first is that.
    ChannelFit f = ChannelFit(hi, lo, 5, 0);
    if (lo < hi) {
        f = improve(values, make_fit(values, hi, lo, 7));
        const bool has_extremes = lo < MARGIN || hi > VALUE_MAX - MARGIN;
        if (LEVEL == LEVEL_EXHAUSTIVE || (LEVEL != LEVEL_FAST && has_extremes)) {
            f = try_six(values, f);
        }
    }
    return pack(values, f);
}
