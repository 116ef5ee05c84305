// SPDX-License-Identifier: MIT
// Scalar reference of the encoders of ETC2: RGB, RGB with an alpha of one bit, and RGBA.
//
// Format: Khronos Data Format Specification 1.3, "ETC2"; Strom and Pettersson, ETC2: Texture
// Compression using Invalid Combinations, 2007. The searches are Weir's.
#include "tests/ref/etc2.h"

#include "tests/ref/eac.h"
#include "tests/ref/etc1.h"

// The mode with the least error; of equals the first.
static void encode(const struct ref_etc_texels *texels, bool has_individual,
                   enum ref_etc_effort effort, uint8_t out[REF_ETC_BLOCK_SIZE])
{
    const struct ref_etc1_fit etc1 = ref_etc1_fit_texels(texels, has_individual, effort);
    struct ref_etc2_planar planar = {.error = REF_ETC_NO_FIT};
    if (texels->all_opaque) {
        planar = ref_etc2_fit_planar(texels, effort);
    }
    const struct ref_etc2_paint paint = ref_etc2_fit_paint(texels, effort);
    if (etc1.error <= planar.error && etc1.error <= paint.error) {
        ref_etc1_pack(texels, &etc1, out);
    } else if (planar.error <= paint.error) {
        ref_etc2_pack_planar(&planar, out);
    } else {
        ref_etc2_pack_paint(texels, &paint, out);
    }
}

void ref_etc2_encode_rgb(const uint8_t rgb[16][3], enum ref_etc_effort effort,
                         uint8_t out[REF_ETC_BLOCK_SIZE])
{
    struct ref_etc_texels texels;
    ref_etc_opaque_texels(rgb, &texels);
    encode(&texels, true, effort, out);
}

void ref_etc2_encode_rgb8a1(const uint8_t rgba[16][4], enum ref_etc_effort effort,
                            uint8_t out[REF_ETC_BLOCK_SIZE])
{
    struct ref_etc_texels texels = {.all_opaque = true};
    for (int t = 0; t < 16; t++) {
        texels.is_opaque[t] = rgba[t][3] >= 128;
        texels.all_opaque = texels.all_opaque && texels.is_opaque[t];
        for (int c = 0; c < 3; c++) {
            texels.rgb[t][c] = texels.is_opaque[t] ? rgba[t][c] : 0;
        }
    }
    encode(&texels, false, effort, out);
}

void ref_etc2_encode_rgba(const uint8_t rgba[16][4], enum ref_etc_effort effort,
                          uint8_t out[2 * REF_ETC_BLOCK_SIZE])
{
    static const enum ref_eac_effort eac_efforts[] = {
        [REF_ETC_FAST] = REF_EAC_FAST,
        [REF_ETC_DEFAULT] = REF_EAC_DEFAULT,
        [REF_ETC_HIGH] = REF_EAC_HIGH,
    };
    uint8_t rgb[16][3], alpha[16];
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3; c++) {
            rgb[t][c] = rgba[t][c];
        }
        alpha[t] = rgba[t][3];
    }
    ref_eac_encode_alpha(alpha, eac_efforts[effort], out);
    ref_etc2_encode_rgb((const uint8_t(*)[3])rgb, effort, out + REF_ETC_BLOCK_SIZE);
}
