// SPDX-License-Identifier: MIT
// BC1: an invocation encodes one block of 4x4 texels, all by itself.
//
//   uvec2 encode_bc1(vec3 rgb[16], uint transparent)
//
// takes codes 0 to 255, row-major, and a bit for each transparent texel, and returns the 8 bytes of
// the block, in memory order. Floats hold integers under 2^24, because GPUs add and multiply twice
// as many floats as ints. The result is the same on every device. tests/ref/bc1.c defines every bit
// of it; names are the same here.
//
// Requires GL_EXT_control_flow_attributes and GL_GOOGLE_include_directive. The includer declares
//   const uint EFFORT // encode/effort.glsl
//   const uint BC1_MODE // WEIR_ENCODE_BC1_*
//   layout(constant_id = N) const bool FFMPEG_MODEL = false;

#include "encode/bc1/line.glsl"
#include "encode/divide.glsl"

const int MAX_PASSES = 8;
const float DARK = 16.0;
const int NEAR = EFFORT == WEIR_ENCODE_EFFORT_FAST ? 2 : 63;
const float FOURTH = -1.0;
const ivec3 MAX_CODE = ivec3(31, 63, 31);

// Get the codes nearest to x / (255 d).
ivec3 code_of(ivec3 x, int d)
{
    const ivec3 n = x * MAX_CODE;
    const int whole = 255 * d;
    const ivec2 a = divide_round(n.xy, whole);
    const ivec2 b = divide_round(n.zz, whole);
    return clamp(ivec3(a, b.x), ivec3(0), MAX_CODE);
}

struct Choice {
    float step; // 0 .. steps, or FOURTH
    int error;
};

Choice choose(Line l, vec3 v, bool is_transparent)
{
    if (is_transparent) {
        return Choice(FOURTH, 0);
    }
    const float k = l.flat_step < 0.0 ? nearest_step(l, v) : l.flat_step;
    const int error = error_of(l, v, k);
    if (BC1_MODE == WEIR_ENCODE_BC1_BLACK && l.steps == 2.0) {
        const ivec3 code = integers_of(v);
        const int black_error = 64 * dot_product(code, code);
        return Choice(black_error < error ? FOURTH : k, min(black_error, error));
    }
    return Choice(k, error);
}

bool is_set(uint bits, int t)
{
    return (bits >> t & 1u) != 0u;
}

ColorFit with_error(vec3 rgb[16], uint transparent, ColorFit f)
{
    const Line l = line_of(f);
    f.error = 0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        f.error += choose(l, rgb[t], is_set(transparent, t)).error;
    }
    return f;
}

ColorFit make_fit(vec3 rgb[16], uint transparent, ivec3 first, ivec3 second, int steps)
{
    return with_error(rgb, transparent, ColorFit(first, second, steps, 0, -1));
}

ColorFit keep_better(vec3 rgb[16], uint transparent, ivec3 first, ivec3 second, ColorFit f)
{
    if (all(equal(clamp(first, ivec3(0), MAX_CODE), first)) &&
        all(equal(clamp(second, ivec3(0), MAX_CODE), second))) {
        const ColorFit moved = make_fit(rgb, transparent, first, second, f.steps);
        if (moved.error < f.error) {
            return moved;
        }
    }
    return f;
}

ColorFit refine(vec3 rgb[16], uint transparent, ColorFit f)
{
    const Line l = line_of(f);
    // Without `precise` a compiler may cancel the large numbers in these sums by which steps have
    // been rounded.
    precise float num = 0.0, sum_k = 0.0, sum_kk = 0.0;
    precise vec3 sum_v = vec3(0.0), sum_kv = vec3(0.0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const float k = choose(l, rgb[t], is_set(transparent, t)).step;
        if (k != FOURTH) {
            num += 1.0;
            sum_k += k;
            sum_kk = fma(k, k, sum_kk);
            sum_v += rgb[t];
            sum_kv = fma(vec3(k), rgb[t], sum_kv);
        }
    }
    const int s = f.steps;
    const int sk = int(sum_k);
    const int bb = int(sum_kk);
    const int aa = s * s * int(num) - 2 * s * sk + bb;
    const int ab = s * sk - bb;
    const int d = aa * bb - ab * ab;
    if (d == 0) {
        return f;
    }
    const ivec3 bv = ivec3(sum_kv);
    const ivec3 av = s * ivec3(sum_v) - bv;
    const ivec3 first = code_of(s * (av * bb - bv * ab), d);
    const ivec3 second = code_of(s * (bv * aa - av * ab), d);
    if (EFFORT == WEIR_ENCODE_EFFORT_FAST) {
        return ColorFit(first, second, s, 0, -1);
    }
    return keep_better(rgb, transparent, first, second, f);
}

