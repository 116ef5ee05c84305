// SPDX-License-Identifier: MIT
// The contents of a block of BC6H: modes, partitions, endpoints and the places of their bits.
#ifndef WEIR_TESTS_REF_BC6H_BLOCK_H
#define WEIR_TESTS_REF_BC6H_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BC6H_NUM_PARTITIONS = 32,
    BC6H_NUM_TWO_SUBSET_MODES = 10, // modes 0 .. 9, finest endpoints first
    BC6H_NUM_MODES = 14,
};

struct bc6h_mode {
    uint8_t id;            // the lowest bits of the block
    bool is_transformed;   // endpoints but the first are stored as differences to it
    uint8_t bits;          // of an endpoint's channel
    uint8_t delta_bits[3]; // of the others where they are differences
    // where bits are that are apart from the rest of their endpoint; 0: not there
    uint8_t strays[12];
};

extern const struct bc6h_mode bc6h_modes[BC6H_NUM_MODES];

// Texels of the second subset, texel 0 lowest, and the one whose index lacks its highest bit.
struct bc6h_partition {
    uint16_t mask;
    uint8_t anchor;
};

extern const struct bc6h_partition bc6h_partitions[BC6H_NUM_PARTITIONS];

// The weight of the second endpoint in 64ths; `largest` is the largest index, 7 or 15.
int bc6h_weight(int largest, int index);

// Between a code of `bits` bits and what it stands for, 0 .. 0xffff, or -0x7fff .. 0x7fff if
// signed; from there to a half float, and back. The nearest code; a value that becomes that half.
int bc6h_quantise(int value, int bits, bool is_signed);
int bc6h_unquantise(int code, int bits, bool is_signed);
int bc6h_half_of(int value, bool is_signed);
int bc6h_value_of(int half, bool is_signed);

// `codes`: first and second endpoint of the first subset and of the second one. Indices of anchors
// have no highest bit.
void bc6h_pack(int mode, int partition, int codes[4][3], const uint8_t indices[16],
               uint8_t out[16]);

#endif
