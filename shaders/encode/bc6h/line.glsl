// SPDX-License-Identifier: MIT
// Lines through texels of a block of BC6H: from a principal axis, and by least squares.
//
// The includer declares
//   const bool IS_SIGNED

#include "encode/divide.glsl"

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