ColorFit search_channels(vec3 rgb[16], uint transparent, ColorFit f)
{
    [[dont_unroll]] for (int c = 0; c < 3; c++) {
        const ivec3 axis = ivec3(equal(ivec3(c), ivec3(0, 1, 2)));
        const ColorFit center = f;
        [[dont_unroll]] for (int i = 0; i < 9; i++) {
            f = keep_better(rgb, transparent, center.first + (i / 3 - 1) * axis,
                            center.second + (i % 3 - 1) * axis, f);
        }
    }
    return f;
}

ColorFit search_brightness(vec3 rgb[16], uint transparent, ColorFit f)
{
    const ivec3 brighter = ivec3(1, 2, 1);
    [[dont_unroll]] for (int i = 0; i < 6; i++) {
        const int ends = i / 2 + 1;
        const ivec3 move = (2 * (i & 1) - 1) * brighter;
        f = keep_better(rgb, transparent, f.first + (ends & 1) * move,
                        f.second + (ends >> 1) * move, f);
    }
    return f;
}

ColorFit improve(vec3 rgb[16], uint transparent, ColorFit f)
{
    f = refine(rgb, transparent, f);
    if (EFFORT != WEIR_ENCODE_EFFORT_FAST) {
        f = refine(rgb, transparent, f);
    }
    if (EFFORT == WEIR_ENCODE_EFFORT_DEFAULT) {
        f = search_channels(rgb, transparent, f);
    }
    if (EFFORT == WEIR_ENCODE_EFFORT_HIGH) {
        int before = f.error + 1;
        [[dont_unroll]] for (int pass = 0; pass < MAX_PASSES && f.error < before; pass++) {
            before = f.error;
            f = search_channels(rgb, transparent, f);
            f = search_brightness(rgb, transparent, f);
            f = refine(rgb, transparent, f);
        }
    }
    return f;
}

// The texels to which the first line is fitted, and their box.
struct Box {
    uint texels; // a bit a texel
    vec3 lo, hi;
};

Box box_of(vec3 rgb[16], uint transparent, bool leaves_dark_out)
{
    Box box = Box(0u, vec3(255.0), vec3(0.0));
    [[unroll]] for (int t = 0; t < 16; t++) {
        const bool is_dark = all(lessThan(rgb[t], vec3(DARK)));
        if (!is_set(transparent, t) && !(leaves_dark_out && is_dark)) {
            box.texels |= 1u << t;
            box.lo = min(box.lo, rgb[t]);
            box.hi = max(box.hi, rgb[t]);
        }
    }
    return box;
}

// Get the codes nearest to x / (255 * 16). A tie gives the greater code: as in line_of(), a small
// summand, here 1 / (4 * 4080), decides it.
ivec3 codes_of_box(vec3 x)
{
    precise vec3 codes = fma(x * vec3(MAX_CODE), vec3(1.0 / 4080.0), vec3(0.25 / 4080.0)) + LARGE;
    return floatBitsToInt(codes) - floatBitsToInt(LARGE);
}

ColorFit fit_box(vec3 rgb[16], uint transparent, Box box, int steps)
{
    const vec3 side = box.hi - box.lo;
    const int longest = side.y > side.x ? (side.z > side.y ? 2 : 1) : side.z > side.x ? 2 : 0;
    precise vec3 sum = vec3(0.0), product = vec3(0.0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        if (is_set(box.texels, t)) {
            const vec3 v = rgb[t];
            sum += v;
            product = fma(v, vec3(longest == 0 ? v.x : longest == 1 ? v.y : v.z), product);
        }
    }
    const float sum_longest = longest == 0 ? sum.x : longest == 1 ? sum.y : sum.z;
    const bvec3 falls = lessThan(float(bitCount(box.texels)) * product, sum * sum_longest);
    const ivec3 top = codes_of_box(16.0 * box.hi - side);
    const ivec3 bottom = codes_of_box(16.0 * box.lo + side);
    return make_fit(rgb, transparent, mix(top, bottom, falls), mix(bottom, top, falls), steps);
}

// The second code for a first one, so that a colour is one step of the way. Fractions that will be
// dropped are in the middle of their range.
ivec3 other_end(ivec3 code, ivec3 color, int steps)
{
    const int dropped = FFMPEG_MODEL ? 2 * (steps - 1) : 0;
    return code_of(4 * steps * color + dropped - (steps - 1) * value_of(code), 4);
}

