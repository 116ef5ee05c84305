// SPDX-License-Identifier: MIT
// Scalar reference of scaled YCoCg in BC3: Co and Cg, in the colour block.

#include "ycocg_bc3_planes.h"

#include <stdlib.h>
#include <string.h>

static const int code_max[2] = {31, 63};
static const int chroma_weight[2] = {2, 3};

// Sums over the texels for given indices k.
struct chroma_sums {
    int num, k, kk, x[2], kx[2];
};

// Endpoints in the form that tells which value is nearest to a texel.
struct chroma_line {
    int weight[2], first, length;
};

static int code_to_quarters(const struct model *m, int scale_code, int axis, int code)
{
    const int v = code * m->quarters[scale_code][axis] - m->zero[scale_code];
    return ((v + (1024 << 12) + (1 << 11)) >> 12) - 1024;
}

// 3 * 2^16 times the code of 1/4 stored codes x.
static int quarters_to_code(const struct model *m, int scale_code, int axis, int x)
{
    const int zero = axis == 0 ? 1019802 : 2072501; // 128/255 * (31 or 63) * 2^16
    return x * m->codes[scale_code][axis] + zero;
}

// The nearest of the four values for each texel, by its place along the line of the endpoints in
// the metric 2 : 3. A code of Co is 255/31 and one of Cg 255/63, so the dot product of the metric
// goes by 2/31 to 3/63, that is 42 to 31. It is taken six times, so the thresholds, at 1/6, 3/6 and
// 5/6 of the line, are integers.
static struct chroma_line chroma_line(const struct model *m, const struct chroma *c)
{
    struct chroma_line l = {.first = 0};
    for (int i = 0; i < 2; i++) {
        const int a = code_to_quarters(m, c->scale_code, i, c->code[0][i]);
        const int b = code_to_quarters(m, c->scale_code, i, c->code[1][i]);
        l.weight[i] = (c->code[1][i] - c->code[0][i]) * (i == 0 ? 6 * 42 : 6 * 31);
        l.first += l.weight[i] * a;
        l.length += l.weight[i] / 6 * (b - a);
    }
    return l;
}

static int chroma_index(const struct chroma_line *l, int co, int cg)
{
    const int dot = l->weight[0] * co + l->weight[1] * cg;
    return (dot > l->first + l->length) + (dot > l->first + 3 * l->length) +
           (dot > l->first + 5 * l->length);
}

static void chroma_assign(const struct model *m, int x[2][16], struct chroma *c)
{
    const struct chroma_line line = chroma_line(m, c);
    for (int t = 0; t < 16; t++) {
        c->index[t] = chroma_index(&line, x[0][t], x[1][t]);
    }
}

static void chroma_add(int x[2][16], const int index[16], struct chroma_sums *s)
{
    memset(s, 0, sizeof(*s));
    s->num = 16;
    for (int t = 0; t < 16; t++) {
        s->k += index[t];
        s->kk += index[t] * index[t];
        for (int i = 0; i < 2; i++) {
            s->x[i] += x[i][t];
            s->kx[i] += index[t] * x[i][t];
        }
    }
}

// The squared error of the endpoints for these indices, in 1/12 stored code, less the sum of the
// squared texels, which no choice changes.
static int chroma_cost(const struct model *m, const struct chroma_sums *s, int scale_code,
                       int code[2][2])
{
    int cost = 0;
    for (int i = 0; i < 2; i++) {
        const int a = code_to_quarters(m, scale_code, i, code[0][i]);
        const int d = code_to_quarters(m, scale_code, i, code[1][i]) - a;
        cost += chroma_weight[i] * (9 * a * (s->num * a - 2 * s->x[i]) +
                                    6 * d * (a * s->k - s->kx[i]) + d * d * s->kk);
    }
    return cost;
}

// Least squares as in luma_refine(), in 1/12 stored code; moves whole codes.
static bool chroma_fit(const struct model *m, const struct chroma_sums *s, int scale_code,
                       int from[2][2], int to[2][2])
{
    const int det = s->num * s->kk - s->k * s->k;
    for (int i = 0; i < 2 && det > 0; i++) {
        const int a = code_to_quarters(m, scale_code, i, from[0][i]);
        const int d = code_to_quarters(m, scale_code, i, from[1][i]) - a;
        const int se = 3 * s->x[i] - 3 * s->num * a - d * s->k;
        const int ske = 3 * s->kx[i] - 3 * a * s->k - d * s->kk;
        const int offset = s->kk * se - s->k * ske;
        const int slope = s->num * ske - s->k * se;
        // A code in 1/12 stored code is 3 * quarters / 2^12; in 1/16 of that, quarters * 3 / 256.
        const int step = (m->quarters[scale_code][i] * 3 + 128) >> 8;
        to[0][i] = clampi(from[0][i] + div_round(16 * offset, det * step), 0, code_max[i]);
        to[1][i] = clampi(from[1][i] + div_round(16 * (offset + 3 * slope), det * step), 0,
                          code_max[i]);
    }
    return det > 0;
}

