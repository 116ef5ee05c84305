// SPDX-License-Identifier: MIT
// Code that the modes of ETC1 and ETC2 share: texels, the four colours that a texel chooses from,
// and words.
#ifndef WEIR_TESTS_REF_ETC_H
#define WEIR_TESTS_REF_ETC_H

#include <stdbool.h>
#include <stdint.h>

enum { REF_ETC_BLOCK_SIZE = 8 };

enum ref_etc_effort { REF_ETC_FAST, REF_ETC_DEFAULT, REF_ETC_HIGH };

struct ref_etc_texels {
    int rgb[16][3]; // row-major; 0 where a texel is transparent
    bool is_opaque[16];
    bool all_opaque;
};

// The colours of the codes 0 to 3.
struct ref_etc_palette {
    int color[4][3];
    bool lacks_2; // code 2 is transparent black
};

// Errors are squares over the three channels of all opaque texels, of 255: under 2^22. This is one
// of no block.
enum { REF_ETC_NO_FIT = 1 << 28 };

void ref_etc_opaque_texels(const uint8_t rgb[16][3], struct ref_etc_texels *texels);

int ref_etc_clamp(int value, int lo, int hi);

// A code's bits again below them, up to 8.
int ref_etc_value_of(int code, int size);

// The code of `size` bits that is nearest to x / n of 255, in lo .. hi.
int ref_etc_code_of(int x, int n, int size, int lo, int hi);

// color + by, clamped.
void ref_etc_shift_color(const int color[3], int by, int shifted[3]);

// The first of the colours nearest to v; and how far that is, squared.
int ref_etc_nearest(const struct ref_etc_palette *palette, const int v[3], int *error);

// The subblock of a texel: the left and the right half of a block, or the upper and the lower one.
int ref_etc_subblock(bool is_flipped, int t);

// The block with `head` as the upper 32 bits of its word and the nearest codes of each subblock's
// palette.
void ref_etc_pack(const struct ref_etc_texels *texels, uint32_t head, bool is_flipped,
                  const struct ref_etc_palette palettes[2], uint8_t out[REF_ETC_BLOCK_SIZE]);

void ref_etc_put_word(uint64_t word, uint8_t out[REF_ETC_BLOCK_SIZE]);

#endif
