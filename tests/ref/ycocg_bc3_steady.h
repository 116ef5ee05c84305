// SPDX-License-Identifier: MIT
// Scalar reference of scaled YCoCg in BC3: what a block keeps of the one in the frame before.

#ifndef WEIR_TESTS_REF_YCOCG_BC3_STEADY_H
#define WEIR_TESTS_REF_YCOCG_BC3_STEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Let a block that was encoded alone keep the endpoints of `previous`, the block at its place in
// the frame before: those of Y, those of Co and Cg, or both, where that costs little.
void ref_ycocg_bc3_keep(const uint8_t rgb[16][3], bool ffmpeg_model, const uint8_t previous[16],
                        uint8_t block[16]);

#endif
