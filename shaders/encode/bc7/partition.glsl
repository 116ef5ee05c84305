// SPDX-License-Identifier: MIT
// Finds the partitions of a BC7 mode that are likely to fit.
//
// A subset's texels should be on a line. What is off the line through their mean, squared and
// summed, is the sum of the eigenvalues of their covariance but the largest. The sum of all is the
// trace; the largest is taken to be the Frobenius norm, the root of the sum of their squares, which
// it is where all texels are on the line.

#include "encode/rounding.glsl"

const uint MAX_RANKS = 12u;

// The likeliest partitions of each invocation's block, the best first: an estimate of the error in
// the upper bits, the number of the partition in the lower 6.
shared uint ranks[MAX_RANKS][NUM_INVOCATIONS];

// Get sqrt(x) nearly, for x of 1 to 2^60, in roundings that every device has.
float square_root(float x)
{
    precise float y = uintBitsToFloat(0x5f3759dfu - (floatBitsToUint(x) >> 1));
    precise float half_x = 0.5 * x;
    [[unroll]] for (int i = 0; i < 2; i++) {
        precise float square = y * y;
        precise float product = half_x * square;
        precise float rest = 1.5 - product;
        y = y * rest;
    }
    precise float root = x * y;
    return root;
}

// Sums over the texels of a subset: of each channel, of its square, and of the products of RG, RB
// and GB, and of RA, GA and BA. Floats hold them and the covariances, which are under 2^24,
// exactly.
struct Sums {
    float num;
    vec4 values, squares;
    vec3 products, with_alpha;
};

Sums sums_of(vec4 texels[16], uint subset, bool has_alpha)
{
    Sums m = Sums(float(bitCount(subset)), vec4(0.0), vec4(0.0), vec3(0.0), vec3(0.0));
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        const vec3 v = (subset >> t & 1u) != 0u ? texels[t].rgb : vec3(0.0);
        m.values.rgb += v;
        m.squares.rgb = fma(v, v, m.squares.rgb);
        m.products = fma(v.rrg, v.gbb, m.products);
    }
    if (has_alpha) {
        [[unroll]] for (uint t = 0u; t < 16u; t++) {
            const float a = (subset >> t & 1u) != 0u ? texels[t].a : 0.0;
            m.values.a += a;
            m.squares.a = fma(a, a, m.squares.a);
            m.with_alpha = fma(texels[t].rgb, vec3(a), m.with_alpha);
        }
    }
    return m;
}

Sums difference(Sums a, Sums b)
{
    return Sums(a.num - b.num, a.values - b.values, a.squares - b.squares, a.products - b.products,
                a.with_alpha - b.with_alpha);
}

float residual(Sums m, bool has_alpha)
{
    const vec4 sum = m.values;
    const vec3 variance = fma(vec3(m.num), m.squares.rgb, -sum.rgb * sum.rgb);
    const vec3 color = fma(vec3(m.num), m.products, -sum.rrg * sum.gbb);
    precise vec3 square = variance * variance;
    precise vec3 color_square = color * color;
    precise float trace = variance.r + variance.g + variance.b;
    precise float squares = square.r + square.g + square.b;
    precise float products = color_square.x + color_square.y + color_square.z;
    if (has_alpha) {
        const float alpha_variance = fma(m.num, m.squares.a, -sum.a * sum.a);
        const vec3 alpha = fma(vec3(m.num), m.with_alpha, -sum.rgb * sum.a);
        precise float square_of_alpha = alpha_variance * alpha_variance;
        precise vec3 alpha_square = alpha * alpha;
        trace = trace + alpha_variance;
        squares = squares + square_of_alpha;
        products = products + alpha_square.x + alpha_square.y + alpha_square.z;
    }
    precise float total = squares + 2.0 * products;
    const float norm = square_root(max(total, 1.0));
    precise float off = trace - norm;
    precise float left = max(off, 0.0) + norm * (1.0 / 32.0);
    precise float mean = left * INVERSES[int(m.num)];
    return mean;
}

void rank_partitions(uint num_subsets, uint num_partitions, uint num_ranks, bool has_alpha)
{
    vec4 texels[16];
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        texels[t] = vec4(unpack(block_texels[t][gl_LocalInvocationIndex]));
    }
    const Sums all = sums_of(texels, 0xffffu, has_alpha);
    [[dont_unroll]] for (uint i = 0u; i < num_ranks; i++) {
        ranks[i][gl_LocalInvocationIndex] = 0xffffffffu;
    }
    [[dont_unroll]] for (uint p = 0u; p < num_partitions; p++) {
        Sums others = all;
        precise float left = 0.0;
        [[dont_unroll]] for (uint s = 1u; s < num_subsets; s++) {
            const Sums m = sums_of(texels, subset_of(num_subsets, p, s), has_alpha);
            others = difference(others, m);
            left += residual(m, has_alpha);
        }
        left += residual(others, has_alpha);
        uint key = (floatBitsToUint(left) & ~63u) | p;
        [[dont_unroll]] for (uint i = 0u; i < num_ranks; i++) {
            const uint old = ranks[i][gl_LocalInvocationIndex];
            ranks[i][gl_LocalInvocationIndex] = min(key, old);
            key = max(key, old);
        }
    }
}
