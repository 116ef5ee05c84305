// SPDX-License-Identifier: MIT
// The kernels of rate-distortion optimisation, compiled for the processor.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <weir/rdo.h>

// The source of blocks: codes of R, G and B, and A where a texel has four bytes.
struct kernel_picture {
    const uint8_t *texels;
    size_t stride; // [bytes]
    uint32_t texel_size;
    uint32_t width, height;
};

// Optimise `blocks`, which encode the picture, as a weir_rdo with this codec, bc4_alpha and
// bc7_alpha_unread does. `lambda`: the weight of a byte, as in struct weir_rdo_control. `history`:
// NULL, or the blocks of the frame before, zeros before the first one, which become those of this
// frame.
struct weir_rdo_result kernel_rdo(const struct weir_rdo_params *params,
                                  const struct kernel_picture *picture, uint32_t lambda,
                                  uint8_t *history, uint8_t *blocks);
