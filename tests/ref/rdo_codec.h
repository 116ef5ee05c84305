// SPDX-License-Identifier: MIT
// What the reference of rate-distortion optimisation knows of a codec: how its blocks are decoded,
// and how errors count.
#ifndef WEIR_TESTS_REF_RDO_CODEC_H
#define WEIR_TESTS_REF_RDO_CODEC_H

#include "tests/ref/rdo.h"

enum { REF_RDO_CHANNELS = 4, REF_RDO_MAX_BLOCK_SIZE = 16, REF_RDO_HALF_SIZE = 8 };

// Texels in 1/4 code, by channel. Channels that the codec does not hold are 0.
struct ref_rdo_texels {
    int of[REF_RDO_CHANNELS][16];
};

// The sum of squared differences over the channels of a measure, and the square of their sum.
struct ref_rdo_squares {
    int64_t sum, of_sum;
};

// A block has a half or two of eight bytes. Errors are measured over both halves at once where
// their channels make the colour together, or else over each half. With `refit` a half is no
// channel, and both measures are of the block.
struct ref_rdo_codec {
    int num_halves, num_measures;
    int activity_units[2]; // of each measure [1/16 squared code]
    int least_lambda;      // of what is smooth, unless no byte has a weight
    int worth_bytes;       // that may pay for what one of two measures loses
    void (*decode)(const uint8_t *block, struct ref_rdo_texels *out);
    // Set texel t to that of the source.
    void (*read)(const uint8_t *texel, int t, struct ref_rdo_texels *out);
    // Get the differences of the source and the halves of two blocks.
    struct ref_rdo_squares (*measure)(int measure, const struct ref_rdo_texels *source,
                                      const struct ref_rdo_texels *const halves[2]);
    // NULL, or: where half 0 or 1 of a block is copied, make the block with the other half that
    // fits the source then. Returns false where there is none.
    bool (*refit)(const struct ref_rdo_texels *source, const uint8_t *from, int half, uint8_t *out);
};

extern const struct ref_rdo_codec ref_rdo_of_ycocg_bc3, ref_rdo_of_bc7, ref_rdo_of_bc7_alpha_unread;

#endif
