// SPDX-License-Identifier: MIT
// Decodes a block of any codec of 8 bits by exact fractions, to judge encoders.
#pragma once

#include <weir/encode.h>

#include "capture/files/block/block.h"
#include "tests/ref/ycocg_bc3_decode.h"

// Get its texels in codes, which are not rounded. Those of YCoCg have no fourth channel.
static inline void ref_block_decode(enum weir_codec codec, const uint8_t *block,
                                    double texels[16][4])
{
    float values[16][4];
    double rgb[16][3];
    if (codec == WEIR_CODEC_YCOCG_BC3) {
        ref_ycocg_bc3_decode_block_exact(block, rgb);
        for (int i = 0; i < 48; i++) {
            texels[i / 3][i % 3] = rgb[i / 3][i % 3];
        }
        return;
    }
    weir_block_decode(weir_block_get_format(weir_codec_get_info(codec)->format), block, values);
    for (int i = 0; i < 64; i++) {
        texels[i / 4][i % 4] = 255 * (double)values[i / 4][i % 4];
    }
}

// Sum of the squared differences of the first channels.
static inline double ref_block_error(const uint8_t texels[16][4], const double decoded[16][4],
                                     int num_channels)
{
    double error = 0;
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < num_channels; c++) {
            const double e = texels[t][c] - decoded[t][c];
            error += e * e;
        }
    }
    return error;
}
