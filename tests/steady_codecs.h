// SPDX-License-Identifier: MIT
// The codecs whose blocks may keep what costs little of the frame before, and their decoders.
#ifndef WEIR_TESTS_STEADY_CODECS_H
#define WEIR_TESTS_STEADY_CODECS_H

#include <stdint.h>

#include <weir/encode.h>

#include "capture/files/block/block.h"
#include "tests/kernels/kernels.h"
#include "tests/ref/ycocg_bc3_decode.h"

struct steady_codec {
    const char *name;
    enum weir_codec codec;
    VkFormat format; // of its blocks, but for those of YCoCg
    int block_size, num_channels;
};

// BC3 has the blocks of two of them.
static const struct steady_codec steady_codecs[] = {
    {"ycocg_bc3", WEIR_CODEC_YCOCG_BC3, VK_FORMAT_UNDEFINED, 16, 3},
    {"bc1", WEIR_CODEC_BC1, VK_FORMAT_BC1_RGB_UNORM_BLOCK, 8, 3},
    {"bc4", WEIR_CODEC_BC4, VK_FORMAT_BC4_UNORM_BLOCK, 8, 1},
};
enum {
    STEADY_NUM_CODECS = sizeof(steady_codecs) / sizeof(steady_codecs[0]),
    STEADY_MAX_BLOCK_SIZE = 16,
};

// Decode a block by exact fractions [codes].
static inline void steady_decode(const struct steady_codec *codec, const uint8_t *block,
                                 double texels[16][4])
{
    float values[16][4];
    double rgb[16][3];
    if (codec->codec == WEIR_CODEC_YCOCG_BC3) {
        ref_ycocg_bc3_decode_block_exact(block, rgb);
    } else {
        weir_block_decode(weir_block_get_format(codec->format), block, values);
    }
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < codec->num_channels; c++) {
            texels[t][c] = codec->codec == WEIR_CODEC_YCOCG_BC3 ? rgb[t][c]
                                                                : 255 * (double)values[t][c];
        }
    }
}

#endif
