// SPDX-License-Identifier: MIT
// Decoders of EAC: 11 bits a channel, unsigned and signed, and the alpha of RGBA ETC2.
// Khronos Data Format Specification 1.3, chapter "ETC2 Compressed Texture Image Formats".
#include "capture/files/block/eac.h"

#include <stdbool.h>

#include "capture/files/block/decode.h"

// Table "Intensity modifier sets for RGBA ETC2 alpha component".
static const int8_t modifiers[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8},
};

static int base_of(uint64_t word)
{
    return weir_block_bits(word, 56, 8);
}

static int multiplier_of(uint64_t word)
{
    return weir_block_bits(word, 52, 4);
}

// Get the modifier of a texel. Each texel has an index of three bits, the first texel the highest
// ones.
static int modifier_of(uint64_t word, int texel)
{
    return modifiers[weir_block_bits(word, 48, 4)][weir_block_bits(word, 45 - 3 * texel, 3)];
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

void weir_block_eac_alpha(const uint8_t *block, float (*texels)[4])
{
    const uint64_t word = weir_block_word(block);
    for (int t = 0; t < 16; t++) {
        // A multiplier of 0 is 0 here, unlike in the formats of 11 bits (section "Format RGBA
        // ETC2").
        const int value = base_of(word) + modifier_of(word, t) * multiplier_of(word);
        texels[weir_block_row_index(t)][3] = (float)clamp(value, 0, 255) / 255;
    }
}

// One channel of 11 bits. Equations "Unsigned R11 EAC simple" and "Signed R11 EAC simple" and, for
// a multiplier of 0, which stands for an eighth, "simpler".
static void decode_channel(const uint8_t *block, bool is_signed, int channel, float (*texels)[4])
{
    const uint64_t word = weir_block_word(block);
    const int step = multiplier_of(word) > 0 ? multiplier_of(word) * 8 : 1;
    const int code = base_of(word);
    int base = code * 8 + 4;
    if (is_signed) { // two's complement; -128 "must be treated as -127"
        base = (code == 128 ? -127 : code > 128 ? code - 256 : code) * 8;
    }
    for (int t = 0; t < 16; t++) {
        const int value = base + modifier_of(word, t) * step;
        texels[weir_block_row_index(t)][channel] = is_signed
                                                       ? (float)clamp(value, -1023, 1023) / 1023
                                                       : (float)clamp(value, 0, 2047) / 2047;
    }
}

static void decode_channels(const uint8_t *block, bool is_signed, int num_channels,
                            float (*texels)[4])
{
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 4; c++) {
            texels[t][c] = c == 3;
        }
    }
    for (int c = 0; c < num_channels; c++) {
        decode_channel(block + 8 * c, is_signed, c, texels);
    }
}

void weir_decode_eac_r11_unorm(const uint8_t *block, float (*texels)[4])
{
    decode_channels(block, false, 1, texels);
}

void weir_decode_eac_r11_snorm(const uint8_t *block, float (*texels)[4])
{
    decode_channels(block, true, 1, texels);
}

void weir_decode_eac_rg11_unorm(const uint8_t *block, float (*texels)[4])
{
    decode_channels(block, false, 2, texels);
}

void weir_decode_eac_rg11_snorm(const uint8_t *block, float (*texels)[4])
{
    decode_channels(block, true, 2, texels);
}
