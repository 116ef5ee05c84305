// SPDX-License-Identifier: MIT
// The modes of BC7, and how their blocks are written.
#ifndef WEIR_TESTS_REF_BC7_BLOCK_H
#define WEIR_TESTS_REF_BC7_BLOCK_H

#include <stdint.h>

#include "tests/ref/bc7_fit.h"

struct ref_bc7_mode {
    int num_subsets;
    int partition_bits, rotation_bits, selection_bits;
    int color_bits, alpha_bits; // of an endpoint's channel, without the p-bit
    enum ref_bc7_p_bits p_bits;
    int index_bits, index2_bits; // a texel
};
extern const struct ref_bc7_mode ref_bc7_modes[8];

// Of a code of a channel, with the p-bit; 0 where the mode lacks the channel.
int ref_bc7_code_bits(const struct ref_bc7_mode *mode, int channel);

// All of a block but its indices.
struct ref_bc7_block {
    int mode, partition, rotation, selection;
    int code[6][4]; // of the endpoints, with p-bits
};

// Alpha changes places with R, G or B.
void ref_bc7_rotate(int rotation, const uint8_t texels[16][4], uint8_t rotated[16][4]);

// Writes the block with the best indices there are, and returns its error. Endpoints are exchanged
// as the format wants it.
int ref_bc7_write(struct ref_bc7_block *block, const uint8_t texels[16][4], bool alpha_unread,
                  uint8_t out[16]);

#endif
