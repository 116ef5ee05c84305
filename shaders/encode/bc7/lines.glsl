// SPDX-License-Identifier: MIT
// BC7 of opaque texels at efforts live and fast: a line through all texels, or one through each of
// two subsets. Higher efforts start with the same.
//
// GPUs add and multiply twice as many floats as ints. All arithmetic is `precise`, what floats hold
// exactly too, as it lies between two roundings (encode/rounding.glsl).
//
// A line is a diagonal of the box of its texels, and then fitted by least squares: S. Brown, "DXT
// Compression Techniques" (2006).

// A line through the texels of a subset, a bit each, with its endpoints in quarters of 1/255.
struct FloatLine {
    uint subset;
    float max_index;
    vec4 first, second;
};

vec4 nearest_of(vec4 x)
{
    precise vec4 sum = x + LARGE;
    precise vec4 integers = sum - LARGE;
    return integers;
}

bool has(uint subset, uint t)
{
    return (subset >> t & 1u) != 0u;
}

float dot_product(vec4 a, vec4 b)
{
    precise float product = fma(a.x, b.x, fma(a.y, b.y, fma(a.z, b.z, a.w * b.w)));
    return product;
}

// What gives the index of a texel on a line.
struct Scale {
    vec4 way;
    float whole_start; // dot product of the way and the start
    float inverse;     // of the square of the way
    float max_index;
};

Scale scale_of(vec4 first, vec4 second, float max_index)
{
    precise vec4 way = second - first;
    return Scale(way, dot_product(way, first), reciprocal(max(dot_product(way, way), 0.0625)),
                 max_index);
}

float index_on(Scale s, vec4 v)
{
    const vec4 w = s.way;
    precise float along = fma(w.x, v.x,
                              fma(w.y, v.y, fma(w.z, v.z, fma(w.w, v.w, -s.whole_start))));
    precise float part = clamp(along * s.inverse, 0.0, 1.0);
    precise float steps = part * s.max_index;
    precise float sum = steps + LARGE;
    precise float index = sum - LARGE;
    return index;
}

vec4 quarters_of(vec4 x)
{
    precise vec4 four = 4.0 * clamp(x, 0.0, 255.0);
    precise vec4 quarters = nearest_of(four) * 0.25;
    return quarters;
}

// Get endpoints that fit best as the texels are on the line now: their mean if they have one index.
FloatLine solve_line(FloatLine l)
{
    const Scale scale = scale_of(l.first, l.second, l.max_index);
    precise float sum_k = 0.0, sum_kk = 0.0;
    precise vec4 sum_v = vec4(0.0), sum_kv = vec4(0.0);
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        const float k = has(l.subset, t) ? index_on(scale, texels[t]) : 0.0;
        sum_k += k;
        sum_kk = fma(k, k, sum_kk);
        sum_v += has(l.subset, t) ? texels[t] : vec4(0.0);
        sum_kv = fma(vec4(k), texels[t], sum_kv);
    }
    const int n = bitCount(l.subset);
    const float num = float(n);
    precise float square = fma(num, sum_kk, -sum_k * sum_k);
    const float inverse = reciprocal(max(square, 1.0));
    precise vec4 slope = fma(vec4(num), sum_kv, -sum_k * sum_v) * inverse;
    precise vec4 down = slope * sum_k;
    precise vec4 first = (sum_v - down) * INVERSES[n];
    precise vec4 way = l.max_index * slope;
    precise vec4 second = first + way;
    return FloatLine(l.subset, l.max_index, quarters_of(first), quarters_of(second));
}

// Get a diagonal of the box: channels run against the one with the longest side where they fall as
// it rises.
FloatLine diagonal(uint subset, float max_index)
{
    vec4 lo = vec4(255.0), hi = vec4(0.0);
    precise vec4 sum = vec4(0.0);
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        lo = has(subset, t) ? min(lo, texels[t]) : lo;
        hi = has(subset, t) ? max(hi, texels[t]) : hi;
        sum += has(subset, t) ? texels[t] : vec4(0.0);
    }
    precise vec4 range = hi - lo;
    vec4 longest = vec4(1.0, 0.0, 0.0, 0.0);
    float most = range.r;
    if (range.g > most) {
        longest = vec4(0.0, 1.0, 0.0, 0.0);
        most = range.g;
    }
    if (range.b > most) {
        longest = vec4(0.0, 0.0, 1.0, 0.0);
        most = range.b;
    }
    if (range.a > most) {
        longest = vec4(0.0, 0.0, 0.0, 1.0);
    }
    precise vec4 product = vec4(0.0);
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        const float along = has(subset, t) ? dot_product(texels[t], longest) : 0.0;
        product = fma(texels[t], vec4(along), product);
    }
    precise vec4 products = float(bitCount(subset)) * product;
    precise vec4 of_sums = sum * dot_product(sum, longest);
    const bvec4 falls = lessThan(products, of_sums);
    return FloatLine(subset, max_index, mix(lo, hi, falls), mix(hi, lo, falls));
}

FloatLine fit_line(uint subset, float max_index)
{
    return solve_line(solve_line(diagonal(subset, max_index)));
}

// Get the error of indices found by projection on the line between two values.
float error_of(FloatLine l, vec4 first, vec4 second)
{
    const Scale scale = scale_of(first, second, l.max_index);
    const float size = l.max_index == 15.0 ? 64.0 / 15.0 : 64.0 / 7.0;
    precise vec4 start = first + 1.0 / 128.0; // as halves are rounded up
    precise float error = 0.0;
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        // A weight is the index times 64 / max_index, rounded.
        precise float wide = index_on(scale, texels[t]) * size;
        precise float part = nearest(wide) * (1.0 / 64.0);
        precise vec4 value = fma(vec4(part), scale.way, start);
        precise vec4 e = texels[t] - nearest_of(value);
        error += has(l.subset, t) ? dot_product(e, e) : 0.0;
    }
    return error;
}

