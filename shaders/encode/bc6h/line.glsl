// SPDX-License-Identifier: MIT
// Lines through texels of a block of BC6H: from a principal axis, and by least squares.
// tests/ref/bc6h_line.c defines every bit of it; names are the same here.
//
// The includer declares
//   const bool IS_SIGNED
//   const int NUM_PARTITIONS, at most MAX_PARTITIONS

#include "encode/divide.glsl"
#include "encode/rounding.glsl"

const int MAX_PARTITIONS = 8;
const uint NO_KEY = 0xffffffffu;

// The texels, as values that the format interpolates.
ivec3 values[16];

// The division of the texels into subsets. All texels are in the first if there is only one.
struct Split {
    bool has_two;
    uint index;  // number of the partition
    uint mask;   // texels and anchor of the second subset, as in PARTITIONS; 0: there is none
};

int largest_index(Split split)
{
    return split.has_two ? 7 : 15;
}

// The endpoints of the first subset (first, second) and of the second one (third, fourth).
struct Ends {
    ivec3 first, second, third, fourth;
};

int dot_product(ivec3 a, ivec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

struct Line {
    ivec3 start, way;
    int shift; // the shift that leaves the way 12 bits, for least squares
    // The dot product of `step` and a value, plus `offset`, shifted right by step_shift, is the
    // index of the value. It may wrap on the way there.
    ivec3 step;
    int offset;
    int step_shift;
};

// Get the line between two values. Its step is way * largest / dot(way, way), with 13 bits.
Line line_between(ivec3 first, ivec3 second, int largest)
{
    Line l = Line(first, second - first, 0, ivec3(0), 1, 1);
    l.shift = shift_to(largest_of(abs(l.way)), 12);
    const ivec3 short_way = l.way >> l.shift;
    const int square = dot_product(short_way, short_way);
    if (square == 0) {
        return l;
    }
    const int num_bits = findMSB(square) + 1;
    const int normal = num_bits > 15 ? square >> (num_bits - 15) : square << (15 - num_bits);
    const int inverse = divide(1 << 30, normal, 1.0 / float(normal));
    const ivec3 wide = (short_way * inverse >> 4) * largest;
    const int shift = shift_to(largest_of(abs(wide)), 13);
    l.step = wide >> shift;
    l.step_shift = l.shift + 11 + num_bits - shift;
    l.offset = (1 << l.step_shift >> 1) - dot_product(l.step, first);
    return l;
}

// Get the number of the nearest of the values at equal distances along a line, 0 .. largest.
int index_on(Line l, ivec3 value, int largest)
{
    return clamp(dot_product(l.step, value) + l.offset >> l.step_shift, 0, largest);
}

// Get the index of texel `t`. `l` is the line of its subset. Indices of anchors are in the lower
// half.
int index_of(Line l, Split split, int t)
{
    const int largest = largest_index(split);
    const int index = index_on(l, values[t], largest);
    const bool is_anchor = t == 0 || uint(t) == split.mask >> 16;
    return is_anchor ? min(index, largest / 2) : index;
}

// The sums and products of channels with 10 bits each, packed.
struct Moments {
    int num;
    ivec3 sum, square, product; // product: xy, xz, yz
};

ivec3 unpack_reduced(uint reduced)
{
    return ivec3(uvec3(reduced) >> uvec3(0u, 10u, 20u) & 1023u);
}

// Add a texel. `reduced` is 0 if the texel does not count.
void add_moments(inout Moments m, uint reduced)
{
    const ivec3 v = unpack_reduced(reduced);
    m.sum += v;
    m.square += v * v;
    m.product += v.xxy * v.yzz;
}

// Get num^2 times the covariances, which are under 2^28: of each channel with itself in `square`,
// of xy, xz and yz in `product`.
void get_covariance(Moments m, out ivec3 square, out ivec3 product)
{
    square = m.num * m.square - m.sum * m.sum;
    product = m.num * m.product - m.sum.xxy * m.sum.yzz;
}

// Get the texels of `mask` relative to their box, 10 bits a channel, and 0 for the other texels.
void set_reduced(uint mask, out uint reduced[16])
{
    ivec3 lo = ivec3(1 << 16);
    ivec3 hi = ivec3(-(1 << 16));
    [[unroll]] for (int t = 0; t < 16; t++) {
        if (is_second(mask, t)) {
            lo = min(lo, values[t]);
            hi = max(hi, values[t]);
        }
    }
    const int shift = shift_to(largest_of(hi - lo), 10);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const uvec3 v = uvec3((values[t] - lo) >> shift);
        reduced[t] = is_second(mask, t) ? v.x | v.y << 10 | v.z << 20 : 0u;
    }
}

// Sums and products of texels of 10 bits, as floats without a fraction.
struct FloatMoments {
    vec3 sum, square, product; // product: xy, xz, yz
};

void add_moments(inout FloatMoments m, vec3 v)
{
    m.sum += v;
    m.square = fma(v, v, m.square);
    m.product = fma(v.xxy, v.yzz, m.product);
}

const float INVERSES[17] = float[](0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0,
                                   1.0 / 7.0, 1.0 / 8.0, 1.0 / 9.0, 1.0 / 10.0, 1.0 / 11.0,
                                   1.0 / 12.0, 1.0 / 13.0, 1.0 / 14.0, 1.0 / 15.0, 1.0 / 16.0);

