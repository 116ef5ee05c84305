// SPDX-License-Identifier: MIT
// Scalar reference of scaled YCoCg in BC3: the specification of the kernel in shaders/.
//
// Source: J.M.P. van Waveren, I. Castano, "Real-Time YCoCg-DXT Compression" (2007): the planes, the
// scale, the inset box and the diagonal by the sign of the covariance. Added to it: a least-squares
// step that moves the endpoints of given indices, chroma that makes up for the error of Y, and a
// pair of endpoints for blocks of nearly one chroma.
//
// The error to minimise. With ey, eo, eg the errors of Y, Co and Cg,
//   dR^2 + dG^2 + dB^2 = 2 eo^2 + 3 (eg - ey/3)^2 + (8/3) ey^2.
// So Y is coded first and alone; then Co is fitted to Co and Cg to Cg + ey/3, weighed 2 to 3.
//
// Everything is integer. No value that depends on a texel reaches 2^24, so a kernel may keep those
// in float32 without rounding. Units:
//   y          1/4 code        0 .. 1020
//   luma sums  1/112 code      the sevenths of BC4 times a sixteenth for the bias
//   chroma     1/4 stored code, scale * C, 0 is stored 128; at most +-510 (+-902 for Cg + ey/3)

#include "ycocg_bc3.h"

#include "ycocg_bc3_high.h"

#include <stdlib.h>
#include <string.h>

// codes = (31 or 63) / 1020 * ratio, quarters = 1020 / (31 or 63) / ratio, zero = 512 / ratio with
// ratio = what the decoder divides by / scale: 1, 999/992 and 2005/1984 for the gpu model.
static const struct model gpu_decoder = {
    false,
    3,
    {0, 0, 0},
    {{1992, 4048}, {2006, 4076}, {2013, 4091}},
    {{134771, 66316}, {133826, 65852}, {133359, 65622}},
    {2097152, 2082457, 2075186},
};
static const struct model ffmpeg_decoder = {
    true,
    6,
    {0, 2, 6},
    {{1992, 4048}, {1992, 4048}, {1992, 4048}},
    {{134771, 66316}, {134771, 66316}, {134771, 66316}},
    {2097152, 2097152, 2097152},
};

static void pack_luma(const struct luma *l, uint8_t out[8])
{
    uint64_t bits = 0;
    for (int t = 0; t < 16; t++) {
        const int q = l->index[t], last = l->a0 > l->a1 ? 7 : 5;
        const uint64_t code = q == 0 ? 0 : q == last ? 1 : (uint64_t)q + (q < last);
        bits |= code << (3 * t);
    }
    out[0] = (uint8_t)l->a0;
    out[1] = (uint8_t)l->a1;
    for (int i = 0; i < 6; i++) {
        out[2 + i] = (uint8_t)(bits >> (8 * i));
    }
}

static void pack_chroma(const struct chroma *c, uint8_t out[8])
{
    static const uint8_t bc1[4] = {0, 2, 3, 1};
    for (int e = 0; e < 2; e++) {
        out[2 * e] = (uint8_t)ref_ycocg_bc3_chroma_word(c, e);
        out[2 * e + 1] = (uint8_t)(ref_ycocg_bc3_chroma_word(c, e) >> 8);
    }
    memset(out + 4, 0, 4);
    for (int t = 0; t < 16; t++) {
        out[4 + t / 4] |= (uint8_t)(bc1[c->index[t]] << (2 * (t % 4)));
    }
}

const struct model *ref_ycocg_bc3_model(bool ffmpeg_model)
{
    return ffmpeg_model ? &ffmpeg_decoder : &gpu_decoder;
}

void ref_ycocg_bc3_pack(const struct luma *l, const struct chroma *c, uint8_t out[16])
{
    pack_luma(l, out);
    pack_chroma(c, out + 8);
}

struct planes ref_ycocg_bc3_planes(const uint8_t rgb[16][3])
{
    struct planes p = {.largest = 0};
    for (int t = 0; t < 16; t++) {
        const int r = rgb[t][0], g = rgb[t][1], b = rgb[t][2];
        p.y[t] = r + 2 * g + b;
        p.raw[0][t] = 2 * (r - b);
        p.raw[1][t] = 2 * g - r - b;
        p.largest = maxi(p.largest, maxi(abs(p.raw[0][t]), abs(p.raw[1][t])));
    }
    return p;
}

