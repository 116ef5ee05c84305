// SPDX-License-Identifier: MIT
// Finds the partitions of a BC7 mode that are likely to fit. tests/ref/bc7_partition.c defines it.

const int TRACE_BITS = 15;
const uint MAX_RANKS = 12u;

// The likeliest partitions of each invocation's block, the best first: an estimate of the error in
// the upper bits, the number of the partition in the lower 6.
shared uint ranks[MAX_RANKS][NUM_INVOCATIONS];

// Get floor(sqrt(v)) for v < 2^31. The float's result is off by at most one.
uint square_root(uint v)
{
    uint root = uint(sqrt(float(v)));
    root -= uint(root * root > v);
    return root + uint((root + 1u) * (root + 1u) <= v);
}

int shift_by(int v, int shift)
{
    return shift < 0 ? v * (1 << -shift) : v >> shift;
}

int square_of(int v, int shift)
{
    const int shifted = shift_by(v, shift);
    return shifted * shifted;
}

// Sums over the texels of a subset: of each channel, of its square, and of its products with the
// channels after it.
struct Sums {
    int n;
    ivec4 values, squares;
    ivec3 with_red;    // products of R with G, B and A
    ivec2 with_green;  // products of G with B and A
    int blue_by_alpha;
};

Sums sums_of(uint subset)
{
    Sums m = Sums(bitCount(subset), ivec4(0), ivec4(0), ivec3(0), ivec2(0), 0);
    [[dont_unroll]] for (uint rest = subset; rest != 0u; rest &= rest - 1u) {
        const ivec4 v = unpack(block_texels[findLSB(rest)][gl_LocalInvocationIndex]);
        m.values += v;
        m.squares += v * v;
        m.with_red += v.r * v.gba;
        m.with_green += v.g * v.ba;
        m.blue_by_alpha += v.b * v.a;
    }
    return m;
}

Sums difference(Sums a, Sums b)
{
    return Sums(a.n - b.n, a.values - b.values, a.squares - b.squares, a.with_red - b.with_red,
                a.with_green - b.with_green, a.blue_by_alpha - b.blue_by_alpha);
}

int trace_of(Sums m)
{
    const ivec4 variances = m.n * m.squares - m.values * m.values;
    return variances.r + variances.g + variances.b + variances.a;
}

uint residual(Sums m, int shift)
{
    const ivec4 variances = m.n * m.squares - m.values * m.values;
    const ivec3 red = m.n * m.with_red - m.values.r * m.values.gba;
    const ivec2 green = m.n * m.with_green - m.values.g * m.values.ba;
    const int blue = m.n * m.blue_by_alpha - m.values.b * m.values.a;
    const int squares = square_of(variances.r, shift) + square_of(variances.g, shift) +
                        square_of(variances.b, shift) + square_of(variances.a, shift);
    const int products = square_of(red.x, shift) + square_of(red.y, shift) +
                         square_of(red.z, shift) + square_of(green.x, shift) +
                         square_of(green.y, shift) + square_of(blue, shift);
    const uint trace = uint(shift_by(trace_of(m), shift));
    const uint norm = square_root(uint(squares + 2 * products));
    const uint left = (trace > norm ? trace - norm : 0u) + norm / 32u;
    return left * (65536u / uint(m.n)) >> 10;
}

void rank_partitions(uint num_subsets, uint num_partitions, uint num_ranks)
{
    const Sums all = sums_of(0xffffu);
    const int shift = findMSB(trace_of(all)) - (TRACE_BITS - 1);
    [[dont_unroll]] for (uint i = 0u; i < num_ranks; i++) {
        ranks[i][gl_LocalInvocationIndex] = 0xffffffffu;
    }
    [[dont_unroll]] for (uint p = 0u; p < num_partitions; p++) {
        Sums others = all;
        uint left = 0u;
        [[dont_unroll]] for (uint s = 1u; s < num_subsets; s++) {
            const Sums m = sums_of(subset_of(num_subsets, p, s));
            others = difference(others, m);
            left += residual(m, shift);
        }
        uint key = left + residual(others, shift) << 6 | p;
        [[dont_unroll]] for (uint i = 0u; i < num_ranks; i++) {
            const uint old = ranks[i][gl_LocalInvocationIndex];
            ranks[i][gl_LocalInvocationIndex] = min(key, old);
            key = max(key, old);
        }
    }
}
