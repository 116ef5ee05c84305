// SPDX-License-Identifier: MIT
// Finds the ways to encode a BC7 block that are likely to fit: a mode, and a partition or a
// rotation.
//
// The error of a way is estimated from the covariance of each of its parts. What is off the line
// through their mean, squared and summed, is the sum of the eigenvalues but the largest. The sum of
// all is the trace; the largest is taken to be the Frobenius norm, the root of the sum of their
// squares, which it is where all texels are on the line. Indices leave a share of what is along the
// line, and the rounding of endpoints something of the square of a step.

#include "encode/rounding.glsl"

// How many ways are ranked at most: default tries 4 besides those of fast.
const uint MAX_RANKS = IS_HIGH ? 12u : HAS_POLISH ? 4u : 1u;
const uint NUM_PAIRS = IS_LIVE ? 1u : 3u; // ways of mode 1 at live and fast

// The modes that are ranked where a block is opaque, a bit each. It starts with lines of modes 1
// and 6.
const uint OPAQUE_MODES = 0x3du;

// The likeliest ways of each invocation's block, the best first: an estimate of the error in the
// upper bits, then the mode in 3 bits and the partition, or the rotation and 4 times the selection,
// in 6.
shared uint ranks[MAX_RANKS][NUM_INVOCATIONS];

// The likeliest partitions of mode 1 for the lines of each block.
shared uint line_pairs[NUM_PAIRS][BLOCKS_OF_GROUP];

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

Sums sums_of(uint subset, bool has_alpha)
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

// Leave out a channel, or all others.
Sums without(Sums m, vec4 channels)
{
    precise vec3 pairs = channels.rrg * channels.gbb;
    precise vec3 with_alpha = channels.rgb * channels.a;
    precise vec4 values = m.values * channels;
    precise vec4 squares = m.squares * channels;
    return Sums(m.num, values, squares, m.products * pairs, m.with_alpha * with_alpha);
}

// The covariance of each pair of channels, times the square of the number of texels.
struct Covariance {
    vec4 squares;
    vec3 products, with_alpha;
};

Covariance covariance_of(Sums m)
{
    const vec4 sum = m.values;
    precise vec4 squares = sum * sum;
    precise vec3 products = sum.rrg * sum.gbb;
    precise vec3 with_alpha = sum.rgb * sum.a;
    return Covariance(fma(vec4(m.num), m.squares, -squares),
                      fma(vec3(m.num), m.products, -products),
                      fma(vec3(m.num), m.with_alpha, -with_alpha));
}

// Get what is off the line and what is along it.
vec2 spread_of(Sums m, bool has_alpha)
{
    const Covariance c = covariance_of(m);
    precise vec3 square = c.squares.rgb * c.squares.rgb;
    precise vec3 product = c.products * c.products;
    precise float trace = c.squares.r + c.squares.g + c.squares.b;
    precise float squares = square.r + square.g + square.b;
    precise float products = product.x + product.y + product.z;
    if (has_alpha) {
        precise float square_of_alpha = c.squares.a * c.squares.a;
        precise vec3 with_alpha = c.with_alpha * c.with_alpha;
        trace = trace + c.squares.a;
        squares = squares + square_of_alpha;
        products = products + with_alpha.x + with_alpha.y + with_alpha.z;
    }
    precise float total = squares + 2.0 * products;
    const float norm = square_root(max(total, 1.0));
    precise vec2 spread = vec2(max(trace - norm, 0.0), norm) * INVERSES[int(m.num)];
    return spread;
}

// Get what the rounding of endpoints leaves.
float rounding_loss(uint mode)
{
    return mode == 0u ? 188.0 : mode == 2u ? 83.0 : mode == 3u ? 0.8 : 4.5;
}

// Get the error of a part.
float loss_of(vec2 spread, float share)
{
    precise float loss = spread.x + spread.y * share;
    return loss;
}

void clear_pairs()
{
    [[dont_unroll]] for (uint i = 0u; i < NUM_PAIRS; i++) {
        line_pairs[i][place_of_block()] = 0xffffffffu;
    }
}

// Put a partition of mode 1 where it belongs in `line_pairs`.
void insert_pair(vec2 spread, uint partition_index)
{
    precise float loss = spread.x + spread.y * (1.0 / 128.0);
    uint key = (floatBitsToUint(loss) & ~63u) | partition_index;
    [[dont_unroll]] for (uint i = 0u; i < NUM_PAIRS; i++) {
        const uint old = line_pairs[i][place_of_block()];
        line_pairs[i][place_of_block()] = min(key, old);
        key = max(key, old);
    }
}

