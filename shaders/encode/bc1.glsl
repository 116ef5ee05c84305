// SPDX-License-Identifier: MIT
// BC1, opaque: an invocation encodes one block of 4x4 texels, all by itself.
//
//   uvec2 encode_bc1(ivec3 rgb[16])
//
// takes codes 0 to 255, row-major, and returns the 8 bytes of the block, in memory order. Integer arithmetic: the
// result is the same on every device. tests/ref/bc1.c defines every bit of it; names are the same here.
//
// Requires GL_EXT_control_flow_attributes and GL_GOOGLE_include_directive. The includer declares
//   layout(constant_id = N) const uint LEVEL = LEVEL_DEFAULT;

#include "encode/divide.glsl"

const int MAX_PASSES = 8;
const ivec3 MAX_CODE = ivec3(31, 63, 31);

struct ColorFit {
    ivec3 first, second;
    int error;
};

ivec3 value_of(ivec3 code)
{
    return (code * ivec3(8423, 4145, 8423) + 128) >> 8;
}

// The codes nearest to x / (255 d).
ivec3 code_of(ivec3 x, int d)
{
    const ivec3 n = x * MAX_CODE;
    const int whole = 255 * d;
    const ivec2 a = divide_round(n.xy, whole);
    const ivec2 b = divide_round(n.zz, whole);
    return clamp(ivec3(a, b.x), ivec3(0), MAX_CODE);
}

struct Line {
    ivec3 start, way;
    int square; // of the way
};

int dot_product(ivec3 a, ivec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

Line line_of(ColorFit f)
{
    const ivec3 start = value_of(f.first);
    const ivec3 way = value_of(f.second) - start;
    return Line(start, way, dot_product(way, way));
}

int nearest_third(Line l, ivec3 v)
{
    const int along = 6 * dot_product(l.way, 4 * v - l.start);
    return int(along > l.square) + int(along > 3 * l.square) + int(along > 5 * l.square);
}

ColorFit make_fit(ivec3 rgb[16], ivec3 first, ivec3 second)
{
    ColorFit f = ColorFit(first, second, 0);
    const Line l = line_of(f);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const ivec3 e = 3 * (4 * rgb[t] - l.start) - nearest_third(l, rgb[t]) * l.way;
        f.error += dot_product(e, e);
    }
    return f;
}

ColorFit keep_better(ivec3 rgb[16], ivec3 first, ivec3 second, ColorFit f)
{
    if (all(equal(clamp(first, ivec3(0), MAX_CODE), first)) && all(equal(clamp(second, ivec3(0), MAX_CODE), second))) {
        const ColorFit moved = make_fit(rgb, first, second);
        if (moved.error < f.error) {
            return moved;
        }
    }
    return f;
}

ColorFit refine(ivec3 rgb[16], ColorFit f)
{
    const Line l = line_of(f);
    int sk = 0, skk = 0;
    ivec3 sv = ivec3(0), skv = ivec3(0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const int k = nearest_third(l, rgb[t]);
        sk += k;
        skk += k * k;
        sv += rgb[t];
        skv += k * rgb[t];
    }
    const int aa = 144 - 6 * sk + skk;
    const int ab = 3 * sk - skk;
    const int bb = skk;
    const int d = aa * bb - ab * ab;
    if (d == 0) {
        return f;
    }
    const ivec3 av = 3 * sv - skv;
    const ivec3 bv = skv;
    return keep_better(rgb, code_of(3 * (av * bb - bv * ab), d), code_of(3 * (bv * aa - av * ab), d), f);
}

ColorFit search_channels(ivec3 rgb[16], ColorFit f)
{
    [[dont_unroll]] for (int c = 0; c < 3; c++) {
        const ivec3 axis = ivec3(equal(ivec3(c), ivec3(0, 1, 2)));
        const ColorFit center = f;
        [[dont_unroll]] for (int i = 0; i < 9; i++) {
            f = keep_better(rgb, center.first + (i / 3 - 1) * axis, center.second + (i % 3 - 1) * axis, f);
        }
    }
    return f;
}

ColorFit search_brightness(ivec3 rgb[16], ColorFit f)
{
    const ivec3 brighter = ivec3(1, 2, 1);
    [[dont_unroll]] for (int i = 0; i < 6; i++) {
        const int ends = i / 2 + 1;
        const ivec3 move = (2 * (i & 1) - 1) * brighter;
        f = keep_better(rgb, f.first + (ends & 1) * move, f.second + (ends >> 1) * move, f);
    }
    return f;
}

ColorFit improve(ivec3 rgb[16], ColorFit f)
{
    f = refine(rgb, f);
    f = refine(rgb, f);
    if (LEVEL == LEVEL_DEFAULT) {
        f = search_channels(rgb, f);
    }
    if (LEVEL == LEVEL_HIGH) {
        int before = f.error + 1;
        [[dont_unroll]] for (int pass = 0; pass < MAX_PASSES && f.error < before; pass++) {
            before = f.error;
            f = search_channels(rgb, f);
            f = search_brightness(rgb, f);
            f = refine(rgb, f);
        }
    }
    return f;
}

ColorFit fit_box(ivec3 rgb[16], ivec3 lo, ivec3 hi)
{
    const ivec3 side = hi - lo;
    const int longest = side.y > side.x ? (side.z > side.y ? 2 : 1) : side.z > side.x ? 2 : 0;
    ivec3 sum = ivec3(0), product = ivec3(0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        sum += rgb[t];
        product += rgb[t] * rgb[t][longest];
    }
    const bvec3 falls = lessThan(16 * product, sum * sum[longest]);
    const ivec3 top = 16 * hi - side;
    const ivec3 bottom = 16 * lo + side;
    return make_fit(rgb, code_of(mix(top, bottom, falls), 16), code_of(mix(bottom, top, falls), 16));
}

ColorFit fit_color(ivec3 rgb[16])
{
    ivec3 best = ivec3(1 << 20), first = ivec3(0), second = ivec3(0);
    [[dont_unroll]] for (int i = 0; i <= 63; i++) {
        const ivec3 code = ivec3(i);
        const ivec3 rest = 12 * rgb[0] - 2 * value_of(code);
        const ivec3 other = code_of(rest, 4);
        const ivec3 error = abs(rest - value_of(other));
        const bvec3 is_better = lessThan(error, best);
        const bvec3 keeps = bvec3(is_better.x && i <= 31, is_better.y, is_better.z && i <= 31);
        best = mix(best, error, keeps);
        first = mix(first, code, keeps);
        second = mix(second, other, keeps);
    }
    return make_fit(rgb, first, second);
}

uint word_of(ivec3 code)
{
    return uint(code.r << 11 | code.g << 5 | code.b);
}

uvec2 pack(ivec3 rgb[16], ColorFit f)
{
    if (word_of(f.first) < word_of(f.second)) {
        f = ColorFit(f.second, f.first, f.error);
    }
    const Line l = line_of(f);
    uint bits = 0u;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const uint k = uint(nearest_third(l, rgb[t]));
        bits |= (k == 0u ? 0u : k == 3u ? 1u : k + 1u) << 2 * t;
    }
    return uvec2(word_of(f.first) | word_of(f.second) << 16, bits);
}

uvec2 encode_bc1(ivec3 rgb[16])
{
    ivec3 lo = ivec3(255);
    ivec3 hi = ivec3(0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        lo = min(lo, rgb[t]);
        hi = max(hi, rgb[t]);
    }
    if (lo == hi) {
        return pack(rgb, fit_color(rgb));
    }
    return pack(rgb, improve(rgb, fit_box(rgb, lo, hi)));
}