// How badly a line with eight values would fit `num` texels: the reference says why.
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

// Get the direction in which texels differ most, by three steps of the power method.
ivec3 get_axis(ivec3 square, ivec3 product)
{
    const int most = largest_of(square);
    const bvec3 is_most = equal(square, ivec3(most));
    const int shift = shift_to(most, 14);
    square >>= shift;
    product >>= shift;
    const ivec3 x = ivec3(square.x, product.x, product.y);
    const ivec3 y = ivec3(product.x, square.y, product.z);
    const ivec3 z = ivec3(product.y, product.z, square.z);
    ivec3 axis = is_most.x ? x : is_most.y ? y : z;
    [[dont_unroll]] for (int i = 0; i < 3; i++) {
        const ivec3 next = ivec3(dot_product(x, axis), dot_product(y, axis), dot_product(z, axis));
        axis = next >> shift_to(largest_of(abs(next)), 14);
    }
    return axis;
}

// Get, for each subset, the texels that are farthest apart along its principal axis.
Ends get_extremes(Split split)
{
    Ends ends = Ends(ivec3(0), ivec3(0), ivec3(0), ivec3(0));
    [[dont_unroll]] for (int s = 0; s < (split.has_two ? 2 : 1); s++) {
        const uint mask = (s == 0 ? ~split.mask : split.mask) & 0xffffu;
        uint reduced[16];
        set_reduced(mask, reduced);
        Moments m = Moments(bitCount(mask), ivec3(0), ivec3(0), ivec3(0));
        [[unroll]] for (int t = 0; t < 16; t++) {
            add_moments(m, reduced[t]);
        }
        ivec3 square, product;
        get_covariance(m, square, product);
        const ivec3 axis = get_axis(square, product);
        int least = 0x7fffffff;
        int greatest = -0x7fffffff;
        ends.first = ends.third;
        ends.second = ends.fourth;
        [[unroll]] for (int t = 0; t < 16; t++) {
            const int along = dot_product(axis, unpack_reduced(reduced[t]));
            if (is_second(mask, t) && along < least) {
                least = along;
                ends.third = values[t];
            }
            if (is_second(mask, t) && along > greatest) {
                greatest = along;
                ends.fourth = values[t];
            }
        }
    }
    return split.has_two ? ends : Ends(ends.third, ends.fourth, ivec3(0), ivec3(0));
}

// Get the endpoints of subset 0 or 1 that fit best with the indices that `l` gives its texels.
void solve(Split split, uint subset, Line l, inout ivec3 first, inout ivec3 second)
{
    const int largest = largest_index(split);
    const uint mask = (subset == 0u ? ~split.mask : split.mask) & 0xffffu;
    int sk = 0, skk = 0;
    ivec3 sv = ivec3(0), skv = ivec3(0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const int counts = int(mask >> t & 1u);
        const int k = index_on(l, values[t], largest) * counts;
        const ivec3 v = clamp((values[t] - l.start) >> l.shift, ivec3(-8191), ivec3(8191));
        sk += k;
        skk += k * k;
        sv += v * counts;
        skv += k * v;
    }
    const int n = bitCount(mask);
    const int d = n * skk - sk * sk;
    if (d == 0) {
        return;
    }
    const ivec3 a = skk * sv - sk * skv + d / 2;
    const ivec3 b = a + largest * (n * skv - sk * sv);
    const float inverse = 1.0 / float(d);
    const ivec3 ka = ivec3(divide(a.x, d, inverse), divide(a.y, d, inverse),
                           divide(a.z, d, inverse));
    const ivec3 kb = ivec3(divide(b.x, d, inverse), divide(b.y, d, inverse),
                           divide(b.z, d, inverse));
    const ivec3 middle = l.start + (1 << l.shift >> 1);
    const int least = IS_SIGNED ? -LARGEST_VALUE : 0;
    first = clamp(middle + (ka << l.shift), ivec3(least), ivec3(LARGEST_VALUE));
    second = clamp(middle + (kb << l.shift), ivec3(least), ivec3(LARGEST_VALUE));
}

// Swap the endpoints if the anchor's index is in the upper half.
void orient(Split split, int anchor, inout ivec3 first, inout ivec3 second)
{
    const int largest = largest_index(split);
    ivec3 value = values[0];
    [[unroll]] for (int t = 1; t < 16; t++) {
        value = t == anchor ? values[t] : value;
    }
    if (index_on(line_between(first, second, largest), value, largest) > largest / 2) {
        const ivec3 old = first;
        first = second;
        second = old;
    }
}

// Solve all subsets, with the indices that the lines between the endpoints in `lines` give the
// texels.
void solve_both(Split split, Ends lines, inout Ends ends)
{
    [[dont_unroll]] for (uint s = 0u; s < (split.has_two ? 2u : 1u); s++) {
        const bool is_first = s == 0u;
        const Line l = line_between(is_first ? lines.first : lines.third,
                                    is_first ? lines.second : lines.fourth, largest_index(split));
        ivec3 a = is_first ? ends.first : ends.third;
        ivec3 b = is_first ? ends.second : ends.fourth;
        solve(split, s, l, a, b);
        ends = is_first ? Ends(a, b, ends.third, ends.fourth) : Ends(ends.first, ends.second, a, b);
    }
}
