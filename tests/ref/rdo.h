// SPDX-License-Identifier: MIT
// Scalar reference of rate-distortion optimisation: which blocks, or halves of blocks, become
// copies of earlier ones.
#ifndef WEIR_TESTS_REF_RDO_H
#define WEIR_TESTS_REF_RDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/encode.h>

// The added squared error of a block is at most so many times the squared deviation of its texels
// from their mean, both summed over its channels. Of a block whose halves are coded apart, this
// holds for each half.
#define REF_RDO_MAX_ADDED 3
// Of a block that keeps the bytes of the frame before.
#define REF_RDO_MAX_HELD 5

// Get the weight of a byte at a quality, 1 .. 100 [squared codes, in 1/16]. 0 at 100.
int ref_rdo_lambda(int quality);

// What is optimised of a codec: see tests/ref/rdo_codec.h.
struct ref_rdo_codec;

// Get that of a codec with rate-distortion optimisation, else NULL. `other_alpha`: the blocks of
// BC4 hold alpha, and that of BC7 is unread.
const struct ref_rdo_codec *ref_rdo_codec_get(enum weir_codec codec, bool other_alpha);

// The source of the blocks: R, G and B, and A where a texel has four bytes.
struct ref_rdo_picture {
    const uint8_t *texels;
    size_t stride; // [bytes]
    int texel_size;
    uint32_t width, height;
};

// What a picture has come to.
struct ref_rdo_sums {
    uint64_t error; // squared, of all channels over all texels [squared codes, in 1/16]
    uint64_t bytes; // that it counted on for Snappy
};

// Replace parts of `blocks`, which encode the picture, by parts of earlier ones. `lambda`: the
// weight of a byte, as above. `history`: NULL, or the blocks that this gave for the frame before,
// zeros before the first one, which become those of this frame: what stands still keeps its bytes
// then.
struct ref_rdo_sums ref_rdo(const struct ref_rdo_codec *codec,
                            const struct ref_rdo_picture *picture, int lambda, uint8_t *history,
                            uint8_t *blocks);

#endif
