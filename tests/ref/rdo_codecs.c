// SPDX-License-Identifier: MIT
// Scalar reference of rate-distortion optimisation for BC1, BC3, BC4 and BC5: decoders of exact
// fractions, rounded to codes of 8 bits, halves up.
#include "tests/ref/rdo_codec.h"

#include <string.h>

// In 1/4 code.
static int round_code(int num, int den)
{
    return 4 * ((2 * num + den) / (2 * den));
}

// Decode RGB as BC1. `always_four`: as BC3 has it, whatever the order of the endpoints.
static void decode_rgb(const uint8_t *block, bool always_four, struct ref_rdo_texels *out)
{
    static const int fourths[4] = {3, 0, 2, 1}, thirds[4] = {2, 0, 1, 0}; // steps to c0
    static const int shifts[3] = {11, 5, 0}, most[3] = {31, 63, 31};
    const int c0 = block[0] | block[1] << 8, c1 = block[2] | block[3] << 8;
    const bool is_four = always_four || c0 > c1;
    const int steps = is_four ? 3 : 2;
    for (int t = 0; t < 16; t++) {
        const int code = block[4 + t / 4] >> (2 * (t % 4)) & 3;
        const int w = is_four ? fourths[code] : thirds[code];
        const bool is_black = !is_four && code == 3;
        for (int c = 0; c < 3; c++) {
            const int sum = w * (c0 >> shifts[c] & most[c]) +
                            (steps - w) * (c1 >> shifts[c] & most[c]);
            out->of[c][t] = is_black ? 0 : round_code(255 * sum, steps * most[c]);
        }
    }
}

static void decode_channel(const uint8_t *block, int channel, struct ref_rdo_texels *out)
{
    const int a0 = block[0], a1 = block[1], steps = a0 > a1 ? 7 : 5;
    uint64_t codes = 0;
    for (int i = 0; i < 6; i++) {
        codes |= (uint64_t)block[2 + i] << (8 * i);
    }
    for (int t = 0; t < 16; t++) {
        const int code = (int)(codes >> (3 * t)) & 7;
        const int weight = code == 0 ? steps : code == 1 ? 0 : steps + 1 - code; // of a0
        out->of[channel][t] = code > steps ? (code == 6 ? 0 : 4 * 255)
                                           : round_code(weight * a0 + (steps - weight) * a1, steps);
    }
}

static void decode_bc1(const uint8_t *block, struct ref_rdo_texels *out)
{
    memset(out, 0, sizeof(*out));
    decode_rgb(block, false, out);
}

static void decode_bc3(const uint8_t *block, struct ref_rdo_texels *out)
{
    decode_channel(block, 3, out);
    decode_rgb(block + REF_RDO_HALF_SIZE, true, out);
}

static void decode_bc4(const uint8_t *block, struct ref_rdo_texels *out)
{
    memset(out, 0, sizeof(*out));
    decode_channel(block, 0, out);
}

static void decode_bc5(const uint8_t *block, struct ref_rdo_texels *out)
{
    memset(out, 0, sizeof(*out));
    decode_channel(block, 0, out);
    decode_channel(block + REF_RDO_HALF_SIZE, 1, out);
}

static void read_channels(const uint8_t *texel, int num, int t, struct ref_rdo_texels *out)
{
    for (int c = 0; c < REF_RDO_CHANNELS; c++) {
        out->of[c][t] = c < num ? 4 * texel[c] : 0;
    }
}

static void read_r(const uint8_t *texel, int t, struct ref_rdo_texels *out)
{
    read_channels(texel, 1, t, out);
}

static void read_rg(const uint8_t *texel, int t, struct ref_rdo_texels *out)
{
    read_channels(texel, 2, t, out);
}

static void read_rgb(const uint8_t *texel, int t, struct ref_rdo_texels *out)
{
    read_channels(texel, 3, t, out);
}

static void read_rgba(const uint8_t *texel, int t, struct ref_rdo_texels *out)
{
    read_channels(texel, 4, t, out);
}

static void read_a(const uint8_t *texel, int t, struct ref_rdo_texels *out)
{
    read_channels(texel + 3, 1, t, out);
}

// Measure `num` channels from the first.
static struct ref_rdo_squares measure_channels(int first, int num,
                                               const struct ref_rdo_texels *source,
                                               const struct ref_rdo_texels *other)
{
    struct ref_rdo_squares result = {0};
    for (int c = first; c < first + num; c++) {
        int squares = 0, all = 0;
        for (int t = 0; t < 16; t++) {
            const int e = other->of[c][t] - source->of[c][t];
            squares += e * e;
            all += e;
        }
        result.sum += squares;
        result.of_sum += (int64_t)all * all;
    }
    return result;
}

static struct ref_rdo_squares measure_rgb(int measure, const struct ref_rdo_texels *source,
                                          const struct ref_rdo_texels *const halves[2])
{
    return measure_channels(0, 3, source, halves[measure]);
}

// One channel a half.
static struct ref_rdo_squares measure_channel(int measure, const struct ref_rdo_texels *source,
                                              const struct ref_rdo_texels *const halves[2])
{
    return measure_channels(measure, 1, source, halves[measure]);
}

static struct ref_rdo_squares measure_rgba(int measure, const struct ref_rdo_texels *source,
                                           const struct ref_rdo_texels *const halves[2])
{
    return measure_channels(measure == 0 ? 3 : 0, measure == 0 ? 1 : 3, source, halves[measure]);
}

// Of halves that are measured apart, with 1/8 of a squared code in each channel of each texel as
// the unit of activity. What is smooth has a byte of the least weight, by which copies that lose
// nothing are found. Where a half is copied it saves six bytes.
static const struct ref_rdo_codec
    bc1 = {1, 1, {96}, 1, 0, decode_bc1, read_rgb, measure_rgb, NULL},
    bc3 = {2, 2, {32, 96}, 1, 6, decode_bc3, read_rgba, measure_rgba, NULL},
    bc4 = {1, 1, {32}, 1, 0, decode_bc4, read_r, measure_channel, NULL},
    bc4_of_alpha = {1, 1, {32}, 1, 0, decode_bc4, read_a, measure_channel, NULL},
    bc5 = {2, 2, {32, 32}, 1, 6, decode_bc5, read_rg, measure_channel, NULL};

const struct ref_rdo_codec *ref_rdo_codec_get(enum weir_codec codec, bool other_alpha)
{
    switch ((int)codec) {
    case WEIR_CODEC_YCOCG_BC3:
        return &ref_rdo_of_ycocg_bc3;
    case WEIR_CODEC_BC1:
        return &bc1;
    case WEIR_CODEC_BC3:
        return &bc3;
    case WEIR_CODEC_BC4:
        return other_alpha ? &bc4_of_alpha : &bc4;
    case WEIR_CODEC_BC5:
        return &bc5;
    case WEIR_CODEC_BC7:
        return other_alpha ? &ref_rdo_of_bc7_alpha_unread : &ref_rdo_of_bc7;
    }
    return NULL;
}
