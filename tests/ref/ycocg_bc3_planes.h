// SPDX-License-Identifier: MIT
// Scalar reference of scaled YCoCg in BC3: decoder model, planes and rounding its files share.

#ifndef WEIR_TESTS_REF_YCOCG_BC3_PLANES_H
#define WEIR_TESTS_REF_YCOCG_BC3_PLANES_H

#include <stdbool.h>
#include <stdint.h>

// The model of the decoder; no other code depends on the choice of the decoder.
//
// The HAP shader reads the scale as 1 + 255/8 * blue. From exact fractions of 31 it gets 2.028 and
// 4.085 for the codes 1 and 3; from a blue expanded to 8 bit by repeating bits it gets 2 and 4, as
// FFmpeg does. Both exist, so the gpu model takes the middle: 999/496 and 2005/496. On pictures
// that costs 0.03 dB; soft gradients gain 1.5 dB where the scale is whole.
//
// FFmpeg truncates the sevenths of Y, 3/7 of a code on average, and the gpu model leans towards it
// by 3/16, which costs 0.03 dB on a GPU and gains 0.12 dB there.
struct model {
    bool truncates;     // drops the fraction of Y and rounds chroma towards zero
    int luma_bias;      // added to Y [1/16 code]
    int chroma_bias[3]; // added to |scale * C| [1/4 stored code]
    int codes[3][2];    // 5- and 6-bit codes in 1/4 stored code, times 2^16
    int quarters[3][2]; // its inverse: 1/4 stored codes in a code, times 2^12
    int zero[3];        // stored 128, in those units of 2^-12
};

// The texels of a block.
struct planes {
    int y[16];      // [1/4 code]
    int raw[2][16]; // Co and Cg [1/4 code]
    int largest;    // max(|Co|, |Cg|) [1/4 code]
    int box[2][16]; // Co and Cg [1/4 stored code]
    int x[2][16];   // what they are fitted to
};

struct luma {
    // endpoints, a0 > a1, or equal in a block of one integer Y; effort high has six values where a0
    // <= a1
    int a0, a1;
    int index[16]; // position from a0 (0) to a1 (7, or 5 of six values); 6 and 7 are 0 and 255 then
};

// Co or Cg over so many codes: the box of such a block is far from its best line, and a step pays
// at every effort.
enum { REF_YCOCG_BC3_WIDE = 32 };

struct chroma {
    int scale_code; // 0, 1, 2 for a scale of 1, 2, 4
    int code[2][2]; // [endpoint][Co, Cg]
    int index[16];  // position from endpoint 0 (0) to endpoint 1 (3)
};

// The decoder that an encoder is tuned for.
const struct model *ref_ycocg_bc3_model(bool ffmpeg_model);

// The planes of 4x4 texels. `box` and `x` are left zero.
struct planes ref_ycocg_bc3_planes(const uint8_t rgb[16][3]);

// Write the 16 bytes of a block.
void ref_ycocg_bc3_pack(const struct luma *l, const struct chroma *c, uint8_t out[16]);

// Choose endpoints and indices of Y by `num_steps` of least squares. `grey`: no texel of the block
// has chroma.
void ref_ycocg_bc3_luma(const struct model *m, const int y[16], bool grey, int num_steps,
                        struct luma *l);

// A third of decoded Y less Y of texel t, in 1/4 code, rounded.
int ref_ycocg_bc3_luma_error(const struct model *m, int y, const struct luma *l, int t);

// Choose endpoints and indices of Co and Cg for c->scale_code. `box` has Co and Cg of the texels,
// `x` what they are fitted to, which differs by the error of Y; both in 1/4 stored code.
void ref_ycocg_bc3_chroma(const struct model *m, int box[2][16], int x[2][16], bool refine,
                          struct chroma *c);

// The same at effort fast: the box, with a step of least squares where it is wide, or a pair of
// endpoints where it is a code wide.
void ref_ycocg_bc3_chroma_fast(const struct model *m, int box[2][16], int x[2][16],
                               struct chroma *c);

// The diagonal of the box of the texels, inset by a sixteenth at both ends.
void ref_ycocg_bc3_chroma_box(const struct model *m, int x[2][16], struct chroma *c);

// The middle of that box along its longer side: where Co and Cg do not go together, the diagonal is
// the wrong line.
void ref_ycocg_bc3_chroma_across(const struct model *m, int x[2][16], struct chroma *c);

// Whether Co or Cg of the texels reach over REF_YCOCG_BC3_WIDE codes or more.
bool ref_ycocg_bc3_chroma_is_wide(int x[2][16], int scale_code);

// Endpoints a and b one code apart or equal, such that (2a + b) / 3, the second value, is nearest
// to the mean of texels with that sum. Without it a flat block gets the nearest code only, and soft
// gradients band.
void ref_ycocg_bc3_chroma_flat(const struct model *m, const int sum[2], int scale_code,
                               int code[2][2]);

// The code nearest to x, in 1/4 stored code.
int ref_ycocg_bc3_code(const struct model *m, int scale_code, int axis, int x);

// BC3 has four colours in either order; a decoder that takes it for BC1 has them in this one only.
void ref_ycocg_bc3_chroma_order(struct chroma *c);

// The 16 bits of an endpoint of the colour block.
unsigned ref_ycocg_bc3_chroma_word(const struct chroma *c, int endpoint);

static inline int clampi(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

static inline int mini(int a, int b)
{
    return a < b ? a : b;
}

static inline int maxi(int a, int b)
{
    return a > b ? a : b;
}

// floor(n / d), d > 0.
static inline int div_floor(int n, int d)
{
    return n / d - (n % d < 0);
}

// The integer nearest to n / d, d > 0, halves upwards.
static inline int div_round(int n, int d)
{
    return div_floor(2 * n + d, 2 * d);
}

#endif
