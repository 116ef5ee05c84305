// SPDX-License-Identifier: MIT
// Scalar reference of rate-distortion optimisation for scaled YCoCg in BC3 (HapY).
#ifndef WEIR_TESTS_REF_YCOCG_BC3_RDO_H
#define WEIR_TESTS_REF_YCOCG_BC3_RDO_H

#include "tests/ref/rdo.h"

// Replace halves of `blocks` at a quality, 1 .. 100. `rgb`, `stride`, `width` and `height`: as
// ref_ycocg_bc3_encode() takes them. `history`: as ref_rdo() does.
void ref_ycocg_bc3_rdo(const uint8_t *rgb, size_t stride, uint32_t width, uint32_t height,
                       int quality, uint8_t *history, uint8_t *blocks);

#endif
