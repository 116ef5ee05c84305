// SPDX-License-Identifier: MIT
// Lines through texels of a block of BC6H: from a principal axis, and by least squares.
// tests/ref/bc6h_line.c defines every bit of it; names are the same here.
//
// The includer declares
//   const bool IS_SIGNED
//   const int NUM_PARTITIONS, at most MAX_PARTITIONS

#include "encode/divide.glsl"

const int MAX_PARTITIONS = 8;
const uint NO_KEY = 0xffffffffu;

// The texels as values between which the format interpolates.
ivec3 values[16];

// Which texels are in which subset. All are in the first where there is one only.
struct Split {
    bool has_two;
    uint index;  // of the partition
    uint mask;   // its texels and anchor, as in PARTITIONS; 0 where there is one subset
};

int largest_index(Split split)
{
    return split.has_two ? 7 : 15;
}

// Endpoints of the first subset and of the second one.
struct Ends {
    ivec3 first, second, third, fourth;
};

// By how much to shift a value, not below 0, so that it has at most so many bits.
int shift_to(int value, int num_bits)
{
    return max(findMSB(value) + 1 - num_bits, 0);
}

int largest_of(ivec3 v)
{
    return max(max(v.x, v.y), v.z);
}

int dot_product(ivec3 a, ivec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

struct Line {
    ivec3 start, way;
    int shift; // to 12 bits of the way, for least squares
    ivec3 step; // its dot product with an offset along the line is the index there, shifted left
    int step_shift;
};

// The step is the way times the largest index over the way's square, with 13 bits.
Line line_between(ivec3 first, ivec3 second, int largest)
{
    Line l = Line(first, second - first, 0, ivec3(0), 1);
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
    return l;
}

// The nearest of the values at equal distances along a line, 0 .. largest.
int index_on(Line l, ivec3 value, int largest)
{
    const int along = dot_product(l.step, value - l.start) + (1 << l.step_shift >> 1);
    return clamp(along >> l.step_shift, 0, largest);
}

// `l` is the line of the texel's subset. Indices of anchors are in the lower half.
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

// `reduced` is 0 for texels that do not count.
void add_moments(inout Moments m, uint reduced)
{
    const ivec3 v = unpack_reduced(reduced);
    m.sum += v;
    m.square += v * v;
    m.product += v.xxy * v.yzz;
}

// num^2 times the covariance, under 2^28: of the channels with themselves, and xy, xz, yz.
void get_covariance(Moments m, out ivec3 square, out ivec3 product)
{
    square = m.num * m.square - m.sum * m.sum;
    product = m.num * m.product - m.sum.xxy * m.sum.yzz;
}

// The texels of `mask` within their box.
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

int line_cost(Moments m)
{
    ivec3 square, product;
    get_covariance(m, square, product);
    const int total = square.x + square.y + square.z;
    if (total == 0) {
        return 0;
    }
    const int shift = shift_to(total, 14);
    square >>= shift;
    product >>= shift;
    const int minors = max(dot_product(square.xxy, square.yzz) - dot_product(product, product), 0);
    const int whole = total >> shift;
    const int first = divide(minors, whole, 1.0 / float(whole));
    const int rest = divide(minors, whole - first, 1.0 / float(whole - first)) << shift;
    return divide((3 * rest + (total >> 4)) / 1024, m.num, 1.0 / float(m.num));
}

// The likeliest partitions, best first, in the lowest 5 bits.
void rank_partitions(out uint keys[MAX_PARTITIONS])
{
    uint reduced[16];
    set_reduced(0xffffu, reduced);
    Moments all_texels = Moments(16, ivec3(0), ivec3(0), ivec3(0));
    [[unroll]] for (int t = 0; t < 16; t++) {
        add_moments(all_texels, reduced[t]);
    }
    [[unroll]] for (int i = 0; i < MAX_PARTITIONS; i++) {
        keys[i] = NO_KEY;
    }
    [[dont_unroll]] for (uint p = 0u; p < 32u; p++) {
        const uint mask = PARTITIONS[p];
        Moments second = Moments(bitCount(mask & 0xffffu), ivec3(0), ivec3(0), ivec3(0));
        [[unroll]] for (int t = 0; t < 16; t++) {
            add_moments(second, is_second(mask, t) ? reduced[t] : 0u);
        }
        const Moments first = Moments(16 - second.num, all_texels.sum - second.sum,
                                      all_texels.square - second.square,
                                      all_texels.product - second.product);
        uint key = uint(line_cost(first) + line_cost(second)) << 5 | p;
        [[unroll]] for (int i = 0; i < MAX_PARTITIONS; i++) {
            if (i < NUM_PARTITIONS) {
                const uint greater = max(key, keys[i]);
                keys[i] = min(key, keys[i]);
                key = greater;
            }
        }
    }
}

// The direction in which texels differ most, by three steps of the power method.
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

// Of each subset the texels that are farthest apart along its principal axis.
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

// The endpoints of subset 0 or 1 that fit best as its texels are assigned to `l` now.
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

// Swaps the endpoints where the anchor is nearer to the second.
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

// Solves both subsets, each texel assigned to the nearest value of the lines between `ends`.
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
