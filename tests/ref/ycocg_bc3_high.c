// SPDX-License-Identifier: MIT
// Scalar reference of scaled YCoCg in BC3 at effort high: a block.
//
// The endpoints that effort default finds are a candidate too, so no block is worse than its own,
// by the error
//   2 eo^2 + 3 (eg - ey/3)^2 + (8/3) ey^2
// with each value as the decoder has it; but where a texel of Y lies half way between two values,
// it may get the other one here.

#include "ycocg_bc3_high.h"

#include <string.h>

enum { NEUTRAL_WEIGHT = 4 }; // of a texel without chroma where others have much

struct block_fit {
    struct luma_fit luma;
    struct chroma_fit chroma;
};

// Chroma that makes up for the error of Y.
static void targets(const struct model *m, const struct luma_fit *f, const int y[16],
                    int raw[2][16], struct luma *l, struct chroma_texels *x)
{
    int error[16];
    ref_ycocg_bc3_luma_assign(m, f, y, l, error);
    x->wide = ref_ycocg_bc3_chroma_is_wide(raw, 0);
    for (int t = 0; t < 16; t++) {
        const int luma = 6 * y[t], co = 6 * raw[0][t], cg = 6 * raw[1][t];
        x->x[0][t] = co;
        x->x[1][t] = cg + error[t];
        x->y[t] = luma + 3 * error[t];
        x->rgb[t][0] = luma + co - cg;
        x->rgb[t][1] = luma + cg;
        x->rgb[t][2] = luma - co - cg;
        x->weight[t] = x->wide && co == 0 && cg == 0 ? NEUTRAL_WEIGHT : 1;
    }
}

// In 1/24 code: (8/3) (24 / (16 steps))^2 is 6 / steps^2.
static uint32_t error_of(const struct block_fit *f, bool wide)
{
    if (wide) {
        return f->chroma.error;
    }
    return 6 * f->luma.error / (uint32_t)(f->luma.steps * f->luma.steps) + f->chroma.error;
}

static bool is_grey(int raw[2][16])
{
    bool grey = true;
    for (int t = 0; t < 32; t++) {
        grey = grey && raw[t / 16][t % 16] == 0;
    }
    return grey;
}

void ref_ycocg_bc3_high(const struct model *m, const int y[16], int raw[2][16], struct luma *luma,
                        struct chroma *chroma)
{
    struct chroma_texels x;
    struct block_fit start, found;
    start.luma = ref_ycocg_bc3_luma_fit(m, y, luma->a0, luma->a1, luma->a0 > luma->a1 ? 7 : 5);
    targets(m, &start.luma, y, raw, luma, &x);
    start.chroma = ref_ycocg_bc3_chroma_fit(m, &x, chroma->scale_code, chroma->code);

    found.luma = ref_ycocg_bc3_high_luma(m, y, is_grey(raw));
    targets(m, &found.luma, y, raw, luma, &x);
    found.chroma = ref_ycocg_bc3_high_chroma(m, raw, &x, chroma->scale_code);

    const struct block_fit *best = error_of(&found, x.wide) < error_of(&start, x.wide) ? &found
                                                                                       : &start;
    targets(m, &best->luma, y, raw, luma, &x);
    chroma->scale_code = best->chroma.scale_code;
    memcpy(chroma->code, best->chroma.code, sizeof(chroma->code));
    ref_ycocg_bc3_chroma_order(chroma);
    ref_ycocg_bc3_chroma_assign(m, &x, chroma);
}
