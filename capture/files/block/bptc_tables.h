// SPDX-License-Identifier: MIT
// Tables of the blocks of BC6H and BC7.
#ifndef WEIR_CAPTURE_FILES_BLOCK_BPTC_TABLES_H
#define WEIR_CAPTURE_FILES_BLOCK_BPTC_TABLES_H

#include <stdbool.h>
#include <stdint.h>

// Get the subset of a texel, 0 .. num_subsets - 1. `num_subsets` is 1 .. 3. `partition`, which is
// for 2 or 3 subsets, is below 64.
unsigned weir_bptc_subset(unsigned num_subsets, unsigned partition, unsigned texel);

// True for an anchor texel: the highest bit of its index is 0 and is not stored.
bool weir_bptc_is_anchor(unsigned num_subsets, unsigned partition, unsigned texel);

// Get the weight of the second endpoint, 0 .. 64, for an index of 2, 3 or 4 bits.
int weir_bptc_weight(unsigned num_bits, unsigned index);

#endif
