// SPDX-License-Identifier: MIT
// Scalar reference of rate-distortion optimisation for scaled YCoCg in BC3 (HapY): the channels are
// Y, Co and Cg. Y is the first half, Co and Cg the second one.
#include "tests/ref/ycocg_bc3_rdo.h"

#include "tests/ref/rdo_codec.h"

// Divide, and round to the nearest, halves up.
static int divide_rounded(int num, int den)
{
    const int shift = 512; // makes it positive
    return (2 * (num + shift * den) + den) / (2 * den) - shift;
}

static void decode(const uint8_t *block, struct ref_rdo_texels *out)
{
    const int a0 = block[0], a1 = block[1];
    const unsigned c0 = block[8] | (unsigned)block[9] << 8;
    const unsigned c1 = block[10] | (unsigned)block[11] << 8;
    const int scale = 255 * (int)(c0 & 31) + 248; // times 248
    uint64_t indices = 0;
    for (int i = 0; i < 6; i++) {
        indices |= (uint64_t)block[2 + i] << (8 * i);
    }
    for (int t = 0; t < 16; t++) {
        const int i = (int)(indices >> (3 * t)) & 7;
        const int steps = a0 > a1 ? 7 : 5;
        const int weight = i == 0 ? steps : i == 1 ? 0 : steps + 1 - i; // of a0
        const int y = i > steps ? (i == 6 ? 0 : 255 * steps) : weight * a0 + (steps - weight) * a1;
        static const int thirds[4] = {3, 0, 2, 1}; // of c0
        const int w = thirds[block[12 + t / 4] >> (2 * (t % 4)) & 3];
        const int red = w * (int)(c0 >> 11) + (3 - w) * (int)(c1 >> 11);
        const int green = w * (int)(c0 >> 5 & 63) + (3 - w) * (int)(c1 >> 5 & 63);
        out->of[0][t] = divide_rounded(4 * y, steps);
        out->of[1][t] = divide_rounded(32 * (255 * red - 128 * 93), 3 * scale);
        out->of[2][t] = divide_rounded(992 * (255 * green - 128 * 189), 189 * scale);
        out->of[3][t] = 0;
    }
}

static void read(const uint8_t *p, int t, struct ref_rdo_texels *out)
{
    out->of[0][t] = p[0] + 2 * p[1] + p[2];
    out->of[1][t] = 2 * (p[0] - p[2]);
    out->of[2][t] = 2 * p[1] - p[0] - p[2];
    out->of[3][t] = 0;
}

static int64_t square(int64_t y, int64_t co, int64_t cg)
{
    // R = Y - Cg + Co, G = Y + Cg, B = Y - Cg - Co
    return 2 * co * co + 3 * cg * cg - 2 * cg * y + 3 * y * y;
}

static struct ref_rdo_squares measure(int measure, const struct ref_rdo_texels *source,
                                      const struct ref_rdo_texels *const halves[2])
{
    (void)measure; // there is one
    struct ref_rdo_squares result = {0};
    int all[3] = {0};
    for (int t = 0; t < 16; t++) {
        const int y = halves[0]->of[0][t] - source->of[0][t];
        const int co = halves[1]->of[1][t] - source->of[1][t];
        const int cg = halves[1]->of[2][t] - source->of[2][t];
        result.sum += square(y, co, cg);
        all[0] += y;
        all[1] += co;
        all[2] += cg;
    }
    result.of_sum = square(all[0], all[1], all[2]);
    return result;
}

const struct ref_rdo_codec ref_rdo_of_ycocg_bc3 = {
    .num_halves = 2,
    .num_measures = 1,
    .activity_units = {96}, // 1/8 of a squared code in each channel of each texel
    .decode = decode,
    .read = read,
    .measure = measure,
};

void ref_ycocg_bc3_rdo(const uint8_t *rgb, size_t stride, uint32_t width, uint32_t height,
                       int quality, uint8_t *history, uint8_t *blocks)
{
    const struct ref_rdo_picture picture = {rgb, stride, 3, width, height};
    ref_rdo(&ref_rdo_of_ycocg_bc3, &picture, ref_rdo_lambda(quality), history, blocks);
}