void ref_ycocg_bc3_chroma_flat(const struct model *m, const int sum[2], int scale_code,
                               int code[2][2])
{
    for (int i = 0; i < 2; i++) {
        const int mean = quarters_to_code(m, scale_code, i, 0) * 16 +
                         m->codes[scale_code][i] * sum[i];
        const int thirds = clampi((3 * (mean >> 4) + (1 << 15)) >> 16, 0, 3 * code_max[i]);
        code[0][i] = (thirds + 1) / 3;
        code[1][i] = thirds - 2 * code[0][i];
    }
}

int ref_ycocg_bc3_code(const struct model *m, int scale_code, int axis, int x)
{
    const int code = (quarters_to_code(m, scale_code, axis, x) + (1 << 15)) >> 16;
    return clampi(code, 0, code_max[axis]);
}

static void inset_box(int x[2][16], int lo[2], int hi[2])
{
    for (int i = 0; i < 2; i++) {
        lo[i] = hi[i] = x[i][0];
        for (int t = 1; t < 16; t++) {
            lo[i] = mini(lo[i], x[i][t]);
            hi[i] = maxi(hi[i], x[i][t]);
        }
        const int inset = (hi[i] - lo[i]) >> 4;
        lo[i] += inset;
        hi[i] -= inset;
    }
}

void ref_ycocg_bc3_chroma_box(const struct model *m, int x[2][16], struct chroma *c)
{
    int lo[2], hi[2], sum[2] = {0, 0}, product = 0;
    inset_box(x, lo, hi);
    for (int t = 0; t < 16; t++) {
        sum[0] += x[0][t];
        sum[1] += x[1][t];
        product += x[0][t] * x[1][t];
    }
    const bool falling = 16 * product < sum[0] * sum[1];
    for (int i = 0; i < 2; i++) {
        const int first = i == 1 && falling ? lo[i] : hi[i];
        const int last = i == 1 && falling ? hi[i] : lo[i];
        c->code[0][i] = ref_ycocg_bc3_code(m, c->scale_code, i, first);
        c->code[1][i] = ref_ycocg_bc3_code(m, c->scale_code, i, last);
    }
}

void ref_ycocg_bc3_chroma_across(const struct model *m, int x[2][16], struct chroma *c)
{
    int lo[2], hi[2];
    inset_box(x, lo, hi);
    // By the metric 2 : 3, whose root is near 4 : 5.
    const int narrow = 4 * (hi[0] - lo[0]) > 5 * (hi[1] - lo[1]) ? 1 : 0;
    lo[narrow] = hi[narrow] = (lo[narrow] + hi[narrow]) >> 1;
    for (int i = 0; i < 2; i++) {
        c->code[0][i] = ref_ycocg_bc3_code(m, c->scale_code, i, hi[i]);
        c->code[1][i] = ref_ycocg_bc3_code(m, c->scale_code, i, lo[i]);
    }
}

bool ref_ycocg_bc3_chroma_is_wide(int x[2][16], int scale_code)
{
    bool wide = false;
    for (int i = 0; i < 2; i++) {
        int lo = x[i][0], hi = x[i][0];
        for (int t = 1; t < 16; t++) {
            lo = mini(lo, x[i][t]);
            hi = maxi(hi, x[i][t]);
        }
        wide = wide || hi - lo >= 4 * REF_YCOCG_BC3_WIDE << scale_code;
    }
    return wide;
}

unsigned ref_ycocg_bc3_chroma_word(const struct chroma *c, int endpoint)
{
    const unsigned blue = (1u << c->scale_code) - 1;
    return (unsigned)c->code[endpoint][0] << 11 | (unsigned)c->code[endpoint][1] << 5 | blue;
}

