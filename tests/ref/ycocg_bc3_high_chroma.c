// SPDX-License-Identifier: MIT
// Scalar reference of scaled YCoCg in BC3 at effort high: Co and Cg, at the scale that fits and the
// next finer one.
//
// A finer scale clips some texels and may still be better for the rest. A coarser one gains 0.004
// dB.
//
// Texels and the four values are in 1/24 code: an endpoint is rounded to 1/8 code, and the thirds
// between two are whole then. The nearest value is found by trying all four.

#include "ycocg_bc3_high.h"

#include <string.h>

static const int code_max[2] = {31, 63};

// The 8 bits that FFmpeg widens a code to.
static int expand(int code, int axis)
{
    const int levels = code_max[axis] + 1, v = code * 255 + levels / 2;
    return (v / levels + v) / levels;
}

static int endpoint_value(const struct model *m, int scale_code, int axis, int code)
{
    const int v = code * m->quarters[scale_code][axis] - m->zero[scale_code];
    return (v + (1 << (10 + scale_code))) >> (11 + scale_code);
}

int ref_ycocg_bc3_chroma_value(const struct model *m, int scale_code, int axis, int code[2][2],
                               int k)
{
    if (m->truncates) {
        const int a = expand(code[0][axis], axis), b = expand(code[1][axis], axis);
        return 24 * ((((3 - k) * a + k * b) / 3 - 128) / (1 << scale_code));
    }
    return (3 - k) * endpoint_value(m, scale_code, axis, code[0][axis]) +
           k * endpoint_value(m, scale_code, axis, code[1][axis]);
}

static int clamp_color(int v)
{
    return clampi(v, 0, 24 * 255);
}

static uint32_t error_of(const struct chroma_texels *x, int t, int co, int cg)
{
    if (!x->wide) {
        const int eo = co - x->x[0][t], eg = cg - x->x[1][t];
        return (uint32_t)(2 * eo * eo + 3 * eg * eg);
    }
    const int er = clamp_color(x->y[t] + co - cg) - x->rgb[t][0];
    const int eg = clamp_color(x->y[t] + cg) - x->rgb[t][1];
    const int eb = clamp_color(x->y[t] - co - cg) - x->rgb[t][2];
    return (uint32_t)(er * er + eg * eg + eb * eb);
}

static uint32_t assign(const struct model *m, const struct chroma_texels *x, int scale_code,
                       int code[2][2], int index[16])
{
    uint32_t sum = 0;
    for (int t = 0; t < 16; t++) {
        uint32_t best = UINT32_MAX;
        for (int k = 0; k < 4; k++) {
            const uint32_t error = error_of(x, t,
                                            ref_ycocg_bc3_chroma_value(m, scale_code, 0, code, k),
                                            ref_ycocg_bc3_chroma_value(m, scale_code, 1, code, k));
            if (error < best) {
                best = error;
                index[t] = k;
            }
        }
        sum += (uint32_t)x->weight[t] * best;
    }
    return sum;
}

void ref_ycocg_bc3_chroma_assign(const struct model *m, const struct chroma_texels *x,
                                 struct chroma *c)
{
    assign(m, x, c->scale_code, c->code, c->index);
}

struct chroma_fit ref_ycocg_bc3_chroma_fit(const struct model *m, const struct chroma_texels *x,
                                           int scale_code, int code[2][2])
{
    int index[16];
    struct chroma_fit f = {.scale_code = scale_code};
    memcpy(f.code, code, sizeof(f.code));
    f.error = assign(m, x, scale_code, code, index);
    return f;
}

static void try_fit(const struct model *m, const struct chroma_texels *x, int code[2][2],
                    struct chroma_fit *best)
{
    const struct chroma_fit f = ref_ycocg_bc3_chroma_fit(m, x, best->scale_code, code);
    if (f.error < best->error) {
        *best = f;
    }
}

// The value of a texel in sums. It is moved away from zero for a decoder that rounds towards zero.
static int biased(const struct model *m, int scale_code, int x)
{
    const int bias = 6 * m->chroma_bias[scale_code] >> scale_code;
    return x > 0 ? x + bias : x < 0 ? x - bias : 0;
}

