// SPDX-License-Identifier: MIT
// Scalar reference of rate-distortion optimisation for scaled YCoCg in BC3 (HapY): which halves of
// blocks become copies of earlier ones.

#ifndef WEIR_TESTS_REF_YCOCG_BC3_RDO_H
#define WEIR_TESTS_REF_YCOCG_BC3_RDO_H

#include <stddef.h>
#include <stdint.h>

// The added squared error of a block is at most so many times the squared deviation of its texels
// from their mean, both summed over R, G and B.
#define REF_RDO_MAX_ADDED 3
// Of a block that keeps the bytes of the frame before.
#define REF_RDO_MAX_HELD 5

// Get the weight of a byte at a quality, 1 .. 100 [squared codes of R, G and B, in 1/16]. 0 at 100.
int ref_rdo_lambda(int quality);

// What a picture has come to.
struct ref_rdo_sums {
    uint64_t error; // squared, of R, G and B over all texels [squared codes, in 1/16]
    uint64_t bytes; // that it counted on for Snappy
};

// Replace halves of `blocks`, which encode the picture, by halves of earlier ones. `rgb`, `stride`,
// `width` and `height`: as ref_ycocg_bc3_encode() takes them. `lambda`: the weight of a byte, as
// above. `history`: NULL, or the blocks that this gave for the frame before, zeros before the first
// one, which become those of this frame: what stands still keeps its bytes then.
struct ref_rdo_sums ref_ycocg_bc3_rdo_at(const uint8_t *rgb, size_t stride, uint32_t width,
                                         uint32_t height, int lambda, uint8_t *history,
                                         uint8_t *blocks);

// The same at a quality.
void ref_ycocg_bc3_rdo(const uint8_t *rgb, size_t stride, uint32_t width, uint32_t height,
                       int quality, uint8_t *history, uint8_t *blocks);

#endif
