// SPDX-License-Identifier: MIT
// The decoders behind weir_block_decode(). They set the channels that they have, of texels that are
// 0, 0, 0, 1. Those of BPTC take a block, all others a word of one: 8 bytes. Tables of BPTC.
#ifndef WEIR_CAPTURE_FILES_BLOCK_DECODE_H
#define WEIR_CAPTURE_FILES_BLOCK_DECODE_H

#include <stdbool.h>
#include <stdint.h>

// bc1.c: Khronos Data Format Specification 1.3, chapters "S3TC" and "RGTC".

// Colours, by four entries of a palette, or three and black. With `has_alpha` that is transparent.
void weir_decode_bc1(const uint8_t *word, bool may_have_three, bool has_alpha, float (*texels)[4]);
void weir_decode_bc2_alpha(const uint8_t *word, float (*texels)[4]);
// One channel of BC3, BC4 or BC5.
void weir_decode_bc4(const uint8_t *word, bool is_signed, unsigned channel, float (*texels)[4]);

// bptc.c: the same, chapter "BPTC".
void weir_decode_bc6h(const uint8_t *block, bool is_signed, float (*texels)[4]);
void weir_decode_bc7(const uint8_t *block, float (*texels)[4]);

// etc.c: the same, chapter "ETC2 and EAC". Blocks of ETC1 are blocks of ETC2 RGB in the modes that
// ETC1 has.
void weir_decode_etc2(const uint8_t *word, bool has_alpha_bit, float (*texels)[4]);
void weir_decode_etc2_alpha(const uint8_t *word, float (*texels)[4]);
void weir_decode_eac(const uint8_t *word, bool is_signed, unsigned channel, float (*texels)[4]);

// The subset of each texel, a digit, by partition.
extern const char weir_bptc_subsets_of_2[64][17], weir_bptc_subsets_of_3[64][17];
// The anchor of the second subset of two, and of the second and the third of three.
extern const uint8_t weir_bptc_anchor_2[64], weir_bptc_anchor_3_2[64], weir_bptc_anchor_3_3[64];

// A run of bits of an endpoint's channel. Its lowest bit in the block is bit `low`, its highest bit
// `high`; high is below low where a run is reversed.
struct weir_bc6h_run {
    uint8_t channel, endpoint, high, low;
};

enum { WEIR_BC6H_MAX_RUNS = 28 };

struct weir_bc6h_mode {
    bool is_transformed; // all endpoints but the first are differences to the first
    uint8_t num_subsets;
    uint8_t endpoint_bits, delta_bits[3]; // delta_bits: of all endpoints but the first
    uint8_t num_runs;
    struct weir_bc6h_run runs[WEIR_BC6H_MAX_RUNS]; // in their order after the mode's bits
};

// Get a mode by the five lowest bits of a block; NULL for a reserved mode. `*num_bits` becomes the
// number of bits that the mode has.
const struct weir_bc6h_mode *weir_bc6h_get_mode(unsigned low_bits, unsigned *num_bits);

#endif