ivec3 error_of_pair(ivec3 code, ivec3 other, ivec3 color, int steps)
{
    const ivec3 start = value_of(code);
    const ivec3 end = value_of(other);
    if (FFMPEG_MODEL) {
        return abs(4 * steps * (color - ffmpeg_between(start >> 2, end >> 2, 1, steps)));
    }
    return abs(4 * steps * color - (steps - 1) * start - end);
}

ColorFit fit_color(vec3 rgb[16], uint transparent, ivec3 color, int steps)
{
    const ivec3 own = code_of(4 * color, 4);
    const ivec3 last = min(own + NEAR, MAX_CODE);
    ivec3 best = ivec3(1 << 20), first = ivec3(0), second = ivec3(0);
    [[dont_unroll]] for (int i = 0; i <= min(2 * NEAR, 63); i++) {
        const ivec3 code = max(own - NEAR, ivec3(0)) + i;
        const ivec3 other = other_end(code, color, steps);
        const ivec3 error = error_of_pair(code, other, color, steps);
        const bvec3 is_better = lessThan(error, best);
        const bvec3 is_code = lessThanEqual(code, last);
        const bvec3 keeps = bvec3(is_better.x && is_code.x, is_better.y && is_code.y,
                                  is_better.z && is_code.z);
        best = mix(best, error, keeps);
        first = mix(first, code, keeps);
        second = mix(second, other, keeps);
    }
    return with_error(rgb, transparent, ColorFit(first, second, steps, 0, first == second ? 0 : 1));
}

ColorFit fit_texels(vec3 rgb[16], uint transparent, int steps)
{
    const Box box = box_of(rgb, transparent, BC1_MODE == WEIR_ENCODE_BC1_BLACK && steps == 2);
    if (box.texels == 0u) {
        return make_fit(rgb, transparent, ivec3(0), ivec3(0), steps);
    }
    if (box.lo == box.hi) {
        return fit_color(rgb, transparent, ivec3(box.lo), steps);
    }
    return improve(rgb, transparent, fit_box(rgb, transparent, box, steps));
}

uint word_of(ivec3 code)
{
    return uint(code.r << 11 | code.g << 5 | code.b);
}

// Get the codes of eight texels from `first` on, in a block of four colours: 0, 1, 2 and 3 steps
// have the codes 0, 2, 3 and 1.
uint codes_of_four(vec3 rgb[16], Line l, int first)
{
    precise float steps = 0.0;
    [[unroll]] for (int t = 7; t >= 0; t--) {
        steps = fma(4.0, steps, nearest_step(l, rgb[first + t]));
    }
    const uint q = uint(steps);
    return ((q ^ q << 1) & 0xaaaau) | (q >> 1 & 0x5555u);
}

uint codes_of(vec3 rgb[16], uint transparent, Line l)
{
    if (BC1_MODE == WEIR_ENCODE_BC1_OPAQUE && l.flat_step < 0.0) {
        return codes_of_four(rgb, l, 0) | codes_of_four(rgb, l, 8) << 16;
    }
    uint codes = 0u;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const float k = choose(l, rgb[t], is_set(transparent, t)).step;
        const uint code = k == FOURTH ? 3u : k == 0.0 ? 0u : k == l.steps ? 1u : k == 1.0 ? 2u : 3u;
        codes |= code << 2 * t;
    }
    return codes;
}

uvec2 pack(vec3 rgb[16], uint transparent, ColorFit f)
{
    const uint first = word_of(f.first), second = word_of(f.second);
    if (f.steps == 3 ? first < second : first > second) {
        f = ColorFit(f.second, f.first, f.steps, f.error,
                     f.flat_step < 0 ? -1 : f.steps - f.flat_step);
    }
    return uvec2(word_of(f.first) | word_of(f.second) << 16,
                 codes_of(rgb, transparent, line_of(f)));
}

uvec2 encode_bc1(vec3 rgb[16], uint transparent)
{
    const bool tries_three = BC1_MODE == WEIR_ENCODE_BC1_BLACK
                                 ? EFFORT != WEIR_ENCODE_EFFORT_FAST
                                 : BC1_MODE == WEIR_ENCODE_BC1_ALPHA &&
                                       EFFORT == WEIR_ENCODE_EFFORT_HIGH;
    ColorFit f = fit_texels(rgb, transparent, transparent == 0u ? 3 : 2);
    if (tries_three) { // alone, so that where it is false the code goes
        if (transparent == 0u) {
            const ColorFit three = fit_texels(rgb, 0u, 2);
            if (9 * three.error < 4 * f.error) {
                f = three;
            }
        }
    }
    return pack(rgb, transparent, f);
}
