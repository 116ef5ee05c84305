// SPDX-License-Identifier: MIT
// The colours of a block of BC1 on their line, as either decoder has them.
//
// Requires GL_EXT_control_flow_attributes. The includer declares
//   layout(constant_id = N) const bool FFMPEG_MODEL = false;
#ifndef WEIR_ENCODE_BC1_LINE
#define WEIR_ENCODE_BC1_LINE

#include "encode/rounding.glsl"

struct ColorFit {
    vec3 first, second; // codes, floats without a fraction
    int steps; // 3: four colours. 2: three colours, and the fourth code is black or transparent
    int error; // sum of (4 * steps * difference)^2 over the texels
    int flat_step; // the step that all texels take, if they have one colour; else -1
};

// In quarters of 1/255, as floats without a fraction. FFmpeg's decoder has whole ones, not always
// the nearest. Products of codes have 8 bits of fraction; half a unit of these lifts them off every
// tie.
vec3 value_of(vec3 code)
{
    if (FFMPEG_MODEL) {
        const ivec3 num_bits = ivec3(5, 6, 5);
        const ivec3 v = integers_of(code) * 255 + (ivec3(1) << num_bits - 1);
        return vec3((v >> num_bits) + v >> num_bits << 2);
    }
    return nearest(fma(code, vec3(8423.0, 4145.0, 8423.0) / 256.0, vec3(0.5 / 256.0)));
}

// That of a GPU in whole 1/255, with 10 bits of fraction.
vec3 whole_value_of(vec3 code)
{
    return nearest(fma(code, vec3(8423.0, 4145.0, 8423.0) / 1024.0, vec3(128.5 / 1024.0)));
}

// The values at `step` of `steps` between two values of FFmpeg's decoder, which drops fractions; in
// whole ones.
ivec3 ffmpeg_between(ivec3 start, ivec3 end, int step, int steps)
{
    return ((steps - step) * start + step * end) / steps;
}

int dot_product(ivec3 a, ivec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

float dot_product(vec3 a, vec3 b)
{
    return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}

// The line between the endpoints. "Whole" values are rounded to integers.
struct Line {
    vec3 way; // in quarters
    vec3 large_start; // LARGE less the start, in quarters times the number of steps
    vec3 whole_way;
    float whole_start; // dot product of the whole start and the whole way
    float factor, summand; // these make 0 .. 1 of a dot product with the whole way less whole_start
    float steps;
    float flat_step;
    // Of FFmpeg's decoder: the colours, and the dot products with the whole way that are half way
    // between them, times 2.
    vec3 ffmpeg_colors[4];
    vec3 ffmpeg_borders;
};

// Before it is rounded, the number of steps is either halfway between two integers
// or at least 1 / (2 square) from there. Adding 1 / (4 square) rounds the first kind upwards and
// leaves the others alone, whatever the error of floats.
Line line_for_gpu(ColorFit f)
{
    const vec3 whole_start = whole_value_of(f.first);
    const vec3 start = value_of(f.first);
    const float steps = float(f.steps);
    precise vec3 way = value_of(f.second) - start;
    precise vec3 large_start = fma(vec3(-steps), start, vec3(LARGE));
    precise vec3 whole_way = whole_value_of(f.second) - whole_start;
    const float square = dot_product(whole_way, whole_way);
    const float inverse = square > 0.0 ? 1.0 / square : 0.0;
    Line l;
    l.large_start = large_start;
    l.way = way;
    l.whole_way = whole_way;
    l.whole_start = dot_product(whole_way, whole_start);
    l.factor = inverse;
    l.summand = 0.25 / steps * inverse;
    l.steps = steps;
    l.flat_step = float(f.flat_step);
    return l;
}

// A border that no texel reaches: of three colours the last, and all of a line of one colour.
const float NO_BORDER = 16777216.0; // 2^24

Line line_for_ffmpeg(ColorFit f)
{
    const ivec3 start = integers_of(value_of(f.first)) >> 2;
    const ivec3 end = integers_of(value_of(f.second)) >> 2;
    const ivec3 way = end - start;
    ivec3 color = start;
    Line l;
    l.whole_way = vec3(way);
    l.ffmpeg_colors[0] = vec3(start);
    l.ffmpeg_borders = vec3(NO_BORDER);
    [[unroll]] for (int k = 1; k < 4; k++) {
        const ivec3 next = k < f.steps ? ffmpeg_between(start, end, k, f.steps) : end;
        if (k <= f.steps && way != ivec3(0)) {
            l.ffmpeg_borders[k - 1] = float(dot_product(way, color + next));
        }
        l.ffmpeg_colors[k] = vec3(next);
        color = next;
    }
    l.steps = float(f.steps);
    l.flat_step = float(f.flat_step);
    return l;
}

Line line_of(ColorFit f)
{
    if (FFMPEG_MODEL) {
        return line_for_ffmpeg(f);
    }
    return line_for_gpu(f);
}

// Get the step of the nearest colour, plus LARGE.
float large_step(Line l, vec3 v)
{
    const vec3 w = l.whole_way;
    precise float along = fma(w.x, v.x, fma(w.y, v.y, fma(w.z, v.z, -l.whole_start)));
    precise float way = clamp(fma(along, l.factor, l.summand), 0.0, 1.0);
    precise float sum = fma(way, l.steps, LARGE);
    return sum;
}

float nearest_step(Line l, vec3 v)
{
    if (FFMPEG_MODEL) {
        const float along = 2.0 * dot(l.whole_way, v);
        return dot(vec3(greaterThanEqual(vec3(along), l.ffmpeg_borders)), vec3(1.0));
    }
    precise float step = large_step(l, v) - LARGE;
    return step;
}

vec3 ffmpeg_color(Line l, float step)
{
    return step < 2.0 ? (step < 1.0 ? l.ffmpeg_colors[0] : l.ffmpeg_colors[1])
                      : (step < 3.0 ? l.ffmpeg_colors[2] : l.ffmpeg_colors[3]);
}

int error_of(Line l, vec3 v, float step)
{
    if (FFMPEG_MODEL) {
        const ivec3 e = integers_of(4.0 * l.steps * (v - ffmpeg_color(l, step)));
        return dot_product(e, e);
    }
    // steps * (4 v - start) - step * way, as a sum with LARGE from the start on
    precise vec3 sum = fma(vec3(-step), l.way, fma(vec3(4.0 * l.steps), v, l.large_start));
    const ivec3 e = floatBitsToInt(sum) - int(LARGE_BITS);
    return dot_product(e, e);
}

#endif
