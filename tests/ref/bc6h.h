// SPDX-License-Identifier: MIT
// Scalar reference of the BC6H encoder, unsigned and signed.
#ifndef WEIR_TESTS_REF_BC6H_H
#define WEIR_TESTS_REF_BC6H_H

#include <stdbool.h>
#include <stdint.h>

enum { REF_BC6H_BLOCK_SIZE = 16 };

enum ref_bc6h_effort {
    REF_BC6H_FAST,    // one subset
    REF_BC6H_DEFAULT, // and two, in the likeliest partitions and modes
    REF_BC6H_HIGH,    // more of both, and more steps
    // all partitions in all modes: what the others are measured by. No kernel has it
    REF_BC6H_EXHAUSTIVE,
    REF_BC6H_LIVE, // one subset, in a way of its own
};

// Encode 4x4 texels, row-major, half floats as ref_half_of() has them; unsigned ones are not
// negative. Integers, and floats that every
// device rounds alike, decide every bit. Returns the sum of the squared differences of the
// halves to the block's.
uint64_t ref_bc6h_encode_block(const int16_t halves[16][3], bool is_signed,
                               enum ref_bc6h_effort effort, uint8_t out[REF_BC6H_BLOCK_SIZE]);

// The same for the least error of log(1 + value), as integers that grow by 2048 an octave. Returns
// the sum of these squared.
uint64_t ref_bc6h_encode_block_log(const int16_t halves[16][3], bool is_signed,
                                   enum ref_bc6h_effort effort, uint8_t out[REF_BC6H_BLOCK_SIZE]);

// 2048 log2(1 + value) of a half, within 20, with the sign of the half.
int ref_bc6h_level_of(int half);

#endif
