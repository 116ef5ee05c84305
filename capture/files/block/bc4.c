// SPDX-License-Identifier: MIT
// BC4 and BC5: Khronos Data Format Specification 1.3, chapter "RGTC".
#include "capture/files/block/decode.h"

#include <stdbool.h>

// Two endpoints as integers; `scale` is the integer of 1.0, `least` that of the smallest value.
struct endpoints {
    int first, second;
    // all entries lie between the endpoints; else 6 of them and the range's two ends
    bool has_eight;
    int least, scale;
};

static void decode(const struct endpoints *ends, const uint8_t *block, unsigned channel,
                   float (*texels)[4])
{
    const int parts = ends->has_eight ? 7 : 5; // steps between the two endpoints
    float palette[8] = {(float)ends->first / (float)ends->scale,
                        (float)ends->second / (float)ends->scale};
    for (int i = 1; i < parts; i++) {
        palette[1 + i] = (float)((parts - i) * ends->first + i * ends->second) /
                         (float)(parts * ends->scale);
    }
    if (!ends->has_eight) {
        palette[6] = (float)ends->least;
        palette[7] = 1.0f;
    }
    uint64_t codes = 0;
    for (unsigned i = 0; i < 6; i++) {
        codes |= (uint64_t)block[2 + i] << (8 * i);
    }
    for (unsigned t = 0; t < 16; t++) {
        texels[t][channel] = palette[codes >> (3 * t) & 7];
    }
}

void weir_decode_bc4_channel_unorm(const uint8_t *block, unsigned channel, float (*texels)[4])
{
    const struct endpoints ends = {block[0], block[1], block[0] > block[1], 0, 255};
    decode(&ends, block, channel, texels);
}

static int snorm_code(uint8_t byte)
{
    return byte < 128 ? byte : byte - 256;
}

// -128 stands for the value of -127. The codes of the endpoints are compared before that. For -127
// and -128 the specification ("BC4 signed", caveat) leaves the result open.
static void decode_channel_snorm(const uint8_t *block, unsigned channel, float (*texels)[4])
{
    const int first = snorm_code(block[0]), second = snorm_code(block[1]);
    const struct endpoints ends = {first == -128 ? -127 : first, second == -128 ? -127 : second,
                                   first > second, -1, 127};
    decode(&ends, block, channel, texels);
}

static void fill_black(float (*texels)[4])
{
    for (unsigned t = 0; t < 16; t++) {
        texels[t][0] = texels[t][1] = texels[t][2] = 0;
        texels[t][3] = 1;
    }
}

void weir_decode_bc4_unorm(const uint8_t *block, float (*texels)[4])
{
    fill_black(texels);
    weir_decode_bc4_channel_unorm(block, 0, texels);
}

void weir_decode_bc4_snorm(const uint8_t *block, float (*texels)[4])
{
    fill_black(texels);
    decode_channel_snorm(block, 0, texels);
}

void weir_decode_bc5_unorm(const uint8_t *block, float (*texels)[4])
{
    fill_black(texels);
    weir_decode_bc4_channel_unorm(block, 0, texels);
    weir_decode_bc4_channel_unorm(block + 8, 1, texels);
}

void weir_decode_bc5_snorm(const uint8_t *block, float (*texels)[4])
{
    fill_black(texels);
    decode_channel_snorm(block, 0, texels);
    decode_channel_snorm(block + 8, 1, texels);
}
