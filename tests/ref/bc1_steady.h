// SPDX-License-Identifier: MIT
// Scalar reference of BC1: what an opaque block keeps of the one in the frame before.
#ifndef WEIR_TESTS_REF_BC1_STEADY_H
#define WEIR_TESTS_REF_BC1_STEADY_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/ref/bc1.h"

// Let a block that ref_bc1_encode_block() made keep the endpoints of `previous`, the block at its
// place in the frame before, where that costs little. Nothing is kept of zeros, or of another block
// that has not four colours.
void ref_bc1_keep(const uint8_t rgb[16][3], bool ffmpeg_model,
                  const uint8_t previous[REF_BC1_BLOCK_SIZE], uint8_t block[REF_BC1_BLOCK_SIZE]);

#endif
