// SPDX-License-Identifier: MIT
// The decoder of one-channel blocks, which BC3, BC4 and BC5 consist of.
#ifndef WEIR_CAPTURE_FILES_BLOCK_BC4_H
#define WEIR_CAPTURE_FILES_BLOCK_BC4_H

#include <stdint.h>

// Decode the 16 texels of an 8-byte block into one channel, as numbers without a sign.
void weir_decode_bc4_channel_unorm(const uint8_t *block, unsigned channel, float (*texels)[4]);

#endif
