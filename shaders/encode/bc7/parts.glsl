// SPDX-License-Identifier: MIT
// Fits the parts of a BC7 block of any mode: a line through the texels of each.
//
// GPUs add and multiply twice as many floats as ints. All arithmetic is `precise`, what floats hold
// exactly too, as it lies between two roundings (encode/rounding.glsl).
//
// A line starts at the ends of the texels along their principal axis, and is then fitted by least
// squares: S. Brown, "DXT Compression Techniques" (2006).

// The ends of a line, in quarters of 1/255; 0 in channels that are not fitted.
struct Ends {
    vec4 first, second;
};

// Divide by the largest component, to multiples of 1/1024, by which sums are exact.
vec4 scale_to_one(vec4 v)
{
    const vec4 size = abs(v);
    const float largest = max(max(size.x, size.y), max(size.z, size.w));
    precise vec4 scaled = v * reciprocal(max(largest, 1.0)) * 1024.0;
    precise vec4 rounded = nearest_of(scaled) * (1.0 / 1024.0);
    return rounded;
}

// Endpoints that are not codes yet, and what an error of them costs: the factors of the square of
// the first's, of the product, and of the square of the second's.
struct Ideal {
    vec4 first, second;
    vec3 costs;
};

// Get the endpoints that fit best as the texels are on the line now, but with its ends moved out by
// `stretch` indices: the mean of the texels if they have one index.
Ideal fit_indices(Task task, vec2 stretch, Ends l)
{
    const float highest = float(task.max_index);
    const Scale scale = scale_of(l.first, l.second, float(task.max_index));
    precise float shorter = highest * reciprocal(highest + stretch.x + stretch.y);
    precise float sum_k = 0.0, sum_kk = 0.0;
    precise vec4 sum_v = vec4(0.0), sum_kv = vec4(0.0);
    UNROLL for (uint t = 0u; t < 16u; t++) {
        float k = index_on(scale, TEXEL(t));
        if (HAS_POLISH) {
            precise float moved = (k + stretch.x) * shorter;
            k = clamp(nearest(moved), 0.0, highest);
        }
        k = has(task.subset, t) ? k : 0.0;
        sum_k += k;
        sum_kk = fma(k, k, sum_kk);
        sum_v += has(task.subset, t) ? TEXEL(t) : vec4(0.0);
        sum_kv = fma(vec4(k), TEXEL(t), sum_kv);
    }
    const int n = bitCount(task.subset);
    const float num = float(n);
    precise float square = fma(num, sum_kk, -sum_k * sum_k);
    const float inverse = reciprocal(max(square, 1.0));
    precise vec4 slope = fma(vec4(num), sum_kv, -sum_k * sum_v) * inverse;
    precise vec4 down = slope * sum_k;
    precise vec4 first = (sum_v - down) * INVERSES[n];
    precise vec4 way = highest * slope;
    precise vec4 second = first + way;
    const float step = reciprocal(highest);
    precise float along = sum_k * step;
    precise float along_square = sum_kk * step * step;
    precise float between = along - along_square;
    precise vec3 costs = vec3(num - along - between, 2.0 * between, along_square);
    return Ideal(first, second, costs);
}

// Get the direction in which the texels differ most, nearly: the longest row of their covariance,
// multiplied by it. The largest component is 1 or -1.
vec4 principal_axis(Sums m)
{
    const Covariance c = covariance_of(m);
    const vec4 row_r = vec4(c.squares.r, c.products.xy, c.with_alpha.r);
    const vec4 row_g = vec4(c.products.x, c.squares.g, c.products.z, c.with_alpha.g);
    const vec4 row_b = vec4(c.products.yz, c.squares.b, c.with_alpha.b);
    const vec4 row_a = vec4(c.with_alpha, c.squares.a);
    vec4 axis = row_r;
    float most = c.squares.r;
    if (c.squares.g > most) {
        axis = row_g;
        most = c.squares.g;
    }
    if (c.squares.b > most) {
        axis = row_b;
        most = c.squares.b;
    }
    if (c.squares.a > most) {
        axis = row_a;
    }
    axis = scale_to_one(axis);
    precise vec4 product = row_r * axis.r + row_g * axis.g + row_b * axis.b + row_a * axis.a;
    return scale_to_one(product);
}

// Get the ends of the texels on their principal axis.
Ends start_line(Task task)
{
    const Sums m = without(sums_of(task.subset, task.fitted.a != 0.0), task.fitted);
    const vec4 axis = principal_axis(m);
    float lo = 1024.0, hi = -1024.0;
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        const float along = dot_product(axis, texels[t]);
        lo = has(task.subset, t) ? min(lo, along) : lo;
        hi = has(task.subset, t) ? max(hi, along) : hi;
    }
    const float inverse = INVERSES[int(m.num)];
    precise vec4 mean = m.values * inverse;
    precise float middle = dot_product(axis, m.values) * inverse;
    precise vec4 way = axis * reciprocal(max(dot_product(axis, axis), 0.0625));
    precise vec4 first = mean + way * (lo - middle);
    precise vec4 second = mean + way * (hi - middle);
    precise Ends ends = Ends(quarters_of(first) * task.fitted, quarters_of(second) * task.fitted);
    return ends;
}