// Cg makes up for the error of Y, except at effort fast. A decoder that rounds chroma towards zero
// is met by moving the texels away from it.
static void chroma_targets(const struct model *m, const struct luma *l, int scale_code,
                           bool closed_loop, struct planes *p)
{
    const int scale = 1 << scale_code, bias = m->chroma_bias[scale_code];
    for (int t = 0; t < 16; t++) {
        const int error = closed_loop ? ref_ycocg_bc3_luma_error(m, p->y[t], l, t) : 0;
        for (int i = 0; i < 2; i++) {
            p->box[i][t] = scale * p->raw[i][t];
            p->x[i][t] = p->box[i][t] + (i == 1 ? scale * error : 0);
            p->x[i][t] += p->x[i][t] > 0 ? bias : p->x[i][t] < 0 ? -bias : 0;
        }
    }
}

static int fitting_scale(const struct planes *p)
{
    return p->largest <= 4 * 31 ? 2 : p->largest <= 4 * 63 ? 1 : 0;
}

static void encode_fast(const struct model *m, struct planes *p, struct luma *luma,
                        struct chroma *chroma)
{
    ref_ycocg_bc3_luma(m, p->y, p->largest == 0, 1, luma);
    chroma->scale_code = fitting_scale(p);
    chroma_targets(m, luma, chroma->scale_code, false, p);
    ref_ycocg_bc3_chroma_fast(m, p->box, p->x, chroma);
}

static void encode_default(const struct model *m, enum ref_ycocg_bc3_stage stage, struct planes *p,
                           struct luma *luma, struct chroma *chroma)
{
    const int num_steps = stage == REF_YCOCG_BC3_BOX_LUMA ? 0 : 2;
    ref_ycocg_bc3_luma(m, p->y, p->largest == 0, num_steps, luma);
    chroma->scale_code = fitting_scale(p);
    chroma_targets(m, luma, chroma->scale_code, true, p);
    ref_ycocg_bc3_chroma(m, p->box, p->x, stage != REF_YCOCG_BC3_BOX_CHROMA, chroma);
}

static void encode(const uint8_t rgb[16][3], bool ffmpeg_model, enum ref_ycocg_bc3_effort effort,
                   enum ref_ycocg_bc3_stage stage, uint8_t out[16])
{
    const struct model *m = ref_ycocg_bc3_model(ffmpeg_model);
    struct planes p = ref_ycocg_bc3_planes(rgb);
    struct luma luma;
    struct chroma chroma;
    if (effort == REF_YCOCG_BC3_FAST) {
        encode_fast(m, &p, &luma, &chroma);
    } else {
        encode_default(m, stage, &p, &luma, &chroma);
    }
    if (effort == REF_YCOCG_BC3_HIGH) {
        ref_ycocg_bc3_high(m, p.y, p.raw, &luma, &chroma);
    }
    ref_ycocg_bc3_pack(&luma, &chroma, out);
}

void ref_ycocg_bc3_encode_block_to(const uint8_t rgb[16][3], bool ffmpeg_model,
                                   enum ref_ycocg_bc3_stage stage, uint8_t out[16])
{
    encode(rgb, ffmpeg_model, REF_YCOCG_BC3_DEFAULT, stage, out);
}

void ref_ycocg_bc3_encode_block(const uint8_t rgb[16][3], bool ffmpeg_model,
                                enum ref_ycocg_bc3_effort effort, uint8_t out[16])
{
    encode(rgb, ffmpeg_model, effort, REF_YCOCG_BC3_FULL, out);
}

size_t ref_ycocg_bc3_size(uint32_t width, uint32_t height)
{
    return ((size_t)width + 3) / 4 * (((size_t)height + 3) / 4) * REF_YCOCG_BC3_BLOCK_SIZE;
}

void ref_ycocg_bc3_encode(const uint8_t *rgb, size_t stride, uint32_t width, uint32_t height,
                          bool ffmpeg_model, enum ref_ycocg_bc3_effort effort, uint8_t *out)
{
    for (uint32_t y = 0; y < height; y += 4) {
        for (uint32_t x = 0; x < width; x += 4) {
            uint8_t texels[16][3];
            for (uint32_t t = 0; t < 16; t++) {
                const uint32_t tx = x + t % 4 < width ? x + t % 4 : width - 1;
                const uint32_t ty = y + t / 4 < height ? y + t / 4 : height - 1;
                memcpy(texels[t], rgb + ty * stride + (size_t)tx * 3, 3);
            }
            ref_ycocg_bc3_encode_block((const uint8_t(*)[3])texels, ffmpeg_model, effort, out);
            out += REF_YCOCG_BC3_BLOCK_SIZE;
        }
    }
}
