// SPDX-License-Identifier: MIT
// Scalar reference of BC4: what a block keeps of the one in the frame before.
#ifndef WEIR_TESTS_REF_BC4_STEADY_H
#define WEIR_TESTS_REF_BC4_STEADY_H

#include <stdint.h>

#include "tests/ref/bc4.h"

// Let a block that was encoded alone keep the endpoints of `previous`, the block at its place in
// the frame before, where that costs little. Zeros are no block to keep.
void ref_bc4_keep(const uint8_t values[16], const uint8_t previous[REF_BC4_BLOCK_SIZE],
                  uint8_t block[REF_BC4_BLOCK_SIZE]);

#endif
