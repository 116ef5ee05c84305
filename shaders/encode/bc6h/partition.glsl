// SPDX-License-Identifier: MIT
// Finds the partitions of BC6H that are likely to fit.
//
// Requires encode/bc6h/line.glsl. The includer declares
//   const int NUM_PARTITIONS, at most MAX_PARTITIONS

#include "encode/rounding.glsl"

const int MAX_PARTITIONS = 8;

// Sums and products of texels of 10 bits, as floats without a fraction.
struct FloatMoments {
    vec3 sum, square, product; // product: xy, xz, yz
};

void add_moments(inout FloatMoments m, vec3 v)
{
    precise vec3 sum = m.sum + v;
    m.sum = sum;
    m.square = fma(v, v, m.square);
    m.product = fma(v.xxy, v.yzz, m.product);
}

// How badly a line with eight values would fit `num` texels: with T the sum of the covariance's
// eigenvalues and r that of the lesser two, 48 r + T, for the mean square of a 49th of a step
// along. r(T - r) is the sum M of the principal minors, if the least eigenvalue is 0, so r is
// nearly M / (T - M / T).
float line_cost(FloatMoments m, int num)
{
    precise vec3 mean = m.sum * INVERSES[num];
    precise vec3 of_mean = mean * m.sum;
    precise vec3 square = m.square - of_mean;
    precise vec3 of_means = mean.xxy * m.sum.yzz;
    precise vec3 product = m.product - of_means;
    precise float total = square.x + square.y + square.z;
    precise vec3 greater = square.xxy * square.yzz;
    precise vec3 less = product * product;
    precise float minors = greater.x + greater.y + greater.z - less.x - less.y - less.z;
    precise float bounded = max(minors, 0.0);
    precise float total_square = total * total;
    precise float divisor = total_square - bounded;
    precise float rest = bounded * total * reciprocal(max(divisor, 1.0));
    precise float weighted = 48.0 * rest;
    precise float cost = weighted + total;
    return cost;
}

// Get the partitions that are likely to fit best, best first, in the lowest 5 bits of the keys.
void rank_partitions(out uint keys[MAX_PARTITIONS])
{
    uint reduced[16];
    set_reduced(0xffffu, reduced);
    const FloatMoments none = FloatMoments(vec3(0.0), vec3(0.0), vec3(0.0));
    FloatMoments all_texels = none;
    vec3 texels[16];
    [[unroll]] for (int t = 0; t < 16; t++) {
        texels[t] = vec3(unpack_reduced(reduced[t]));
        add_moments(all_texels, texels[t]);
    }
    [[unroll]] for (int i = 0; i < MAX_PARTITIONS; i++) {
        keys[i] = NO_KEY;
    }
    [[dont_unroll]] for (uint p = 0u; p < 32u; p++) {
        const uint mask = PARTITIONS[p];
        FloatMoments second = none;
        [[unroll]] for (int t = 0; t < 16; t++) {
            add_moments(second, is_second(mask, t) ? texels[t] : vec3(0.0));
        }
        const FloatMoments first = FloatMoments(all_texels.sum - second.sum,
                                                all_texels.square - second.square,
                                                all_texels.product - second.product);
        const int num = bitCount(mask & 0xffffu);
        precise float cost = line_cost(first, 16 - num) + line_cost(second, num);
        precise float rounded = cost * (1.0 / 32768.0) + LARGE;
        uint key = floatBitsToUint(rounded) << 5 | p;
        [[unroll]] for (int i = 0; i < MAX_PARTITIONS; i++) {
            if (i < NUM_PARTITIONS) {
                const uint greater = max(key, keys[i]);
                keys[i] = min(key, keys[i]);
                key = greater;
            }
        }
    }
}
