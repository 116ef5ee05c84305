// SPDX-License-Identifier: MIT
// The decoders behind weir_block_decode(). They set the channels that they have, of texels that are
// 0, 0, 0, 1. Those of BPTC take a block, all others a word of one: 8 bytes.
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

#endif
