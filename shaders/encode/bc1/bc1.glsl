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
//
// Requires GL_EXT_control_flow_attributes. The includer declares
//   const uint EFFORT // encode/effort.glsl
//   const uint BC1_MODE // WEIR_ENCODE_BC1_*
//   const bool HAS_THREE // an opaque block may have three colours
//   layout(constant_id = N) const bool FFMPEG_MODEL = false;

#include "encode/bc1/codes.glsl"
#include "encode/bc1/line.glsl"

const bool IS_FAST = EFFORT == WEIR_ENCODE_EFFORT_FAST;
const bool IS_HIGH = EFFORT == WEIR_ENCODE_EFFORT_HIGH;
const float DARK = 16.0;
const float FOURTH = -1.0;
const vec3 MAX = vec3(31.0, 63.0, 31.0); // codes

// Get the codes nearest to x / (4 * 255). A tie gives the greater code: as in line_of(), a small
// summand decides it. No mean of whole colours is so far below a tie.
vec3 codes_of_quarters(vec3 x)
{
    return clamp(nearest(fma(x, MAX / 1020.0, vec3(0.05 / 1020.0))), vec3(0.0), MAX);
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

// Whether all texels of the block are grey: then tint counts as error.
bool is_grey;

#include "encode/bc1/sums.glsl"

// The texels to which the first line is fitted, their box, and sums over them.
struct Box {
    uint texels; // a bit a texel
    vec3 lo, hi;
    vec3 sum, square, product; // product: R times G, G times B, B times R
};

Box box_of(vec3 rgb[16], uint transparent, bool leaves_dark_out)
{
    Box box;
    box.texels = 0u;
    box.lo = vec3(255.0);
    box.hi = vec3(0.0);
    precise vec3 sum = vec3(0.0), square = vec3(0.0), product = vec3(0.0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const bool is_dark = all(lessThan(rgb[t], vec3(DARK)));
        if (!is_set(transparent, t) && !(leaves_dark_out && is_dark)) {
            box.texels |= 1u << t;
            box.lo = min(box.lo, rgb[t]);
            box.hi = max(box.hi, rgb[t]);
            sum += rgb[t];
            square = fma(rgb[t], rgb[t], square);
            product = fma(rgb[t], rgb[t].gbr, product);
        }
    }
    box.sum = sum;
    box.square = square;
    box.product = product;
    return box;
}

float num_of(Box box)
{
    return float(bitCount(box.texels));
}

// Get the codes nearest to x / (255 * 16). A tie gives the greater code: as in line_of(), a small
// summand, here 1 / (4 * 4080), decides it.
vec3 codes_of_box(vec3 x)
{
    return nearest(fma(x, MAX / 4080.0, vec3(0.25 / 4080.0)));
}

ColorFit fit_box(Box box, int steps)
{
    const vec3 side = box.hi - box.lo;
    const bvec3 differ = lessThan(num_of(box) * box.product, box.sum * box.sum.gbr);
    const bvec3 falls = side.g > side.r ? (side.b > side.g ? bvec3(differ.b, differ.g, false)
                                                           : bvec3(differ.r, false, differ.g))
                                        : (side.b > side.r ? bvec3(differ.b, differ.g, false)
                                                           : bvec3(false, differ.r, differ.b));
    precise vec3 hi = fma(vec3(15.0), box.hi, box.lo);
    precise vec3 lo = fma(vec3(15.0), box.lo, box.hi);
    const vec3 top = codes_of_box(hi), bottom = codes_of_box(lo);
    return ColorFit(mix(top, bottom, falls), mix(bottom, top, falls), steps, 0, -1);
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

// The first code is near the colour. Codes further away make other colours only in FFmpeg's
// decoder, which drops fractions.
void find_pair(vec3 color, int steps, out vec3 first, out vec3 second)
{
    const int near = !FFMPEG_MODEL ? 0 : IS_FAST ? 2 : 63;
    const vec3 own = codes_of_quarters(4.0 * color);
    const vec3 last = min(own + float(near), MAX);
    vec3 best = vec3(1e6);
    first = second = vec3(0.0);
    [[dont_unroll]] for (int i = 0; i <= min(2 * near, 63); i++) {
        const vec3 code = max(own - float(near), vec3(0.0)) + float(i);
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
}

// The G of a grey is half way from it to the R that it gets, for the least error and tint.
ColorFit fit_color(vec3 rgb[16], uint transparent, vec3 color, int steps)
{
    vec3 first, second;
    find_pair(color, steps, first, second);
    if (is_grey) {
        precise float red = float(steps - 1) * value_of(first).r + value_of(second).r;
        precise float green = 0.5 * color.g + red * (steps == 3 ? 1.0 / 24.0 : 1.0 / 16.0);
        vec3 first_of_green, second_of_green;
        find_pair(vec3(green), steps, first_of_green, second_of_green);
        first.g = first_of_green.g;
        second.g = second_of_green.g;
    }
    Sums sums;
    return measure(rgb, transparent,
                   ColorFit(first, second, steps, 0, first == second ? 0 : 1), sums);
}

#include "encode/bc1/starts.glsl"

ColorFit fit_texels(vec3 rgb[16], uint transparent, int steps, bool leaves_dark_out)
{
    const Box box = box_of(rgb, transparent, leaves_dark_out);
    // The sums of (R - G)^2 and so on. At fast it matters for blocks of one colour only. FFmpeg's
    // decoder drops fractions of R, G and B alike: there the least error is what counts.
    precise vec3 differences = box.square + box.square.gbr - 2.0 * box.product;
    is_grey = !FFMPEG_MODEL && (IS_FAST ? box.lo == box.lo.gbr : differences == vec3(0.0));
    Sums sums;
    if (box.texels == 0u) {
        return measure(rgb, transparent, ColorFit(vec3(0.0), vec3(0.0), steps, 0, -1), sums);
    }
    if (box.lo == box.hi) {
        return fit_color(rgb, transparent, box.lo, steps);
    }
    ColorFit f = measure(rgb, transparent, fit_box(box, steps), sums);
    f = refine(sums, f);
    if (IS_FAST) {
        return f;
    }
    f = measure(rgb, transparent, f, sums);
    f = descend(rgb, transparent, f, sums);
    const vec3 mean = box.sum * reciprocal(num_of(box));
    f = better(f, fit_color(rgb, transparent, mean, steps));
    return try_starts(rgb, transparent, box, f);
}

#include "encode/bc1/pack.glsl"

uvec2 encode_bc1(vec3 rgb[16], uint transparent)
{
    ColorFit f = fit_texels(rgb, transparent, transparent == 0u ? 3 : 2, false);
    if (BC1_MODE == WEIR_ENCODE_BC1_BLACK && !IS_FAST) {
        f = better(f, fit_texels(rgb, 0u, 2, true));
    }
    return pack(rgb, transparent, f);
}
