// SPDX-License-Identifier: MIT
// BC4 of one channel: an invocation encodes one block of 4x4 values, all by itself.
//
//   uvec2 encode_bc4(float values[16])
//
// takes values 0 to VALUE_MAX, row-major, and returns the 8 bytes of the block, in memory order.
// Floats hold integers under 2^24, because GPUs add and multiply twice as many floats as ints. The
// result is the same on every device.
//
// A signed block is an unsigned one whose values go from 0 to 254 instead of 255: all is moved up
// by 127, but for the endpoints' bytes. -128, which decoders take for -127, is never written.
// Endpoints are fitted to codes by least squares: S. Brown, "DXT Compression Techniques" (2006),
// for one axis.
//
// Requires GL_EXT_control_flow_attributes. The includer declares
//   const uint EFFORT // encode/effort.glsl
//   const bool SOURCE_IS_SIGNED

#include "encode/bc4/codes.glsl"
#include "encode/divide.glsl"
#include "encode/rounding.glsl"

const float VALUE_MAX = SOURCE_IS_SIGNED ? 254.0 : 255.0;
const int LOWEST = SOURCE_IS_SIGNED ? -127 : 0; // the code that the value 0 stands for
const float MARGIN = 24.0;
const float INNER = 8.0;

#include "encode/bc4/live.glsl"

struct ChannelFit {
    float a0, a1;
    float steps; // 7: eight values. 5: six values, 0 and VALUE_MAX
    float error; // sum of (steps * difference)^2 over the texels
};

// The endpoints in the form that nearest_value() takes: value v lies at v * factor + summand, which
// is 0 at a0 and 1 at a1.
struct Scale {
    float factor, summand;
};

// Before it is rounded, the number of steps is either halfway between two integers
// or at least 1 / (2 range) from there. Adding 1 / (4 range) rounds the first kind upwards and
// leaves the others alone. The error of floats is 1 / 1000 of that.
Scale scale_of(ChannelFit f)
{
    const float range = f.a1 - f.a0;
    const float inverse = range != 0.0 ? 1.0 / range : 0.0;
    return Scale(inverse, 0.25 / f.steps * abs(inverse) - f.a0 * inverse);
}

// Get the number of the nearest value from a0 to a1. Adding `large` rounds to an integer.
float nearest_value(ChannelFit f, Scale scale, float v)
{
    const float large = 12582912.0; // 1.5 * 2^23
    precise float way = clamp(fma(v, scale.factor, scale.summand), 0.0, 1.0);
    precise float sum = fma(way, f.steps, large);
    precise float nearest = sum - large;
    return nearest;
}

float square(float x)
{
    const float least = min(abs(x), 1023.0);
    return least * least;
}

float value_error(ChannelFit f, float k, float v)
{
    precise float difference = fma(-k, f.a1 - f.a0, f.steps * (v - f.a0));
    return square(difference);
}

float extreme_error(ChannelFit f, float v)
{
    return square(f.steps * min(v, VALUE_MAX - v));
}

ChannelFit make_fit(float values[16], float a0, float a1, float steps)
{
    ChannelFit f = ChannelFit(a0, a1, steps, 0.0);
    const Scale scale = scale_of(f);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const float error = value_error(f, nearest_value(f, scale, values[t]), values[t]);
        f.error += steps == 5.0 ? min(error, extreme_error(f, values[t])) : error;
    }
    return f;
}

ChannelFit keep_better(float values[16], float a0, float a1, ChannelFit f)
{
    const ChannelFit moved = make_fit(values, a0, a1, f.steps);
    if (moved.error < f.error) {
        return moved;
    }
    return f;
}

ChannelFit refine(float values[16], ChannelFit f)
{
    const Scale scale = scale_of(f);
    // Without `precise` a compiler may cancel the large numbers in these sums by which steps have
    // been rounded.
    precise float num = 0.0, sum_k = 0.0, sum_kk = 0.0, sum_v = 0.0, sum_kv = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const float v = values[t];
        const float k = nearest_value(f, scale, v);
        if (f.steps == 7.0 || value_error(f, k, v) <= extreme_error(f, v)) {
            num += 1.0;
            sum_k += k;
            sum_kk = fma(k, k, sum_kk);
            sum_v += v;
            sum_kv = fma(k, v, sum_kv);
        }
    }
    const int s = int(f.steps);
    const int sk = int(sum_k);
    const int bb = int(sum_kk);
    const int aa = s * s * int(num) - 2 * s * sk + bb;
    const int ab = s * sk - bb;
    const int bv = int(sum_kv);
    const int av = s * int(sum_v) - bv;
    const int d = aa * bb - ab * ab;
    const ivec2 codes = divide_round(s * ivec2(av * bb - bv * ab, bv * aa - av * ab), max(d, 1));
    const vec2 ends = clamp(vec2(codes), 0.0, VALUE_MAX);
    if (d > 0 && (ends.x > ends.y) == (s == 7)) {
        if (EFFORT == WEIR_ENCODE_EFFORT_FAST) {
            return ChannelFit(ends.x, ends.y, f.steps, 0.0);
        }
        f = keep_better(values, ends.x, ends.y, f);
    }
    return f;
}