// Find the likeliest partitions of mode 1, in `line_pairs`.
void rank_pairs()
{
    const Sums all = sums_of(0xffffu, false);
    clear_pairs();
    [[dont_unroll]] for (uint p = 0u; p < 64u; p++) {
        const Sums second = sums_of(subset_of(2u, p, 1u), false);
        const vec2 a = spread_of(second, false);
        const vec2 b = spread_of(difference(all, second), false);
        precise vec2 spread = a + b;
        insert_pair(spread, p);
    }
}

// What ranks[] becomes, while it is found.
uint order[MAX_RANKS];

// Put a way where it belongs from `first` on.
void insert(float estimate, uint mode, uint way, uint first)
{
    uint key = floatBitsToUint(estimate) & ~511u | mode << 6 | way;
    [[unroll]] for (uint i = 0u; i < MAX_RANKS; i++) {
        const uint old = order[i];
        order[i] = i >= first ? min(key, old) : old;
        key = i >= first ? max(key, old) : key;
    }
}

// What is ranked: some modes, a bit each. Mode 7 takes places from 0 on, others from `others` on.
struct Ranking {
    uint modes, others, first_rotation;
};

uint modes_of(uint num_subsets)
{
    return num_subsets == 2u ? 0x8au : 0x05u;
}

void rank_partitions(Sums all, Ranking r, uint num_subsets, bool has_alpha)
{
    [[dont_unroll]] for (uint p = 0u; p < 64u; p++) {
        Sums others = all;
        precise vec2 spread = vec2(0.0);
        [[dont_unroll]] for (uint s = 1u; s < num_subsets; s++) {
            const Sums m = sums_of(subset_of(num_subsets, p, s), has_alpha);
            others = difference(others, m);
            spread += spread_of(m, has_alpha);
        }
        spread += spread_of(others, has_alpha);
        if (HAS_POLISH && r.modes == OPAQUE_MODES && num_subsets == 2u) {
            insert_pair(spread, p);
        }
        [[dont_unroll]] for (uint rest = r.modes & modes_of(num_subsets); rest != 0u;
                             rest &= rest - 1u) {
            const uint m = uint(findLSB(rest));
            if (p >> digit(PARTITION_BITS, m) == 0u) {
                const float share = digit(INDEX_BITS, m) == 2u ? 0.04 : 1.0 / 32.0;
                precise float loss = loss_of(spread, share) + rounding_loss(m);
                insert(loss, m, p, m == 7u ? 0u : r.others);
            }
        }
    }
}

// Rank the ways of modes 4 and 5 to exchange alpha.
void rank_rotations(Sums all, Ranking r)
{
    [[dont_unroll]] for (uint rotation = r.first_rotation; rotation < 4u; rotation++) {
        const vec4 alone = vec4(equal(uvec4(rotation), uvec4(1u, 2u, 3u, 0u)));
        const vec2 one = spread_of(without(all, alone), true);
        const vec2 three = spread_of(without(all, 1.0 - alone), true);
        if ((r.modes & 32u) != 0u) {
            precise float loss = loss_of(three, 0.03) + loss_of(one, 0.067) + 3.0;
            insert(loss, 5u, rotation, r.others);
        }
        if ((r.modes & 16u) != 0u) {
            precise float loss = loss_of(three, 0.03) + loss_of(one, 0.042) + 30.0;
            insert(loss, 4u, rotation, r.others);
            loss = loss_of(three, 0.012) + loss_of(one, 0.067) + 30.0;
            insert(loss, 4u, rotation | 4u, r.others);
        }
    }
}

// Find the ways of some modes, in `ranks`.
void rank_ways(Ranking r, bool has_alpha)
{
    [[unroll]] for (uint i = 0u; i < MAX_RANKS; i++) {
        order[i] = 0xffffffffu;
    }
    if (HAS_POLISH && r.modes == OPAQUE_MODES) {
        clear_pairs();
    }
    const Sums all = sums_of(0xffffu, has_alpha);
    if ((r.modes & 0x30u) != 0u) {
        rank_rotations(all, r);
    }
    [[dont_unroll]] for (uint n = 2u; n <= 3u; n++) {
        if ((r.modes & modes_of(n)) != 0u) {
            rank_partitions(all, r, n, has_alpha);
        }
    }
    [[unroll]] for (uint i = 0u; i < MAX_RANKS; i++) {
        ranks[i][gl_LocalInvocationIndex] = order[i];
    }
}