// Get the error of indices found by projection on the line between two values.
float error_of(Task task, Ends l)
{
    const Scale scale = scale_of(l.first, l.second, float(task.max_index));
    const float size = 64.0 / float(task.max_index);
    precise vec4 start = l.first + 1.0 / 128.0; // as halves are rounded up
    precise float error = 0.0;
    UNROLL for (uint t = 0u; t < 16u; t++) {
        // A weight is the index times 64 / max_index, rounded.
        precise float wide = index_on(scale, TEXEL(t)) * size;
        precise float part = nearest(wide) * (1.0 / 64.0);
        precise vec4 value = fma(vec4(part), scale.way, start);
        precise vec4 e = TEXEL(t) - nearest_of(value);
        error += has(task.subset, t) ? dot_product(e, e * task.fitted) : 0.0;
    }
    return error;
}

// Widen codes to 0 .. 255: the highest bits of a code fill up the lowest ones.
vec4 value_of(Task task, vec4 code)
{
    precise vec4 wide = code * task.up;
    precise vec4 low = code * task.down - (0.5 - 1.0 / 512.0);
    precise vec4 value = (wide + nearest_of(low)) * task.fitted;
    return value;
}

// Get how much nearer a code with a p-bit of 1 is to an end, in squares of half steps.
float gain_of_odd(Task task, vec4 end)
{
    precise vec4 half_code = 0.5 * end;
    precise vec4 even = half_code - nearest_of(half_code);
    precise vec4 half_odd = half_code - 0.5;
    precise vec4 odd = half_odd - nearest_of(half_odd);
    precise vec4 gain = (even * even - odd * odd) * task.fitted;
    precise float sum = gain.r + gain.g + gain.b + gain.a;
    return sum;
}

// Get the p-bits whose codes are nearest to the ends: bit 0 for the first.
uint nearest_p_bits(Task task, Ideal ideal)
{
    if (task.p_bits == P_NONE || task.p_bits == P_ONE) {
        return task.p_bits == P_ONE ? 3u : 0u;
    }
    precise vec4 scale = task.highest * (1.0 / 255.0);
    precise vec4 first_end = clamp(ideal.first, 0.0, 255.0) * scale;
    precise vec4 second_end = clamp(ideal.second, 0.0, 255.0) * scale;
    const float first = gain_of_odd(task, first_end);
    const float second = gain_of_odd(task, second_end);
    precise float sum = first + second;
    return task.p_bits == P_EACH ? uint(first > 0.0) | uint(second > 0.0) << 1
                                 : sum > 0.0 ? 3u : 0u;
}

// Get the code below an end, or that of the lowest p-bit. The one above is a step higher.
vec4 code_below(Task task, vec4 end, float p)
{
    precise vec4 scale = task.highest * (1.0 / 255.0);
    precise vec4 wide = clamp(end, 0.0, 255.0) * scale - p;
    precise vec4 steps = wide * (task.step == 2.0 ? 0.5 : 1.0) - 0.5;
    precise vec4 code = max(nearest_of(steps), 0.0) * task.step + p;
    return code * task.fitted;
}

// Round the ends of a line to the codes next to them that fit best with the same indices.
void round_ends(Task task, Ideal ideal, uint p_bits, out vec4 first, out vec4 second)
{
    const vec4 low = code_below(task, ideal.first, float(p_bits & 1u));
    const vec4 other_low = code_below(task, ideal.second, float(p_bits >> 1));
    precise vec4 up = low + task.step;
    precise vec4 other_up = other_low + task.step;
    const vec4 high = mix(up, low, greaterThan(up, task.highest));
    const vec4 other_high = mix(other_up, other_low, greaterThan(other_up, task.highest));
    precise vec4 e_low = value_of(task, low) - ideal.first;
    precise vec4 e_high = value_of(task, high) - ideal.first;
    precise vec4 f_low = value_of(task, other_low) - ideal.second;
    precise vec4 f_high = value_of(task, other_high) - ideal.second;
    const vec3 k = ideal.costs;
    precise vec4 square_low = k.z * f_low * f_low;
    precise vec4 square_high = k.z * f_high * f_high;
    precise vec4 low_low = (k.x * e_low + k.y * f_low) * e_low + square_low;
    precise vec4 high_low = (k.x * e_high + k.y * f_low) * e_high + square_low;
    precise vec4 low_high = (k.x * e_low + k.y * f_high) * e_low + square_high;
    precise vec4 high_high = (k.x * e_high + k.y * f_high) * e_high + square_high;
    const bvec4 is_up = lessThan(min(high_low, high_high), min(low_low, low_high));
    first = mix(low, high, is_up);
    second = mix(other_low, other_high,
                 lessThan(mix(low_high, high_high, is_up), mix(low_low, high_low, is_up)));
}

Ends values_of(Task task, vec4 first, vec4 second)
{
    return Ends(value_of(task, first), value_of(task, second));
}
