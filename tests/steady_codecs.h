// SPDX-License-Identifier: MIT
// The codecs whose blocks may keep what costs little of the frame before.
#pragma once

#include <weir/encode.h>

#include "tests/kernels/kernels.h"

struct steady_codec {
    const char *name;
    enum weir_codec codec;
    int block_size, num_channels;
};

// BC3 has the blocks of two of them.
static const struct steady_codec steady_codecs[] = {
    {"ycocg_bc3", WEIR_CODEC_YCOCG_BC3, 16, 3},
    {"bc1", WEIR_CODEC_BC1, 8, 3},
    {"bc4", WEIR_CODEC_BC4, 8, 1},
};
enum {
    STEADY_NUM_CODECS = sizeof(steady_codecs) / sizeof(steady_codecs[0]),
    STEADY_MAX_BLOCK_SIZE = 16,
};
