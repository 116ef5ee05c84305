// SPDX-License-Identifier: MIT
// Decoders of scaled YCoCg in BC3: exact fractions as on a GPU, and FFmpeg's integer arithmetic.

#include "tests/ref/ycocg_bc3_decode.h"

#include <math.h>
#include <string.h>

// The two index fields of a block: 3 bits a texel for Y, 2 bits a texel for the colours.
static unsigned luma_index(const uint8_t block[16], unsigned texel)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < 6; i++) {
        bits |= (uint64_t)block[2 + i] << (8 * i);
    }
    return (unsigned)(bits >> (3 * texel)) & 7;
}

static unsigned chroma_index(const uint8_t block[16], unsigned texel)
{
    return (unsigned)(block[12 + texel / 4] >> (2 * (texel % 4))) & 3;
}

static unsigned colour_word(const uint8_t block[16], unsigned endpoint)
{
    return (unsigned)block[8 + 2 * endpoint] | (unsigned)block[9 + 2 * endpoint] << 8;
}

// Weight of the first endpoint, in thirds. BC3 has no three-colour mode.
static const int third[4] = {3, 0, 2, 1};

// Y times `*den`: BC4 divides by 7, or by 5 where the endpoints are not in falling order.
static int luma_numerator(const uint8_t block[16], unsigned texel, int *den)
{
    const int a0 = block[0], a1 = block[1], index = (int)luma_index(block, texel);
    *den = 1;
    if (index < 2) {
        return index == 0 ? a0 : a1;
    }
    if (a0 > a1) {
        *den = 7;
        return (8 - index) * a0 + (index - 1) * a1;
    }
    if (index > 5) {
        return index == 6 ? 0 : 255;
    }
    *den = 5;
    return (6 - index) * a0 + (index - 1) * a1;
}

void ref_ycocg_bc3_decode_block_exact(const uint8_t block[16], double rgb[16][3])
{
    const unsigned c0 = colour_word(block, 0), c1 = colour_word(block, 1);
    for (unsigned t = 0; t < 16; t++) {
        const double w0 = third[chroma_index(block, t)], w1 = 3 - w0;
        const double red = (w0 * (c0 >> 11) + w1 * (c1 >> 11)) / (3 * 31);
        const double green = (w0 * (c0 >> 5 & 63) + w1 * (c1 >> 5 & 63)) / (3 * 63);
        const double blue = (w0 * (c0 & 31) + w1 * (c1 & 31)) / (3 * 31);
        const double scale = blue * 255 / 8 + 1;
        int den;
        const int num = luma_numerator(block, t, &den);
        const double y = (double)num / den;
        const double co = (red * 255 - 128) / scale, cg = (green * 255 - 128) / scale;
        rgb[t][0] = y + co - cg;
        rgb[t][1] = y + cg;
        rgb[t][2] = y - co - cg;
    }
}

// The expansion of 5 and 6 bits to 8 that FFmpeg uses.
static int expand(unsigned code, int levels)
{
    const int v = (int)code * 255 + levels / 2;
    return (v / levels + v) / levels;
}

static uint8_t clamp8(int v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static void decode_block_ffmpeg(const uint8_t block[16], uint8_t rgb[16][3])
{
    const unsigned c0 = colour_word(block, 0), c1 = colour_word(block, 1);
    for (unsigned t = 0; t < 16; t++) {
        const int w0 = third[chroma_index(block, t)], w1 = 3 - w0;
        const int red = (w0 * expand(c0 >> 11, 32) + w1 * expand(c1 >> 11, 32)) / 3;
        const int green = (w0 * expand(c0 >> 5 & 63, 64) + w1 * expand(c1 >> 5 & 63, 64)) / 3;
        const int blue = (w0 * expand(c0 & 31, 32) + w1 * expand(c1 & 31, 32)) / 3;
        const int scale = (blue >> 3) + 1;
        int den;
        const int num = luma_numerator(block, t, &den);
        const int y = num / den, co = (red - 128) / scale, cg = (green - 128) / scale;
        rgb[t][0] = clamp8(y + co - cg);
        rgb[t][1] = clamp8(y + cg);
        rgb[t][2] = clamp8(y - co - cg);
    }
}

void ref_ycocg_bc3_decode_block(const uint8_t block[16], bool ffmpeg_model, uint8_t rgb[16][3])
{
    if (ffmpeg_model) {
        decode_block_ffmpeg(block, rgb);
        return;
    }
    double exact[16][3];
    ref_ycocg_bc3_decode_block_exact(block, exact);
    for (unsigned t = 0; t < 16; t++) {
        for (unsigned c = 0; c < 3; c++) {
            rgb[t][c] = clamp8((int)floor(exact[t][c] + 0.5));
        }
    }
}

void ref_ycocg_bc3_decode(const uint8_t *blocks, uint32_t width, uint32_t height, bool ffmpeg_model,
                          uint8_t *rgb, size_t stride)
{
    for (uint32_t y = 0; y < height; y += 4) {
        for (uint32_t x = 0; x < width; x += 4) {
            uint8_t texels[16][3];
            ref_ycocg_bc3_decode_block(blocks, ffmpeg_model, texels);
            blocks += 16;
            for (uint32_t t = 0; t < 16; t++) {
                const uint32_t tx = x + t % 4, ty = y + t / 4;
                if (tx < width && ty < height) {
                    memcpy(rgb + ty * stride + (size_t)tx * 3, texels[t], 3);
                }
            }
        }
    }
}
