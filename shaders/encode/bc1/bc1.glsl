// SPDX-License-Identifier: MIT
// BC1: an invocation encodes one block of 4x4 texels, all by itself.
//
//   uvec2 encode_bc1(vec3 rgb[16], uint transparent)
//
// takes codes 0 to 255, row-major, and a bit for each transparent texel, and returns the 8 bytes of
// the block, in memory order. Floats hold integers under 2^24, because GPUs add and multiply twice
// as many floats as ints. The result is the same on every device.
//
// Endpoints are fitted to codes by least squares: S. Brown, "DXT Compression Techniques" (2006).
// That their neighbours are worth a look, as rounding to 5:6:5 bits moves them: F. Giesen, stb_dxt.
//
// Requires GL_EXT_control_flow_attributes. The includer declares
//   const uint EFFORT // encode/effort.glsl
//   const uint BC1_MODE // WEIR_ENCODE_BC1_*
//   layout(constant_id = N) const bool FFMPEG_MODEL = false;

#include "encode/bc1/line.glsl"

const int MAX_PASSES = 8;
const float DARK = 16.0;
const int NEAR = EFFORT == WEIR_ENCODE_EFFORT_FAST ? 2 : 63;
const float FOURTH = -1.0;
const vec3 MAX = vec3(31.0, 63.0, 31.0); // codes

// Get the codes nearest to x / (4 * 255). A tie gives the greater code: as in line_of(), a small
// summand decides it.
vec3 codes_of_quarters(vec3 x)
{
    return clamp(nearest(fma(x, MAX / 1020.0, vec3(0.25 / 1020.0))), vec3(0.0), MAX);
}