// Get codes of 7 bits and a p-bit, which is 1: else alpha would not be 255.
vec4 round_for_mode6(vec4 value)
{
    precise vec4 half_code = 0.5 * value;
    precise vec4 below = half_code - 0.5;
    precise vec4 code = 2.0 * clamp(nearest_of(below), 0.0, 127.0) + 1.0;
    return code;
}

vec4 code_for_mode1(vec4 value, float p)
{
    precise vec4 wide = value * 127.0 - 255.0 * p;
    precise vec4 half_code = wide * (1.0 / 510.0);
    precise vec4 code = 2.0 * clamp(nearest_of(half_code), 0.0, 63.0) + p;
    return vec4(code.rgb, 0.0);
}

// Widen 7 bits to 0 .. 255; alpha is 255.
vec4 value_for_mode1(vec4 code)
{
    precise vec4 value = 2.0 * code + vec4(greaterThanEqual(code, vec4(64.0)));
    return vec4(value.rgb, 255.0);
}

float rounding_error(FloatLine l, vec4 first, vec4 second)
{
    precise vec3 a = value_for_mode1(first).rgb - l.first.rgb;
    precise vec3 b = value_for_mode1(second).rgb - l.second.rgb;
    precise float error = dot_product(vec4(a, 0.0), vec4(a, 0.0)) +
                          dot_product(vec4(b, 0.0), vec4(b, 0.0));
    return error;
}

// Get codes of 6 bits and a p-bit, the same for both ends. There is no alpha.
void round_for_mode1(FloatLine l, out vec4 first, out vec4 second)
{
    first = code_for_mode1(l.first, 0.0);
    second = code_for_mode1(l.second, 0.0);
    const vec4 first_odd = code_for_mode1(l.first, 1.0);
    const vec4 second_odd = code_for_mode1(l.second, 1.0);
    if (rounding_error(l, first_odd, second_odd) < rounding_error(l, first, second)) {
        first = first_odd;
        second = second_odd;
    }
}

// Get the partition nearest to the division into texels above the mean of r + 2 g + b and others.
uint choose_partition()
{
    const vec4 weights = vec4(1.0, 2.0, 1.0, 0.0);
    precise float sum = 0.0;
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        sum += dot_product(texels[t], weights);
    }
    uint bright = 0u;
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        precise float times_16 = 16.0 * dot_product(texels[t], weights);
        bright |= uint(times_16 > sum) << t;
    }
    uint least = 17u << 6;
    [[dont_unroll]] for (uint p = 0u; p < 64u; p++) {
        const uint num = uint(bitCount(bright ^ subset_of(2u, p, 1u)));
        least = min(least, min(num, 16u - num) << 6 | p);
    }
    return least & 63u;
}

// Find the partitions of mode 1 that are tried, in `line_pairs`.
void find_pairs()
{
    if (IS_LIVE) {
        line_pairs[0][place_of_block()] = choose_partition();
    } else {
        rank_pairs();
    }
}

// Fit a part of a block, all texels in mode 6 or a subset in mode 1, and put its codes at `e` of
// trial_codes. Returns its error.
float fit_part(bool is_whole, uint subset, uint e)
{
    const FloatLine l = fit_line(subset, is_whole ? 15.0 : 7.0);
    vec4 first = vec4(0.0), second = vec4(0.0);
    if (is_whole) {
        first = round_for_mode6(l.first);
        second = round_for_mode6(l.second);
    } else {
        round_for_mode1(l, first, second);
    }
    trial_codes[e][gl_LocalInvocationIndex] = pack(ivec4(first));
    trial_codes[e + 1u][gl_LocalInvocationIndex] = pack(ivec4(second));
    return error_of(l, is_whole ? first : value_for_mode1(first),
                    is_whole ? second : value_for_mode1(second));
}

// Get the best of a block of mode 6 and some of mode 1, in best_codes. Part 0 is that of mode 6;
// then come the two of each other block.
Block fit_lines()
{
    if (!HAS_POLISH) {
        find_pairs();
    }
    Block b = Block(6u, 0u, 0u, 0u, 0);
    float least = 0.0;
    precise float error = 0.0;
    [[dont_unroll]] for (uint part = 0u; part < 1u + 2u * NUM_PAIRS; part++) {
        const bool is_whole = part == 0u, is_first = (part & 1u) != 0u;
        const uint partition_index = line_pairs[is_whole ? 0u : (part - 1u) / 2u]
                                               [place_of_block()] & 63u;
        const uint subset = is_whole ? 0xffffu
                                     : subset_of(2u, partition_index, is_first ? 0u : 1u);
        const float part_error = fit_part(is_whole, subset,
                                          is_whole || is_first ? 0u : 2u);
        error = is_first ? part_error : error + part_error;
        if (is_whole || !is_first && error < least) {
            least = error;
            b.mode = is_whole ? 6u : 1u;
            b.partition_index = is_whole ? 0u : partition_index;
            [[dont_unroll]] for (uint e = 0u; e < 4u; e++) {
                best_codes[e][gl_LocalInvocationIndex] = trial_codes[e][gl_LocalInvocationIndex];
            }
        }
    }
    b.error = int(least);
    return b;
}
