// SPDX-License-Identifier: MIT
// Code that the modes of ETC1 and ETC2 share.
#include "tests/ref/etc.h"

void ref_etc_opaque_texels(const uint8_t rgb[16][3], struct ref_etc_texels *texels)
{
    texels->all_opaque = true;
    for (int t = 0; t < 16; t++) {
        texels->is_opaque[t] = true;
        for (int c = 0; c < 3; c++) {
            texels->rgb[t][c] = rgb[t][c];
        }
    }
}

int ref_etc_clamp(int value, int lo, int hi)
{
    return value < lo ? lo : value > hi ? hi : value;
}

int ref_etc_value_of(int code, int size)
{
    return code << (8 - size) | code >> (2 * size - 8);
}

int ref_etc_code_of(int x, int n, int size, int lo, int hi)
{
    const int max = (1 << size) - 1;
    return x < 0 ? lo : ref_etc_clamp((2 * max * x + 255 * n) / (510 * n), lo, hi);
}

void ref_etc_shift_color(const int color[3], int by, int shifted[3])
{
    for (int c = 0; c < 3; c++) {
        shifted[c] = ref_etc_clamp(color[c] + by, 0, 255);
    }
}

int ref_etc_nearest(const struct ref_etc_palette *palette, const int v[3], int *error)
{
    int best = 0;
    *error = REF_ETC_NO_FIT;
    for (int k = 0; k < 4; k++) {
        int square = 0;
        for (int c = 0; c < 3; c++) {
            square += (v[c] - palette->color[k][c]) * (v[c] - palette->color[k][c]);
        }
        if (square < *error && !(k == 2 && palette->lacks_2)) {
            *error = square;
            best = k;
        }
    }
    return best;
}

int ref_etc_subblock(bool is_flipped, int t)
{
    return is_flipped ? t / 8 : t % 4 / 2;
}

void ref_etc_put_word(uint64_t word, uint8_t out[REF_ETC_BLOCK_SIZE])
{
    for (int i = 0; i < REF_ETC_BLOCK_SIZE; i++) {
        out[i] = (uint8_t)(word >> (56 - 8 * i));
    }
}

void ref_etc_pack(const struct ref_etc_texels *texels, uint32_t head, bool is_flipped,
                  const struct ref_etc_palette palettes[2], uint8_t out[REF_ETC_BLOCK_SIZE])
{
    uint64_t word = (uint64_t)head << 32;
    for (int t = 0; t < 16; t++) {
        int error, code = 2;
        if (texels->is_opaque[t]) {
            code = ref_etc_nearest(&palettes[ref_etc_subblock(is_flipped, t)], texels->rgb[t],
                                   &error);
        }
        const int column_index = t % 4 * 4 + t / 4;
        word |= (uint64_t)(code >> 1) << (16 + column_index) | (uint64_t)(code & 1) << column_index;
    }
    ref_etc_put_word(word, out);
}