// Get the codes nearest to x / (255 d) for whole x and 0 < d <= 576. The first ones are right or
// one too low. What is left of x shows which: it is exact, as no number here reaches 2^24 where
// x / (255 d) is 0 .. 1.
vec3 near_codes(vec3 x, float d)
{
    const float whole = 255.0 * d;
    precise vec3 way = clamp(fma(x, vec3(1.0 / whole), vec3(-1e-6)), 0.0, 1.0);
    precise vec3 codes = fma(way, MAX, vec3(LARGE)) - LARGE;
    precise vec3 used = codes * whole;
    precise vec3 left = fma(x, MAX, -used);
    return min(codes + vec3(greaterThanEqual(left, vec3(0.5 * whole))), MAX);
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

ColorFit make_fit(vec3 rgb[16], uint transparent, vec3 first, vec3 second, int steps)
{
    return with_error(rgb, transparent, ColorFit(first, second, steps, 0, -1));
}

ColorFit keep_better(vec3 rgb[16], uint transparent, vec3 first, vec3 second, ColorFit f)
{
    if (clamp(first, vec3(0.0), MAX) == first && clamp(second, vec3(0.0), MAX) == second) {
        const ColorFit moved = make_fit(rgb, transparent, first, second, f.steps);
        if (moved.error < f.error) {
            return moved;
        }
    }
    return f;
}

// For the sums over the texels that bc1.c has, with n, s, k and v for their number, the number of
// steps, steps and texels: its normal equations, divided by s squared, have the determinant
// n sum(kk) - sum(k)^2.
ColorFit refine(vec3 rgb[16], uint transparent, ColorFit f)
{
    const Line l = line_of(f);
    // Without `precise` a compiler may cancel the large numbers in these sums by which steps have
    // been rounded.
    precise float num = 0.0, sum_k = 0.0, sum_kk = 0.0;
    precise vec3 sum_v = vec3(0.0), sum_kv = vec3(0.0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const float k = choose(l, rgb[t], is_set(transparent, t)).step;
        if (BC1_MODE == WEIR_ENCODE_BC1_OPAQUE || k != FOURTH) {
            num += 1.0;
            sum_k += k;
            sum_kk = fma(k, k, sum_kk);
            sum_v += rgb[t];
            sum_kv = fma(vec3(k), rgb[t], sum_kv);
        }
    }
    precise float d = fma(num, sum_kk, -sum_k * sum_k);
    if (d == 0.0) {
        return f;
    }
    precise vec3 x0 = fma(sum_v, vec3(sum_kk), -sum_kv * sum_k);
    precise vec3 x1 = fma(sum_v, vec3(fma(-l.steps, sum_k, sum_kk)),
                          sum_kv * fma(l.steps, num, -sum_k));
    const vec3 first = near_codes(x0, d), second = near_codes(x1, d);
    if (EFFORT == WEIR_ENCODE_EFFORT_FAST) {
        return ColorFit(first, second, f.steps, 0, -1);
    }
    return keep_better(rgb, transparent, first, second, f);
}

ColorFit search_channels(vec3 rgb[16], uint transparent, ColorFit f)
{
    [[dont_unroll]] for (int c = 0; c < 3; c++) {
        const vec3 axis = vec3(equal(ivec3(c), ivec3(0, 1, 2)));
        const ColorFit center = f;
        [[dont_unroll]] for (int i = 0; i < 9; i++) {
            f = keep_better(rgb, transparent, center.first + float(i / 3 - 1) * axis,
                            center.second + float(i % 3 - 1) * axis, f);
        }
    }
    return f;
}

ColorFit search_brightness(vec3 rgb[16], uint transparent, ColorFit f)
{
    const vec3 brighter = vec3(1.0, 2.0, 1.0);
    [[dont_unroll]] for (int i = 0; i < 6; i++) {
        const int ends = i / 2 + 1;
        const vec3 move = float(2 * (i & 1) - 1) * brighter;
        f = keep_better(rgb, transparent, f.first + float(ends & 1) * move,
                        f.second + float(ends >> 1) * move, f);
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
vec3 codes_of_box(vec3 x)
{
    return nearest(fma(x, MAX / 4080.0, vec3(0.25 / 4080.0)));
}

ColorFit fit_box(vec3 rgb[16], uint transparent, Box box, int steps)
{
    const vec3 side = box.hi - box.lo;
    precise vec3 sum = vec3(0.0), product = vec3(0.0); // R times G, G times B, B times R
    [[unroll]] for (int t = 0; t < 16; t++) {
        if (is_set(box.texels, t)) {
            sum += rgb[t];
            product = fma(rgb[t], rgb[t].gbr, product);
        }
    }
    const bvec3 differ = lessThan(float(bitCount(box.texels)) * product, sum * sum.gbr);
    const bvec3 falls = side.g > side.r ? (side.b > side.g ? bvec3(differ.b, differ.g, false)
                                                           : bvec3(differ.r, false, differ.g))
                                        : (side.b > side.r ? bvec3(differ.b, differ.g, false)
                                                           : bvec3(false, differ.r, differ.b));
    precise vec3 hi = fma(vec3(15.0), box.hi, box.lo);
    precise vec3 lo = fma(vec3(15.0), box.lo, box.hi);
    const vec3 top = codes_of_box(hi), bottom = codes_of_box(lo);
    return make_fit(rgb, transparent, mix(top, bottom, falls), mix(bottom, top, falls), steps);
}

// The second code for a first one, so that a colour is one step of the way. Fractions that will be
// dropped are in the middle of their range.
vec3 other_end(vec3 code, vec3 color, int steps)
{
    const int dropped = FFMPEG_MODEL ? 2 * (steps - 1) : 0;
    precise vec3 quarters = float(4 * steps) * color + float(dropped) -
                            float(steps - 1) * value_of(code);
    return codes_of_quarters(quarters);
}

vec3 error_of_pair(vec3 code, vec3 other, vec3 color, int steps)
{
    const vec3 start = value_of(code);
    const vec3 end = value_of(other);
    if (FFMPEG_MODEL) {
        const ivec3 between = ffmpeg_between(ivec3(start) >> 2, ivec3(end) >> 2, 1, steps);
        return abs(float(4 * steps) * (color - vec3(between)));
    }
    precise vec3 error = float(4 * steps) * color - float(steps - 1) * start - end;
    return abs(error);
}

ColorFit fit_color(vec3 rgb[16], uint transparent, vec3 color, int steps)
{
    const vec3 own = codes_of_quarters(4.0 * color);
    const vec3 last = min(own + float(NEAR), MAX);
    vec3 best = vec3(1e6), first = vec3(0.0), second = vec3(0.0);
    [[dont_unroll]] for (int i = 0; i <= min(2 * NEAR, 63); i++) {
        const vec3 code = max(own - float(NEAR), vec3(0.0)) + float(i);
        const vec3 other = other_end(code, color, steps);
        const vec3 error = error_of_pair(code, other, color, steps);
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
        return make_fit(rgb, transparent, vec3(0.0), vec3(0.0), steps);
    }
    if (box.lo == box.hi) {
        return fit_color(rgb, transparent, box.lo, steps);
    }
    return improve(rgb, transparent, fit_box(rgb, transparent, box, steps));
}

#include "encode/bc1/pack.glsl"

uvec2 encode_bc1(vec3 rgb[16], uint transparent)
{
    const bool tries_three = BC1_MODE == WEIR_ENCODE_BC1_BLACK
                                 ? EFFORT != WEIR_ENCODE_EFFORT_FAST
                                 : BC1_MODE == WEIR_ENCODE_BC1_ALPHA &&
                                       EFFORT == WEIR_ENCODE_EFFORT_HIGH;
    ColorFit f = fit_texels(rgb, transparent, transparent == 0u ? 3 : 2);
    if (tries_three) { // by itself, so that where it is false the code goes
        if (transparent == 0u) {
            const ColorFit three = fit_texels(rgb, 0u, 2);
            if (9 * three.error < 4 * f.error) {
                f = three;
            }
        }
    }
    return pack(rgb, transparent, f);
}
