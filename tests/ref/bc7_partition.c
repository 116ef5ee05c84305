// SPDX-License-Identifier: MIT
// Which partitions of a BC7 mode are likely to fit.
//
// A subset's texels should be on a line. What is off the line through their mean, squared and
// summed, is the sum of the eigenvalues of their covariance but the largest. The sum of all is the
// trace; the largest is taken to be the Frobenius norm, the root of the sum of their squares, which
// it is where all texels are on the line.
#include "tests/ref/bc7_partition.h"

#include "tests/ref/bc7_block.h"
#include "tests/ref/bc7_tables.h"

// Parts of the sums' bits that are used: squares of 15 bits can be summed.
enum { TRACE_BITS = 15 };

static unsigned square_root(unsigned v)
{
    unsigned root = 0;
    for (unsigned bit = 1u << TRACE_BITS; bit; bit >>= 1) {
        if ((root + bit) * (root + bit) <= v) {
            root += bit;
        }
    }
    return root;
}

static int shift_by(int v, int shift)
{
    return shift < 0 ? v * (1 << -shift) : v >> shift;
}

// The covariance of a subset, n^2 times.
static int find_covariance(const uint8_t texels[16][4], uint32_t subset, int covariance[4][4])
{
    int n = 0, sum[4] = {0}, product[4][4] = {{0}};
    for (int t = 0; t < 16; t++) {
        if (!(subset >> t & 1)) {
            continue;
        }
        n++;
        for (int i = 0; i < 4; i++) {
            sum[i] += texels[t][i];
            for (int j = 0; j < 4; j++) {
                product[i][j] += texels[t][i] * texels[t][j];
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            covariance[i][j] = n * product[i][j] - sum[i] * sum[j];
        }
    }
    return n;
}

static int trace_of(const int covariance[4][4])
{
    return covariance[0][0] + covariance[1][1] + covariance[2][2] + covariance[3][3];
}

// Estimate the error of a subset that is fitted by a line: the variance off the line, and a little
// of the variance along it, as there are few indices.
static unsigned residual(const uint8_t texels[16][4], uint32_t subset, int shift)
{
    int covariance[4][4];
    const int n = find_covariance(texels, subset, covariance);
    const unsigned trace = (unsigned)shift_by(trace_of((const int(*)[4])covariance), shift);
    unsigned squares = 0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            const int c = shift_by(covariance[i][j], shift);
            squares += (unsigned)(c * c);
        }
    }
    const unsigned norm = square_root(squares);
    const unsigned left = (trace > norm ? trace - norm : 0) + norm / 32;
    return left * (65536u / (unsigned)n) >> 10;
}

static int highest_bit(unsigned v)
{
    int bit = -1;
    for (; v; v >>= 1) {
        bit++;
    }
    return bit;
}

void ref_bc7_rank_partitions(const uint8_t texels[16][4], int mode, struct ref_bc7_ranks *ranks)
{
    const struct ref_bc7_mode *m = &ref_bc7_modes[mode];
    int covariance[4][4];
    find_covariance(texels, 0xffff, covariance);
    const int trace = trace_of((const int(*)[4])covariance);
    const int shift = highest_bit((unsigned)trace) - (TRACE_BITS - 1);
    unsigned best[REF_BC7_MAX_RANKS];
    for (int i = 0; i < REF_BC7_MAX_RANKS; i++) {
        best[i] = ~0u;
    }
    for (unsigned p = 0; p < 1u << m->partition_bits; p++) {
        unsigned left = 0;
        for (int s = 0; s < m->num_subsets; s++) {
            left += residual(texels, ref_bc7_subset(m->num_subsets, (int)p, s), shift);
        }
        unsigned key = left << 6 | p;
        for (int i = 0; i < REF_BC7_MAX_RANKS; i++) {
            const unsigned old = best[i];
            best[i] = key < old ? key : old;
            key = key < old ? old : key;
        }
    }
    for (int i = 0; i < REF_BC7_MAX_RANKS; i++) {
        ranks->partition[i] = best[i] & 63;
    }
}
