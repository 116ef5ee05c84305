// SPDX-License-Identifier: MIT
// Blocks for the tests of ETC1 and ETC2, and what decoders say of them.
#pragma once

#include "capture/files/block/block.h"
#include "tests/unit/blocks.h"

// The squared error of the opaque texels, all where `alpha` is NULL; -1 where others are not
// transparent black, or these not opaque.
static inline int etc_decoded_error(VkFormat format, rgb_block rgb, const uint8_t alpha[16],
                                    const uint8_t *block)
{
    float texels[16][4];
    weir_block_decode(weir_block_get_format(format), block, texels);
    int error = 0;
    for (int t = 0; t < 16; t++) {
        const bool is_opaque = !alpha || alpha[t] >= 128;
        if ((texels[t][3] == 1.0f) != is_opaque) {
            return -1;
        }
        for (int c = 0; c < 3; c++) {
            const int e = (is_opaque ? rgb[t][c] : 0) - (int)lround(255.0 * (double)texels[t][c]);
            if (!is_opaque && e != 0) {
                return -1;
            }
            error += e * e;
        }
    }
    return error;
}

// Noise; slopes with and without; two colours, dark or saturated ones among them, side by side or
// scattered; an outlier; and a red and a green that are about as bright.
static inline void etc_draw(uint8_t rgb[16][3], int kind)
{
    static const int equal[2][3] = {{200, 40, 30}, {30, 112, 30}};
    int base[3], x[3], y[3];
    for (int c = 0; c < 3; c++) {
        base[c] = seeded_below(256);
        x[c] = seeded_below(25) - 12;
        y[c] = seeded_below(25) - 12;
    }
    const int other[3] = {seeded_below(2) * 255, seeded_below(40), seeded_below(256)};
    const int edge = 1 + seeded_below(6), noise = 1 + seeded_below(20);
    for (int t = 0; t < 16; t++) {
        const int near = seeded_below(noise);
        const bool is_other = kind % 2 ? t % 4 + t / 4 >= edge : seeded_below(3) == 0;
        for (int c = 0; c < 3; c++) {
            const int slope = base[c] + x[c] * (t % 4) / 4 + y[c] * (t / 4) / 4;
            int v = slope;
            switch (kind % 8) {
            case 0:
                v = seeded_below(256);
                break;
            case 1:
            case 2:
                v = is_other ? other[c] + near : base[c] - near;
                break;
            case 3:
                v = equal[is_other][c] + near;
                break;
            case 4:
                v = 4 * slope - 3 * base[c] + seeded_below(noise);
                break;
            case 5:
                v = base[c] + (t < 8 ? x[c] : y[c]) * 3 + seeded_below(6);
                break;
            case 6:
                v = t == edge ? 255 - base[c] : base[c] / 8 + seeded_below(4);
                break;
            default:
                break;
            }
            rgb[t][c] = clamp8(v);
        }
    }
}

static const int etc_modifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                        {18, 60}, {24, 80}, {33, 106}, {47, 183}};

// Of halves that are the mean of their texels in 4:4:4 bits, and the first table.
static inline int etc_error_of_means(rgb_block rgb, bool is_flipped)
{
    int base[2][3], error = 0;
    for (int c = 0; c < 3; c++) {
        int sum[2] = {0};
        for (int t = 0; t < 16; t++) {
            sum[is_flipped ? t / 8 : t % 4 / 2] += rgb[t][c];
        }
        for (int s = 0; s < 2; s++) {
            base[s][c] = (2 * sum[s] + 8 * 17) / (16 * 17) * 17;
        }
    }
    for (int t = 0; t < 16; t++) {
        int least = 1 << 30;
        for (int k = 0; k < 4; k++) {
            int square = 0;
            for (int c = 0; c < 3; c++) {
                const int m = etc_modifiers[0][k & 1] * (k & 2 ? -1 : 1);
                const int e = clamp8(base[is_flipped ? t / 8 : t % 4 / 2][c] + m) - rgb[t][c];
                square += e * e;
            }
            least = square < least ? square : least;
        }
        error += least;
    }
    return error;
}
