// SPDX-License-Identifier: MIT
// Fits the parts of a BC7 block: a line through the texels of each.
//
// GPUs add and multiply twice as many floats as ints. All arithmetic is `precise`, what floats hold
// exactly too, as it lies between two roundings (encode/rounding.glsl).
//
// A line starts at the ends of the texels along their principal axis, and is then fitted by least
// squares: S. Brown, "DXT Compression Techniques" (2006).

// A line with its endpoints in quarters of 1/255.
struct FloatLine {
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

// Divide by the largest component, to multiples of 1/1024, by which sums are exact.
vec4 scale_to_one(vec4 v)
{
    const vec4 size = abs(v);
    const float largest = max(max(size.x, size.y), max(size.z, size.w));
    precise vec4 scaled = v * reciprocal(max(largest, 1.0)) * 1024.0;
    precise vec4 rounded = nearest_of(scaled) * (1.0 / 1024.0);
    return rounded;
}

// What gives the index of a texel on a line.
struct Scale {
    vec4 way;
    float whole_start; // dot product of the way and the start
    float inverse;     // of the square of the way
    float max_index;
};

Scale scale_of(FloatLine l, Task task)
{
    precise vec4 way = (l.second - l.first) * task.fitted;
    return Scale(way, dot_product(way, l.first),
                 reciprocal(max(dot_product(way, way), 0.0625)), float(task.max_index));
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

// Endpoints that are not codes yet, and what an error of them costs: the factors of the square of
// the first's, of the product, and of the square of the second's.
struct Ideal {
    vec4 first, second;
    vec3 costs;
};

// Get the endpoints that fit best as the texels are on the line now, but with its ends moved out by
// `stretch` indices: the mean of the texels if they have one index.
Ideal solve_line(vec4 texels[16], Task task, vec2 stretch, FloatLine l)
{
    const float highest = float(task.max_index);
    const Scale scale = scale_of(l, task);
    precise float shorter = highest * reciprocal(highest + stretch.x + stretch.y);
    precise float sum_k = 0.0, sum_kk = 0.0;
    precise vec4 sum_v = vec4(0.0), sum_kv = vec4(0.0);
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        float k = index_on(scale, texels[t]);
        if (HAS_POLISH) {
            precise float moved = (k + stretch.x) * shorter;
            k = clamp(nearest(moved), 0.0, highest);
        }
        k = has(task.subset, t) ? k : 0.0;
        sum_k += k;
        sum_kk = fma(k, k, sum_kk);
        sum_v += has(task.subset, t) ? texels[t] : vec4(0.0);
        sum_kv = fma(vec4(k), texels[t], sum_kv);
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
FloatLine start_line(vec4 texels[16], Task task)
{
    const Sums m = without(sums_of(texels, task.subset, task.fitted.a != 0.0), task.fitted);
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
    return FloatLine(quarters_of(first), quarters_of(second));
}

// Get the error of indices found by projection on the line between two values.
float error_of(vec4 texels[16], Task task, FloatLine l)
{
    const Scale scale = scale_of(l, task);
    const float size = 64.0 / float(task.max_index);
    precise vec4 start = l.first + 1.0 / 128.0; // as halves are rounded up
    precise float error = 0.0;
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        // A weight is the index times 64 / max_index, rounded.
        precise float wide = index_on(scale, texels[t]) * size;
        precise float part = nearest(wide) * (1.0 / 64.0);
        precise vec4 value = fma(vec4(part), scale.way, start);
        precise vec4 e = texels[t] - nearest_of(value);
        error += has(task.subset, t) ? dot_product(e, e * task.fitted) : 0.0;
    }
    return error;
}

// The two codes next to an end of a line, lower and upper, and how far off these are.
struct Codes {
    ivec4 codes[2];
    vec4 off[2];
};

Codes codes_at(Task task, vec4 value, float p)
{
    const ivec4 highest = max_code(task.bits);
    const bool has_p = task.p_bits != P_NONE;
    precise vec4 scale = vec4(highest) * (1.0 / 255.0);
    precise vec4 wide = clamp(value, 0.0, 255.0) * scale - p;
    precise vec4 steps = has_p ? 0.5 * wide : wide;
    precise vec4 down = steps - 0.5;
    const ivec4 lower = ivec4(nearest_of(down));
    const ivec4 most = has_p ? highest >> 1 : highest;
    Codes c;
    [[unroll]] for (int i = 0; i < 2; i++) {
        const ivec4 code = clamp(lower + i, ivec4(0), most);
        c.codes[i] = (has_p ? 2 * code + int(p) : code) * ivec4(task.fitted);
        precise vec4 off = vec4(expand(c.codes[i], task.bits)) - value;
        c.off[i] = off;
    }
    return c;
}

// Round the ends of a line to the codes that fit best with the same indices and these p-bits, a bit
// for each end. Returns what these cost.
float round_ends(Task task, Ideal ideal, uint p_bits, out ivec4 first, out ivec4 second)
{
    const Codes a = codes_at(task, ideal.first, float(p_bits & 1u));
    const Codes b = codes_at(task, ideal.second, float(p_bits >> 1));
    vec4 costs = vec4(1.0e30);
    first = ivec4(0);
    second = ivec4(0);
    [[unroll]] for (int i = 0; i < 4; i++) {
        const vec4 e = a.off[i & 1], f = b.off[i >> 1];
        precise vec4 cost = (ideal.costs.x * e + ideal.costs.y * f) * e + ideal.costs.z * f * f;
        const bvec4 is_less = lessThan(cost, costs);
        first = mix(first, a.codes[i & 1], is_less);
        second = mix(second, b.codes[i >> 1], is_less);
        costs = min(costs, cost);
    }
    precise float sum = dot_product(costs, task.fitted);
    return sum;
}

FloatLine values_of(Task task, ivec4 first, ivec4 second)
{
    return FloatLine(vec4(expand(first, task.bits)), vec4(expand(second, task.bits)));
}

void keep_better(vec4 texels[16], Task task, ivec4 first, ivec4 second, inout Fit f)
{
    const int error = int(error_of(texels, task, values_of(task, first, second)));
    if (error < f.error) {
        f = Fit(first, second, error);
    }
}

// Keep the endpoints that fit best to the indices that the texels have on a line, moved as
// solve_line() does, if they are better: with all p-bits, or those that cost least.
void try_indices(vec4 texels[16], Task task, FloatLine l, vec2 stretch, bool all, inout Fit f)
{
    // The p-bits that the part can have: a bit for each combination.
    const uint p_bits = task.p_bits == P_NONE    ? 1u
                        : task.p_bits == P_ONE   ? 8u
                        : task.p_bits == P_EACH  ? 15u
                                                 : 9u;
    const Ideal ideal = solve_line(texels, task, stretch, l);
    ivec4 first = ivec4(0), second = ivec4(0);
    float least = 1.0e30;
    [[dont_unroll]] for (uint rest = p_bits; rest != 0u; rest &= rest - 1u) {
        ivec4 trial_first, trial_second;
        const float cost = round_ends(task, ideal, uint(findLSB(rest)), trial_first, trial_second);
        if (all || cost < least) {
            least = cost;
            first = trial_first;
            second = trial_second;
        }
        if (all || (rest & (rest - 1u)) == 0u) {
            keep_better(texels, task, first, second, f);
        }
    }
}

// Fit a part.
Fit fit_part(vec4 texels[16], Task task)
{
    Fit f = Fit(ivec4(0), ivec4(0), INT_MAX);
    try_indices(texels, task, start_line(texels, task), vec2(0.0), false, f);
    return f;
}

// Move the codes of each channel in turn to neighbours.
void search(vec4 texels[16], Task task, inout Fit f)
{
    const int step = task.p_bits == P_NONE ? 1 : 2;
    const ivec4 highest = max_code(task.bits);
    Fit center = f;
    [[dont_unroll]] for (int i = 0; i < 36; i++) {
        if (i % 9 == 0) {
            center = f;
        }
        const ivec4 axis = step * ivec4(equal(ivec4(i / 9), ivec4(0, 1, 2, 3)));
        const ivec4 first = center.first + (i % 9 / 3 - 1) * axis;
        const ivec4 second = center.second + (i % 3 - 1) * axis;
        if (i % 9 != 4 && clamp(first, ivec4(0), highest) == first &&
            clamp(second, ivec4(0), highest) == second) {
            keep_better(texels, task, first, second, f);
        }
    }
}

// Improve the fit of a part by its own indices, also with an end moved out or in by one. Rounds
// after the first look at neighbours, move both ends, and try all p-bits.
void polish(vec4 texels[16], Task task, int num_rounds, inout Fit f)
{
    f.error = INT_MAX;
    keep_better(texels, task, f.first, f.second, f);
    [[dont_unroll]] for (int i = 0; i < num_rounds; i++) {
        if (i > 0) {
            search(texels, task, f);
        }
        const FloatLine l = values_of(task, f.first, f.second);
        [[dont_unroll]] for (int k = 0; k < 9; k++) {
            const ivec2 stretch = ivec2(k / 3, k % 3) - 1;
            if (stretch.x == 0 || stretch.y == 0 || i > 0) {
                try_indices(texels, task, l, vec2(stretch), i > 0, f);
            }
        }
    }
}

// Get the partition nearest to the division into texels above the mean of r + 2 g + b and others.
uint choose_partition(vec4 texels[16])
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
