// SPDX-License-Identifier: MIT
// Scalar reference of scaled YCoCg in BC3 at effort high: what its files share.

#ifndef WEIR_TESTS_REF_YCOCG_BC3_HIGH_H
#define WEIR_TESTS_REF_YCOCG_BC3_HIGH_H

#include <stdint.h>

#include "ycocg_bc3_planes.h"

struct luma_fit {
    int a0, a1;
    int steps;      // 7: eight values. 5: six, and 0 and 255
    uint32_t error; // squared, in 1/(16 * steps) code
};

struct chroma_fit {
    int scale_code;
    int code[2][2]; // [endpoint][Co, Cg]
    uint32_t error; // 2 Co^2 + 3 Cg^2 in 1/24 code; of wide texels R^2 + G^2 + B^2
};

// What Co and Cg are fitted to, in 1/24 code.
//
// Where they are wide, errors are those of R, G and B after the decoder has clamped them: beside
// colours, white and black can be far outside of them and still come back right. And texels without
// chroma count four times: white, grey and black beside colours show every error as a tint.
struct chroma_texels {
    int x[2][16]; // Cg makes up for the error of Y
    bool wide;
    int y[16];      // as it is decoded, where wide
    int rgb[16][3]; // that are wanted, where wide
    int weight[16];
};

// These endpoints and their error.
struct luma_fit ref_ycocg_bc3_luma_fit(const struct model *m, const int y[16], int a0, int a1,
                                       int steps);
struct chroma_fit ref_ycocg_bc3_chroma_fit(const struct model *m, const struct chroma_texels *x,
                                           int scale_code, int code[2][2]);

// The best endpoints that are found. `y` is in 1/4 code, `grey`: no texel of the block has chroma.
struct luma_fit ref_ycocg_bc3_high_luma(const struct model *m, const int y[16], bool grey);

// `raw` has Co and Cg in 1/4 code. `fitting` is the finest scale that holds every texel.
struct chroma_fit ref_ycocg_bc3_high_chroma(const struct model *m, int raw[2][16],
                                            const struct chroma_texels *x, int fitting);

// Choose the indices: those of six values are 0 to 5, and 6 and 7 for 0 and 255. `error` becomes a
// third of the error of Y, in 1/24 code.
void ref_ycocg_bc3_luma_assign(const struct model *m, const struct luma_fit *f, const int y[16],
                               struct luma *l, int error[16]);
void ref_ycocg_bc3_chroma_assign(const struct model *m, const struct chroma_texels *x,
                                 struct chroma *c);

// The decoded value of an index, and its squared error for a texel, in 1/(16 * steps) code.
int ref_ycocg_bc3_luma_value(const struct model *m, const struct luma_fit *f, int index);
uint32_t ref_ycocg_bc3_luma_square(const struct model *m, const struct luma_fit *f, int index,
                                   int y);

// The decoded Co (axis 0) or Cg (1) of an index, in 1/24 code.
int ref_ycocg_bc3_chroma_value(const struct model *m, int scale_code, int axis, int code[2][2],
                               int k);

// A block. `luma` and `chroma` are what effort default found, and become what is kept. `y` and
// `raw` are in 1/4 code.
void ref_ycocg_bc3_high(const struct model *m, const int y[16], int raw[2][16], struct luma *luma,
                        struct chroma *chroma);

#endif