#include "encode/bc4/search.glsl"

// Search from the range of texels, lo to hi, which may be none for six values.
ChannelFit start(float values[16], float lo, float hi, float steps)
{
    ChannelFit f = steps == 7.0 ? make_fit(values, hi, lo, 7.0)
                                : make_fit(values, min(lo, hi), hi, 5.0);
    f = refine(values, f);
    if (EFFORT == WEIR_ENCODE_EFFORT_FAST) {
        return f;
    }
    if (lo < hi) {
        f = stretch_one_end(values, lo, hi, f);
    }
    [[dont_unroll]] for (int i = 0; i < (EFFORT == WEIR_ENCODE_EFFORT_HIGH ? 2 : 1); i++) {
        f = refine(values, f);
    }
    if (EFFORT == WEIR_ENCODE_EFFORT_HIGH && lo < hi) {
        f = stretch(values, lo, hi, f);
    }
    return EFFORT == WEIR_ENCODE_EFFORT_EXHAUSTIVE ? search_all(values, f) : f;
}

ChannelFit start_six(float values[16], float inner)
{
    float lo = VALUE_MAX;
    float hi = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        if (values[t] >= inner && values[t] <= VALUE_MAX - inner) {
            lo = min(lo, values[t]);
            hi = max(hi, values[t]);
        }
    }
    return start(values, lo, hi, 5.0);
}

ChannelFit try_six(float values[16], ChannelFit f)
{
    ChannelFit six = start_six(values, INNER);
    if (EFFORT == WEIR_ENCODE_EFFORT_HIGH) {
        [[dont_unroll]] for (int i = 0; i < 2; i++) {
            const ChannelFit other = start_six(values, i == 0 ? 1.0 : MARGIN);
            if (other.error < six.error) {
                six = other;
            }
        }
        six = look_around(values, six);
    }
    if (49 * int(six.error) < 25 * int(f.error)) {
        return six;
    }
    return f;
}

// Get the squared error of v against the value of an index.
float index_error(ChannelFit f, float index, float v)
{
    if (index <= f.steps)
        return value_error(f, index, v);
    return square(f.steps * (index == 6.0 ? v : VALUE_MAX - v));
}

// Get the index of the nearest value, of two that between the endpoints.
float nearest_index(ChannelFit f, Scale scale, float v)
{
    const float k = nearest_value(f, scale, v);
    if (f.steps == 5.0 && value_error(f, k, v) > extreme_error(f, v))
        return 2.0 * v < VALUE_MAX ? 6.0 : 7.0;
    return k;
}

// Get the codes of eight texels from `first` on.
uint codes_of(float values[16], ChannelFit f, Scale scale, int first)
{
    if (EFFORT == WEIR_ENCODE_EFFORT_FAST) { // this effort makes no blocks of six values
        precise float steps = 0.0;
        [[unroll]] for (int t = 7; t >= 0; t--) {
            steps = fma(8.0, steps, nearest_value(f, scale, values[first + t]));
        }
        return bc4_codes(uint(steps));
    }
    uint codes = 0u;
    [[unroll]] for (int t = 0; t < 8; t++) {
        const int index = int(nearest_index(f, scale, values[first + t]));
        codes |= bc4_code(index, int(f.steps)) << 3 * t;
    }
    return codes;
}

uvec2 pack(float values[16], ChannelFit f)
{
    const Scale scale = scale_of(f);
    const uvec2 codes = uvec2(codes_of(values, f, scale, 0), codes_of(values, f, scale, 8));
    const uvec2 ends = uvec2(ivec2(vec2(f.a0, f.a1)) + LOWEST) & 255u;
    return uvec2(ends.x | ends.y << 8 | codes.x << 16, codes.x >> 16 | codes.y << 8);
}

uvec2 encode_bc4(float values[16])
{
    if (EFFORT == WEIR_ENCODE_EFFORT_LIVE) {
        return encode_bc4_live(values);
    }
    float lo = VALUE_MAX;
    float hi = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        lo = min(lo, values[t]);
        hi = max(hi, values[t]);
    }
    // For a block of one value: equal endpoints mean six values, and the first of them is that one.
    // Up to eight codes in a row are exact between endpoints seven codes apart.
    const float soft = min(lo + 7.0, VALUE_MAX);
    ChannelFit f = lo < hi ? ChannelFit(soft, soft - 7.0, 7.0, 0.0) : ChannelFit(hi, lo, 5.0, 0.0);
    if (hi - lo > 7.0) {
        f = start(values, lo, hi, 7.0);
        if (EFFORT == WEIR_ENCODE_EFFORT_HIGH) {
            f = look_around(values, f);
        }
        const bool has_extremes = lo < MARGIN || hi > VALUE_MAX - MARGIN;
        if (EFFORT == WEIR_ENCODE_EFFORT_EXHAUSTIVE ||
            (EFFORT != WEIR_ENCODE_EFFORT_FAST && has_extremes)) {
            f = try_six(values, f);
        }
    }
    return pack(values, f);
}
