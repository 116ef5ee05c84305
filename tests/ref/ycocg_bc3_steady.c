// SPDX-License-Identifier: MIT
// Scalar reference of scaled YCoCg in BC3: what a block keeps of the one in the frame before.
//
// The rule of steady.h, for Y, and then for Co and Cg.
//
// Units are those of effort high: y in 1/4 code, values of Y in 1/(16 * steps) code, Co and Cg in
// 1/24 code.

#include "ycocg_bc3_steady.h"

#include <stdbool.h>
#include <string.h>

#include "bc4_values.h"
#include "steady.h"
#include "ycocg_bc3_high.h"

enum {
    MAX_ERROR = 1 << 29, // of Y in a block: larger sums are cut, so that 6 of them fit in 32 bits
};

// A half of a block: its endpoints with the indices that the texels of this frame get.
struct luma_half {
    struct luma_fit fit;
    int index[16];
    int third[16]; // of the error, in 1/24 code
};
struct chroma_half {
    struct chroma_fit fit;
    int index[16];
};

static uint32_t mini_u(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void read_luma(const uint8_t block[16], struct luma_half *l)
{
    l->fit = (struct luma_fit){block[0], block[1], block[0] > block[1] ? 7 : 5, 0};
    uint64_t bits = 0;
    for (int i = 0; i < 6; i++) {
        bits |= (uint64_t)block[2 + i] << (8 * i);
    }
    for (int t = 0; t < 16; t++) {
        l->index[t] = ref_bc4_index(l->fit.steps, bits >> (3 * t) & 7);
    }
}

static void read_chroma(const uint8_t block[16], struct chroma_half *c)
{
    static const int index_of[4] = {0, 3, 1, 2};
    for (int e = 0; e < 2; e++) {
        const unsigned word = block[8 + 2 * e] | (unsigned)block[9 + 2 * e] << 8;
        c->fit.code[e][0] = (int)(word >> 11);
        c->fit.code[e][1] = (int)(word >> 5 & 63);
        c->fit.scale_code = mini((int)(word & 31) + 1, 4) / 2; // blue is 0, 1 or 3
    }
    for (int t = 0; t < 16; t++) {
        c->index[t] = index_of[block[12 + t / 4] >> (2 * (t % 4)) & 3];
    }
}

static void keep_luma_indices(const struct model *m, const int y[16], struct luma_half *l)
{
    struct luma_fit *f = &l->fit;
    const int step = 16 * (f->a0 - f->a1);
    const uint32_t slack = ref_steady_slack((uint32_t)(step * step));
    struct luma nearest;
    ref_ycocg_bc3_luma_assign(m, f, y, &nearest, l->third);
    f->error = 0;
    for (int t = 0; t < 16; t++) {
        const uint32_t least = ref_ycocg_bc3_luma_square(m, f, nearest.index[t], y[t]);
        uint32_t error = ref_ycocg_bc3_luma_square(m, f, l->index[t], y[t]);
        if (error > least + slack) {
            l->index[t] = nearest.index[t];
            error = least;
        }
        const int value = ref_ycocg_bc3_luma_value(m, f, l->index[t]);
        l->third[t] = div_round(value - 4 * f->steps * y[t], 2 * f->steps);
        f->error = mini_u(f->error + error, MAX_ERROR);
    }
}

static uint32_t chroma_square(const struct model *m, const struct chroma_fit *f, int k,
                              const int x[2])
{
    int code[2][2];
    memcpy(code, f->code, sizeof(code));
    const int eo = ref_ycocg_bc3_chroma_value(m, f->scale_code, 0, code, k) - x[0];
    const int eg = ref_ycocg_bc3_chroma_value(m, f->scale_code, 1, code, k) - x[1];
    return (uint32_t)(2 * eo * eo + 3 * eg * eg);
}

static void keep_chroma_indices(const struct model *m, int x[2][16], struct chroma_half *c)
{
    struct chroma_fit *f = &c->fit;
    struct chroma nearest = {.scale_code = f->scale_code};
    memcpy(nearest.code, f->code, sizeof(f->code));
    struct chroma_texels texels = {.wide = false};
    memcpy(texels.x, x, sizeof(texels.x));
    ref_ycocg_bc3_chroma_assign(m, &texels, &nearest);
    const int first[2] = {ref_ycocg_bc3_chroma_value(m, f->scale_code, 0, f->code, 0),
                          ref_ycocg_bc3_chroma_value(m, f->scale_code, 1, f->code, 0)};
    const uint32_t slack = ref_steady_slack(chroma_square(m, f, 3, first) / 9); // of three steps
    f->error = 0;
    for (int t = 0; t < 16; t++) {
        const int texel[2] = {x[0][t], x[1][t]};
        const uint32_t least = chroma_square(m, f, nearest.index[t], texel);
        uint32_t error = chroma_square(m, f, c->index[t], texel);
        if (error > least + slack) {
            c->index[t] = nearest.index[t];
            error = least;
        }
        f->error += error;
    }
}

// The squared error of Y in 1/24 code, but for the factor of 8/3 that is in it.
static uint32_t luma_error(const struct luma_half *l)
{
    return 6 * l->fit.error / (uint32_t)(l->fit.steps * l->fit.steps);
}

// Choose Y of the block or of the one before. Returns true if it is that of the one before.
static bool choose_luma(const struct model *m, const int y[16], const uint8_t previous[16],
                        const uint8_t block[16], struct luma_half *l)
{
    struct luma_half before;
    read_luma(block, l);
    read_luma(previous, &before);
    keep_luma_indices(m, y, l);
    keep_luma_indices(m, y, &before);
    const bool kept = ref_steady_keeps(luma_error(&before), luma_error(l));
    if (kept) {
        *l = before;
    }
    return kept;
}

static bool choose_chroma(const struct model *m, int x[2][16], const uint8_t previous[16],
                          const uint8_t block[16], struct chroma_half *c)
{
    struct chroma_half before;
    read_chroma(block, c);
    read_chroma(previous, &before);
    keep_chroma_indices(m, x, c);
    keep_chroma_indices(m, x, &before);
    const bool kept = ref_steady_keeps(before.fit.error, c->fit.error);
    if (kept) {
        *c = before;
    }
    return kept;
}

static void pack(const struct luma_half *l, const struct chroma_half *c, uint8_t block[16])
{
    struct luma luma = {.a0 = l->fit.a0, .a1 = l->fit.a1};
    struct chroma chroma = {.scale_code = c->fit.scale_code};
    memcpy(luma.index, l->index, sizeof(luma.index));
    memcpy(chroma.code, c->fit.code, sizeof(chroma.code));
    memcpy(chroma.index, c->index, sizeof(chroma.index));
    ref_ycocg_bc3_pack(&luma, &chroma, block);
}

// Before the first frame there are zeros. No block has such colours: where Co is that low, Cg is
// not.
static bool is_block(const uint8_t previous[16])
{
    return previous[8] || previous[9] || previous[10] || previous[11];
}

void ref_ycocg_bc3_keep(const uint8_t rgb[16][3], bool ffmpeg_model, const uint8_t previous[16],
                        uint8_t block[16])
{
    if (memcmp(block, previous, 16) == 0 || !is_block(previous)) {
        return;
    }
    const struct model *m = ref_ycocg_bc3_model(ffmpeg_model);
    const struct planes p = ref_ycocg_bc3_planes(rgb);
    struct luma_half luma;
    struct chroma_half chroma;
    const bool keeps_luma = choose_luma(m, p.y, previous, block, &luma);
    int x[2][16];
    for (int t = 0; t < 16; t++) {
        x[0][t] = 6 * p.raw[0][t];
        x[1][t] = 6 * p.raw[1][t] + luma.third[t];
    }
    if (choose_chroma(m, x, previous, block, &chroma) || keeps_luma) {
        pack(&luma, &chroma, block);
    }
}
