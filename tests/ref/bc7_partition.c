// SPDX-License-Identifier: MIT
// Which partitions of a BC7 mode are likely to fit.
//
// A subset's texels should be on a line. What is off the line through their mean, squared and
// summed, is the sum of the eigenvalues of their covariance but the largest. The sum of all is the
// trace; the largest is taken to be the Frobenius norm, the root of the sum of their squares, which
// it is where all texels are on the line.
#include "tests/ref/bc7_partition.h"

#include <string.h>

#include "tests/ref/bc7_block.h"
#include "tests/ref/bc7_tables.h"

// sqrt(x) nearly, for x of 1 to 2^60, in roundings that every device has.
static float square_root(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    bits = 0x5f3759df - (bits >> 1);
    float y;
    memcpy(&y, &bits, sizeof(y));
    const float half = 0.5f * x;
    for (int i = 0; i < 2; i++) {
        const float square = y * y, product = half * square;
        y = y * (1.5f - product);
    }
    return x * y;
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

// Estimate the error of a subset that is fitted by a line: the variance off the line, and a little
// of the variance along it, as there are few indices. Sums run from red to alpha.
static float residual(const uint8_t texels[16][4], uint32_t subset)
{
    int covariance[4][4];
    const int n = find_covariance(texels, subset, covariance);
    float trace = 0, squares = 0, products = 0;
    for (int i = 0; i < 4; i++) {
        const float variance = (float)covariance[i][i], square = variance * variance;
        trace += variance;
        squares += square;
    }
    static const int of[6][2] = {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}};
    for (int i = 0; i < 6; i++) {
        const float value = (float)covariance[of[i][0]][of[i][1]], square = value * value;
        products += square;
    }
    const float twice = 2 * products, sum = squares + twice;
    const float norm = square_root(sum > 1 ? sum : 1);
    const float off = trace - norm, along = norm / 32;
    const float left = (off > 0 ? off : 0) + along;
    return left * (1 / (float)n);
}

void ref_bc7_rank_partitions(const uint8_t texels[16][4], int mode, struct ref_bc7_ranks *ranks)
{
    const struct ref_bc7_mode *m = &ref_bc7_modes[mode];
    uint32_t best[REF_BC7_MAX_RANKS];
    for (int i = 0; i < REF_BC7_MAX_RANKS; i++) {
        best[i] = UINT32_MAX;
    }
    for (int p = 0; p < 1 << m->partition_bits; p++) {
        float left = 0;
        for (int s = 1; s <= m->num_subsets; s++) {
            left += residual(texels, ref_bc7_subset(m->num_subsets, p, s % m->num_subsets));
        }
        uint32_t key;
        memcpy(&key, &left, sizeof(key));
        key = (key & ~63u) | (uint32_t)p;
        for (int i = 0; i < REF_BC7_MAX_RANKS; i++) {
            const uint32_t old = best[i];
            best[i] = key < old ? key : old;
            key = key < old ? old : key;
        }
    }
    for (int i = 0; i < REF_BC7_MAX_RANKS; i++) {
        ranks->partition[i] = best[i] & 63;
    }
}