static void refine(const struct model *m, const struct chroma_texels *x, struct chroma_fit *f)
{
    int index[16], code[2][2], num = 0, sk = 0, skk = 0, sx[2] = {0, 0}, skx[2] = {0, 0};
    assign(m, x, f->scale_code, f->code, index);
    for (int t = 0; t < 16; t++) {
        const int k = index[t], weight = x->weight[t];
        num += weight;
        sk += weight * k;
        skk += weight * k * k;
        for (int i = 0; i < 2; i++) {
            const int v = weight * biased(m, f->scale_code, x->x[i][t]);
            sx[i] += v;
            skx[i] += k * v;
        }
    }
    const int aa = 9 * num - 6 * sk + skk, ab = 3 * sk - skk, bb = skk;
    const int d = aa * bb - ab * ab;
    if (d <= 0) {
        return;
    }
    // Endpoints in 1/24 code are 3 n / d; in 1/4 stored code, scale n / 2d.
    const int scale = 1 << f->scale_code;
    for (int i = 0; i < 2; i++) {
        const int ax = 3 * sx[i] - skx[i], bx = skx[i];
        const int n0 = scale * (ax * bb - bx * ab), n1 = scale * (bx * aa - ax * ab);
        code[0][i] = ref_ycocg_bc3_code(m, f->scale_code, i, div_round(n0, 2 * d));
        code[1][i] = ref_ycocg_bc3_code(m, f->scale_code, i, div_round(n1, 2 * d));
    }
    try_fit(m, x, code, f);
}

// Two steps of least squares from `start`.
static struct chroma_fit fit_from(const struct model *m, const struct chroma_texels *x,
                                  struct chroma *start)
{
    struct chroma_fit f = ref_ycocg_bc3_chroma_fit(m, x, start->scale_code, start->code);
    for (int i = 0; i < 2; i++) {
        refine(m, x, &f);
    }
    return f;
}

static void try_flat(const struct model *m, const struct chroma_texels *x, struct chroma_fit *f)
{
    int sum[2] = {0, 0}, code[2][2];
    for (int i = 0; i < 2; i++) {
        for (int t = 0; t < 16; t++) {
            sum[i] += biased(m, f->scale_code, x->x[i][t]);
        }
        sum[i] = div_round(sum[i] * (1 << f->scale_code), 6);
    }
    ref_ycocg_bc3_chroma_flat(m, sum, f->scale_code, code);
    try_fit(m, x, code, f);
}

// All pairs of neighbours of both ends, of one axis and then of the other.
static void search(const struct model *m, const struct chroma_texels *x, struct chroma_fit *f)
{
    for (int i = 0; i < 2; i++) {
        const struct chroma_fit center = *f;
        for (int step = 0; step < 9; step++) {
            int code[2][2];
            memcpy(code, center.code, sizeof(code));
            code[0][i] = clampi(code[0][i] + step / 3 - 1, 0, code_max[i]);
            code[1][i] = clampi(code[1][i] + step % 3 - 1, 0, code_max[i]);
            try_fit(m, x, code, f);
        }
    }
}

struct chroma_fit ref_ycocg_bc3_high_chroma(const struct model *m, int raw[2][16],
                                            const struct chroma_texels *x, int fitting)
{
    struct chroma_fit best = {.error = UINT32_MAX};
    for (int scale_code = fitting; scale_code <= mini(fitting + 1, 2); scale_code++) {
        int box[2][16];
        for (int t = 0; t < 32; t++) {
            box[t / 16][t % 16] = raw[t / 16][t % 16] * (1 << scale_code);
        }
        struct chroma start = {.scale_code = scale_code};
        ref_ycocg_bc3_chroma_box(m, box, &start);
        struct chroma_fit f = fit_from(m, x, &start);
        if (ref_ycocg_bc3_chroma_is_wide(box, scale_code)) {
            ref_ycocg_bc3_chroma_across(m, box, &start);
            const struct chroma_fit across = fit_from(m, x, &start);
            f = across.error < f.error ? across : f;
        }
        try_flat(m, x, &f);
        if (f.error < best.error) {
            best = f;
        }
    }
    search(m, x, &best);
    return best;
}
