// SPDX-License-Identifier: MIT
// Scalar reference of the encoders of ETC2: RGB, RGB with an alpha of one bit, and RGBA.
#ifndef WEIR_TESTS_REF_ETC2_H
#define WEIR_TESTS_REF_ETC2_H

#include "tests/ref/etc.h"

// A block of RGB is one of ETC1 (etc1.h), or of one of three modes that stand where ETC1's
// difference overflows: T       base a, and base b, b less and b plus a distance; H       bases a
// and b, each less and plus a distance; planar  three colours: of the texel at 0, 0, and where 4, 0
// and 0, 4 would be; others are on their plane.
struct ref_etc2_paint {
    bool is_h;
    int code[2][3]; // 4:4:4 bits
    int distance;   // index
    int error;
};

struct ref_etc2_planar {
    int code[3][3]; // origin, horizontal, vertical: 6:7:6 bits
    int error;
};

// The error of bases and a distance; H's bases in the order that its distance asks for.
void ref_etc2_set_paint_error(const struct ref_etc_texels *texels, struct ref_etc2_paint *fit);

struct ref_etc2_paint ref_etc2_fit_paint(const struct ref_etc_texels *texels,
                                         enum ref_etc_effort effort);
void ref_etc2_pack_paint(const struct ref_etc_texels *texels, const struct ref_etc2_paint *fit,
                         uint8_t out[REF_ETC_BLOCK_SIZE]);

// Of one channel of texels that are all opaque: the error of its three codes.
int ref_etc2_planar_error(const struct ref_etc_texels *texels, int channel, const int code[3]);

// Of texels that are all opaque.
struct ref_etc2_planar ref_etc2_fit_planar(const struct ref_etc_texels *texels,
                                           enum ref_etc_effort effort);
void ref_etc2_pack_planar(const struct ref_etc2_planar *fit, uint8_t out[REF_ETC_BLOCK_SIZE]);

// Encode 4x4 texels, row-major. Integer arithmetic decides every bit.
void ref_etc2_encode_rgb(const uint8_t rgb[16][3], enum ref_etc_effort effort,
                         uint8_t out[REF_ETC_BLOCK_SIZE]);

// An alpha below 128 is transparent black; others are opaque.
void ref_etc2_encode_rgb8a1(const uint8_t rgba[16][4], enum ref_etc_effort effort,
                            uint8_t out[REF_ETC_BLOCK_SIZE]);

// Alpha as in eac.h, then RGB.
void ref_etc2_encode_rgba(const uint8_t rgba[16][4], enum ref_etc_effort effort,
                          uint8_t out[2 * REF_ETC_BLOCK_SIZE]);

#endif
