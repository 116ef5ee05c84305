// SPDX-License-Identifier: MIT
// Code that the decoders of BC6H and BC7 share: bit fields, indices, interpolation and tables.
#ifndef WEIR_CAPTURE_FILES_BLOCK_BPTC_H
#define WEIR_CAPTURE_FILES_BLOCK_BPTC_H

#include <stdbool.h>
#include <stdint.h>

// The bits of a block that are not yet taken, from the lowest bit of the first byte.
struct weir_bptc_bits {
    uint64_t low, high;
};

struct weir_bptc_bits weir_bptc_bits(const uint8_t *block);

// Take the next num_bits bits, 0 .. 16.
unsigned weir_bptc_take(struct weir_bptc_bits *bits, unsigned num_bits);

// Take the next 16 indices of num_bits bits each; those of anchors have one bit less.
void weir_bptc_take_indices(struct weir_bptc_bits *bits, unsigned num_bits, unsigned num_subsets,
                            unsigned partition, uint8_t indices[16]);

int weir_bptc_interpolate(int first, int second, unsigned num_bits, unsigned index);

// Get the subset of a texel, 0 .. num_subsets - 1. `num_subsets` is 1 .. 3. `partition`, which is
// for 2 or 3 subsets, is below 64.
unsigned weir_bptc_subset(unsigned num_subsets, unsigned partition, unsigned texel);

#endif
