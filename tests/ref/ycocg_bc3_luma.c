// SPDX-License-Identifier: MIT
// Scalar reference of scaled YCoCg in BC3: Y, in BC4.

#include "ycocg_bc3_planes.h"

// The nearest of the eight values for each texel: round(7 (a0 - y) / (a0 - a1)). The quotient
// (a0 - y) / (a0 - a1) has 19 fractional bits, so 7 times it and half a unit fit in 24.
static void luma_assign(const struct model *m, const int y[16], struct luma *l)
{
    const int range = maxi(l->a0 - l->a1, 1);
    const int step = ((1 << 15) + range / 2) / range;
    for (int t = 0; t < 16; t++) {
        const int below = 16 * l->a0 - m->luma_bias - 4 * y[t];
        l->index[t] = (7 * clampi(below * step, 0, 1 << 19) + (1 << 18)) >> 19;
    }
}

// Move the endpoints to where they fit the indices best, and keep that if it is better.
// With e the error of a texel and q its index, the endpoint a0 and the slope per index move by
// (sum qq sum e - sum q sum qe) / d and (16 sum qe - sum q sum e) / d.
static void luma_refine(const struct model *m, const int y[16], struct luma *l)
{
    const int range = l->a0 - l->a1;
    int sq = 0, sqq = 0, sy = 0, sqy = 0;
    for (int t = 0; t < 16; t++) {
        const int q = l->index[t];
        sq += q;
        sqq += q * q;
        sy += y[t];
        sqy += q * y[t];
    }
    const int d = 16 * sqq - sq * sq;
    if (d == 0) {
        return;
    }
    const int se = 7 * (4 * sy + 16 * m->luma_bias) - 16 * 112 * l->a0 + 16 * range * sq;
    const int sqe = 7 * (4 * sqy + m->luma_bias * sq) - 112 * l->a0 * sq + 16 * range * sqq;
    const int offset = sqq * se - sq * sqe;
    const int slope = 16 * sqe - sq * se;
    const int a0 = clampi(l->a0 + div_round(offset, 112 * d), 0, 255);
    const int a1 = clampi(l->a1 + div_round(offset + 7 * slope, 112 * d), 0, 255);
    // The change of the squared error, over 32.
    const int da = a0 - l->a0, dr = a0 - a1 - range;
    const int gain = 7 * da * se - dr * sqe - 6272 * da * da + 112 * da * dr * sq -
                     8 * dr * dr * sqq;
    if (gain <= 0 || a0 <= a1) {
        return;
    }
    l->a0 = a0;
    l->a1 = a1;
}

void ref_ycocg_bc3_luma(const struct model *m, const int y[16], bool grey, int num_steps,
                        struct luma *l)
{
    int lo = y[0], hi = y[0];
    for (int t = 1; t < 16; t++) {
        lo = mini(lo, y[t]);
        hi = maxi(hi, y[t]);
    }
    const int inset = (hi - lo) >> 5;
    l->a1 = (lo + inset) >> 2;
    l->a0 = (hi - inset + 3) >> 2;
    // Grey texels within 7 codes: the sevenths are whole codes, and every decoder is exact.
    if (grey && hi - lo <= 28 && hi > lo) {
        l->a0 = mini(l->a1 + 7, 255);
        l->a1 = l->a0 - 7;
    }
    luma_assign(m, y, l);
    for (int step = 0; step < num_steps; step++) {
        luma_refine(m, y, l);
        luma_assign(m, y, l);
    }
}

int ref_ycocg_bc3_luma_error(const struct model *m, int y, const struct luma *l, int t)
{
    int sevenths = 7 * l->a0 - l->index[t] * (l->a0 - l->a1);
    if (m->truncates) {
        sevenths = sevenths / 7 * 7;
    }
    return div_round(4 * sevenths - 7 * y, 21);
}
