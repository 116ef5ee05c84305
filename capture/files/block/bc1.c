// SPDX-License-Identifier: MIT
// BC1, BC2 and BC3: Khronos Data Format Specification 1.3, chapter "S3TC".
#include "capture/files/block/decode.h"

#include <stdbool.h>
#include <string.h>

static unsigned word(const uint8_t *bytes)
{
    return (unsigned)bytes[0] | (unsigned)bytes[1] << 8;
}

// Entry i of the palette is (first[i] c0 + second[i] c1) / (first[i] + second[i]).
struct weights {
    uint8_t first[4], second[4];
};
static const struct weights four_colours = {{1, 0, 2, 1}, {0, 1, 1, 2}};
static const struct weights three_colours = {{1, 0, 1, 0}, {0, 1, 1, 0}}; // the fourth is black

// Red, green and blue of a block. Returns true if entry 3 of its palette is black, and not a
// colour.
static bool decode_colours(const uint8_t *block, bool may_have_three, float (*texels)[4])
{
    static const uint8_t shifts[3] = {11, 5, 0}, levels[3] = {31, 63, 31};
    const unsigned c0 = word(block), c1 = word(block + 2);
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
        memcpy(texels[t], palette[block[4 + t / 4] >> 2 * (t % 4) & 3], sizeof(palette[0]));
    }
    return has_three;
}

static void fill_alpha(float (*texels)[4])
{
    for (unsigned t = 0; t < 16; t++) {
        texels[t][3] = 1;
    }
}

void weir_decode_bc1_rgb(const uint8_t *block, float (*texels)[4])
{
    decode_colours(block, true, texels);
    fill_alpha(texels);
}

void weir_decode_bc1_rgba(const uint8_t *block, float (*texels)[4])
{
    const bool has_three = decode_colours(block, true, texels);
    fill_alpha(texels);
    for (unsigned t = 0; t < 16 && has_three; t++) {
        if ((block[4 + t / 4] >> 2 * (t % 4) & 3) == 3) {
            texels[t][3] = 0;
        }
    }
}

void weir_decode_bc2(const uint8_t *block, float (*texels)[4])
{
    decode_colours(block + 8, false, texels);
    for (unsigned t = 0; t < 16; t++) {
        texels[t][3] = (float)(block[t / 2] >> 4 * (t % 2) & 15) / 15.0f;
    }
}

void weir_decode_bc3(const uint8_t *block, float (*texels)[4])
{
    decode_colours(block + 8, false, texels);
    weir_decode_bc4_channel_unorm(block, 3, texels);
}
