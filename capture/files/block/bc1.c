// SPDX-License-Identifier: MIT
// BC1 to BC5: Khronos Data Format Specification 1.3, chapters "S3TC" and "RGTC".
#include "capture/files/block/block.h"

#include <string.h>

static unsigned color_of(const uint8_t *bytes)
{
    return (unsigned)bytes[0] | (unsigned)bytes[1] << 8;
}

// Entry i of the palette is (first[i] c0 + second[i] c1) / (first[i] + second[i]).
struct weights {
    uint8_t first[4], second[4];
};
static const struct weights four_colours = {{1, 0, 2, 1}, {0, 1, 1, 2}};
static const struct weights three_colours = {{1, 0, 1, 0}, {0, 1, 1, 0}}; // the fourth is black

void weir_decode_bc1(const uint8_t *word, bool may_have_three, bool has_alpha, float (*texels)[4])
{
    static const uint8_t shifts[3] = {11, 5, 0}, levels[3] = {31, 63, 31};
    const unsigned c0 = color_of(word), c1 = color_of(word + 2);
    const bool has_three = may_have_three && c0 <= c1;
    const struct weights *weights = has_three ? &three_colours : &four_colours;
    float palette[4][3];
    for (unsigned i = 0; i < 4; i++) {
        const unsigned first = weights->first[i], second = weights->second[i];
        for (unsigned c = 0; c < 3; c++) {
            const unsigned sum = first * (c0 >> shifts[c] & levels[c]) +
                                 second * (c1 >> shifts[c] & levels[c]);
            const unsigned one = (first + second) * levels[c];
            palette[i][c] = one ? (float)sum / (float)one : 0;
        }
    }
    for (unsigned t = 0; t < 16; t++) {
        const unsigned entry = word[4 + t / 4] >> 2 * (t % 4) & 3;
        memcpy(texels[t], palette[entry], sizeof(palette[0]));
        if (has_alpha && has_three && entry == 3) {
            texels[t][3] = 0;
        }
    }
}

void weir_decode_bc2_alpha(const uint8_t *word, float (*texels)[4])
{
    for (unsigned t = 0; t < 16; t++) {
        texels[t][3] = (float)(word[t / 2] >> 4 * (t % 2) & 15) / 15.0f;
    }
}

// Get an endpoint. -128 stands for the value of -127.
static int endpoint_of(uint8_t code, bool is_signed)
{
    const int value = is_signed && code >= 128 ? code - 256 : code;
    return value == -128 ? -127 : value;
}

// The codes of the endpoints are compared before -128 becomes -127. For these two the specification
// ("BC4 signed", caveat) leaves the result open.
void weir_decode_bc4(const uint8_t *word, bool is_signed, unsigned channel, float (*texels)[4])
{
    const int first = endpoint_of(word[0], is_signed), second = endpoint_of(word[1], is_signed);
    const uint8_t flip = is_signed ? 128 : 0; // so that codes compare as numbers without a sign
    // All entries lie between the endpoints; else 6 of them, and the range's two ends.
    const bool has_eight = (word[0] ^ flip) > (word[1] ^ flip);
    const int parts = has_eight ? 7 : 5, one = is_signed ? 127 : 255;
    float palette[8] = {(float)first / (float)one, (float)second / (float)one};
    for (int i = 1; i < parts; i++) {
        palette[1 + i] = (float)((parts - i) * first + i * second) / (float)(parts * one);
    }
    if (!has_eight) {
        palette[6] = is_signed ? -1 : 0;
        palette[7] = 1;
    }
    uint64_t codes = 0;
    for (unsigned i = 0; i < 6; i++) {
        codes |= (uint64_t)word[2 + i] << (8 * i);
    }
    for (unsigned t = 0; t < 16; t++) {
        texels[t][channel] = palette[codes >> (3 * t) & 7];
    }
}
