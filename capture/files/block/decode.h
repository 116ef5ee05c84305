// SPDX-License-Identifier: MIT
// The decoders in the table of capture/files/block/block.h; each family has a file. A decoder takes
// a block and gives its 16 texels.
#ifndef WEIR_CAPTURE_FILES_BLOCK_DECODE_H
#define WEIR_CAPTURE_FILES_BLOCK_DECODE_H

#include <stdint.h>

// bc1.c, bc4.c: Khronos Data Format Specification 1.3, chapters "S3TC" and "RGTC".
void weir_decode_bc1_rgb(const uint8_t *block,
                         float (*texels)[4]); // black where alpha would be 0, alpha 1
void weir_decode_bc1_rgba(const uint8_t *block, float (*texels)[4]); // alpha 0 or 1
void weir_decode_bc2(const uint8_t *block, float (*texels)[4]);
void weir_decode_bc3(const uint8_t *block, float (*texels)[4]);
void weir_decode_bc4_unorm(const uint8_t *block, float (*texels)[4]);
void weir_decode_bc4_snorm(const uint8_t *block, float (*texels)[4]);
void weir_decode_bc5_unorm(const uint8_t *block, float (*texels)[4]);
void weir_decode_bc5_snorm(const uint8_t *block, float (*texels)[4]);
// One channel of a block of BC3, BC4 or BC5.
void weir_decode_bc4_channel_unorm(const uint8_t *block, unsigned channel, float (*texels)[4]);

// bc6h.c, bc7.c: the same, chapter "BPTC".
void weir_decode_bc6h_ufloat(const uint8_t *block, float (*texels)[4]);
void weir_decode_bc6h_sfloat(const uint8_t *block, float (*texels)[4]);
void weir_decode_bc7(const uint8_t *block, float (*texels)[4]);

// etc.c: the same, chapter "ETC2 and EAC". Blocks of ETC1 are blocks of ETC2 RGB in the
// modes that ETC1 has.
void weir_decode_etc2_rgb(const uint8_t *block, float (*texels)[4]);
void weir_decode_etc2_rgba1(const uint8_t *block, float (*texels)[4]);
void weir_decode_etc2_rgba(const uint8_t *block, float (*texels)[4]);
void weir_decode_eac_r11_unorm(const uint8_t *block, float (*texels)[4]);
void weir_decode_eac_r11_snorm(const uint8_t *block, float (*texels)[4]);
void weir_decode_eac_rg11_unorm(const uint8_t *block, float (*texels)[4]);
void weir_decode_eac_rg11_snorm(const uint8_t *block, float (*texels)[4]);

#endif
