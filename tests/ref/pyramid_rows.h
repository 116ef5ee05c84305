// SPDX-License-Identifier: MIT
// Scalar reference of mip pyramids: a level read row by row, which its files share.
#pragma once

#include "tests/ref/pyramid.h"
#include "tests/ref/texel.h"

// A level to reduce. Stored texels are unpacked a row at a time: a large level 0 would be 32 bytes
// a texel.
struct ref_pyramid_rows {
    enum weir_pyramid_reduction reduction;
    bool blit;
    bool is_copy;     // one tap a texel
    bool is_absolute; // stored texels without their signs
    uint32_t width, height;
    const double (*texels)[4];             // either these
    const uint8_t *packed;                 // or stored texels
    const struct ref_texel_format *format; // of them
};
bool ref_pyramid_reduce_rows(const struct ref_pyramid_rows *rows, double (*out)[4]);
