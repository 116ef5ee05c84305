// SPDX-License-Identifier: MIT
// Lines through texels of a block of BC6H.
#ifndef WEIR_TESTS_REF_BC6H_LINE_H
#define WEIR_TESTS_REF_BC6H_LINE_H

#include <stdbool.h>

#include "tests/ref/bc6h_block.h"

// The texels as values between which the format interpolates.
struct bc6h_texels {
    bool is_signed;
    bool by_log; // errors are of log(1 + value), not of halves
    int halves[16][3], values[16][3];
};

// A line from one endpoint to the other.
struct bc6h_line {
    int start[3], way[3];
    int shift;   // to 12 bits of the way, for least squares
    int step[3]; // its dot product with an offset along the line is the index there, shifted left
    int step_shift;
};

static inline int bc6h_clamp(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

// A partition is 0 .. 31, or -1 for one subset. The texels of the second subset, texel 0 lowest;
// the largest index.
int bc6h_mask_of(int partition);
int bc6h_largest_index(int partition);

// Endpoints: the first and the second of the first subset, and of the second one.
void bc6h_lines_between(int ends[4][3], int largest, struct bc6h_line lines[2]);

// Of texel t. Indices of anchors are in the lower half: bc6h_orient() makes ends such that this
// costs next to nothing.
int bc6h_index_of(const struct bc6h_line lines[2], int partition, const int value[3], int t);
void bc6h_orient(const struct bc6h_texels *b, int partition, int ends[4][3]);

// The `num` likeliest partitions, best first.
void bc6h_rank_partitions(const struct bc6h_texels *b, int num, int ranked[BC6H_NUM_PARTITIONS]);

// The texels of `mask` that are farthest apart along their principal axis.
void bc6h_set_extremes(const struct bc6h_texels *b, int mask, int ends[2][3]);

// The endpoints that fit best as the texels are assigned to `lines` now: S. Brown, "DXT Compression
// Techniques" (2006).
void bc6h_solve(const struct bc6h_texels *b, int partition, const struct bc6h_line lines[2],
                int ends[4][3]);

#endif