void ref_ycocg_bc3_chroma_order(struct chroma *c)
{
    if (ref_ycocg_bc3_chroma_word(c, 0) >= ref_ycocg_bc3_chroma_word(c, 1)) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        const int code = c->code[0][i];
        c->code[0][i] = c->code[1][i];
        c->code[1][i] = code;
    }
}

// Add so many texels without chroma.
static void chroma_add_neutral(const struct model *m, const struct chroma *c, int num,
                               struct chroma_sums *s)
{
    const struct chroma_line line = chroma_line(m, c);
    const int k = chroma_index(&line, 0, 0);
    s->num += num;
    s->k += num * k;
    s->kk += num * k * k;
}

// Assign the texels, and move the endpoints to where these indices fit them best, if that is
// better. So many texels without chroma are added. Returns the cost of the endpoints for these
// indices.
static int chroma_step(const struct model *m, int x[2][16], int num_neutral, struct chroma *c)
{
    struct chroma_sums sums;
    int code[2][2];
    chroma_assign(m, x, c);
    chroma_add(x, c->index, &sums);
    chroma_add_neutral(m, c, num_neutral, &sums);
    int best = chroma_cost(m, &sums, c->scale_code, c->code);
    if (chroma_fit(m, &sums, c->scale_code, c->code, code)) {
        const int cost = chroma_cost(m, &sums, c->scale_code, code);
        if (cost < best) {
            best = cost;
            memcpy(c->code, code, sizeof(code));
        }
    }
    return best;
}

// A step from `start`, kept if it is better than `cost`, that of `c`. Returns the cost of what is
// kept.
static int chroma_try_step(const struct model *m, int x[2][16], int num_neutral,
                           struct chroma start, int cost, struct chroma *c)
{
    const int other = chroma_step(m, x, num_neutral, &start);
    if (other >= cost) {
        return cost;
    }
    *c = start;
    return other;
}

// White, grey and black beside colours show every error as a tint: they count twice.
static void chroma_refine_wide(const struct model *m, int box[2][16], int x[2][16],
                               struct chroma *c)
{
    int num_neutral = 0;
    for (int t = 0; t < 16; t++) {
        num_neutral += box[0][t] == 0 && box[1][t] == 0;
    }
    struct chroma across = *c;
    ref_ycocg_bc3_chroma_across(m, box, &across);
    int best = chroma_step(m, x, num_neutral, c);
    best = chroma_try_step(m, x, num_neutral, across, best, c);
    chroma_try_step(m, x, num_neutral, *c, best, c);
}

static void chroma_refine(const struct model *m, int x[2][16], struct chroma *c)
{
    int code[2][2];
    const int best = chroma_step(m, x, 0, c);
    struct chroma_sums flat = {.num = 16, .k = 16, .kk = 16};
    for (int t = 0; t < 32; t++) {
        flat.x[t / 16] += x[t / 16][t % 16];
    }
    memcpy(flat.kx, flat.x, sizeof(flat.x));
    ref_ycocg_bc3_chroma_flat(m, flat.x, c->scale_code, code);
    if (chroma_cost(m, &flat, c->scale_code, code) < best) {
        memcpy(c->code, code, sizeof(code));
    }
}

void ref_ycocg_bc3_chroma(const struct model *m, int box[2][16], int x[2][16], bool refine,
                          struct chroma *c)
{
    ref_ycocg_bc3_chroma_box(m, box, c);
    if (refine && ref_ycocg_bc3_chroma_is_wide(box, c->scale_code)) {
        chroma_refine_wide(m, box, x, c);
    } else if (refine) {
        chroma_refine(m, x, c);
    }
    ref_ycocg_bc3_chroma_order(c);
    chroma_assign(m, x, c);
}

void ref_ycocg_bc3_chroma_fast(const struct model *m, int box[2][16], int x[2][16],
                               struct chroma *c)
{
    ref_ycocg_bc3_chroma_box(m, box, c);
    if (ref_ycocg_bc3_chroma_is_wide(box, c->scale_code)) {
        chroma_step(m, x, 0, c);
    } else if (abs(c->code[0][0] - c->code[1][0]) + abs(c->code[0][1] - c->code[1][1]) <= 1) {
        int sum[2] = {0, 0};
        for (int t = 0; t < 32; t++) {
            sum[t / 16] += x[t / 16][t % 16];
        }
        ref_ycocg_bc3_chroma_flat(m, sum, c->scale_code, c->code);
    }
    ref_ycocg_bc3_chroma_order(c);
    chroma_assign(m, x, c);
}
