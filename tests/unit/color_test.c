// SPDX-License-Identifier: MIT
// Colour of HDR, linear light and wide gamuts, against float64 and published matrices.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/mastering_display_metadata.h>
#include <libavutil/pixdesc.h>

#include "capture/files/source/convert.h"
#include "capture/files/source/source.h"
#include "tests/expect.h"
#include "tests/ref/texel.h"
#include "tests/seeded.h"

enum { WIDTH = 67, HEIGHT = 71 };
enum { PQ = AVCOL_TRC_SMPTE2084, HLG = AVCOL_TRC_ARIB_STD_B67 };
static const double white = 203;

// To sRGB from itself, from Display P3 (CSS Color 4), and from BT.2020 (ITU-R BT.2087).
static const double matrices[3][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{1.22494018, -0.22494018, 0},
     {-0.04205695, 1.04205695, 0},
     {-0.01963755, -0.07863605, 1.09827360}},
    {{1.66049100, -0.58764114, -0.07284986},
     {-0.12455047, 1.13289990, -0.00834942},
     {-0.01815076, -0.10057890, 1.11872966}},
};

struct what {
    int transfer, gamut;
    enum weir_tonemap tonemap;
    double peak; // [cd/m2]
    bool floats;
};

static double pq_to_light(double e)
{
    const double p = pow(e, 32 / 2523.0);
    return 10000 * pow(fmax(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p), 16384 / 2610.0);
}

static double light_to_pq(double light)
{
    const double p = pow(light / 10000, 2610 / 16384.0);
    return pow((0.8359375 + 18.8515625 * p) / (1 + 18.6875 * p), 2523 / 32.0);
}

static double mapped(const struct what *what, double light)
{
    if (what->tonemap == WEIR_TONEMAP_HABLE) {
        double in[2] = {light, what->peak / white};
        for (int i = 0; i < 2; i++) {
            const double x = in[i];
            in[i] = (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06) - 0.02 / 0.3;
        }
        return in[0] / in[1];
    }
    const double top = light_to_pq(what->peak), e = light_to_pq(light * white) / top;
    const double max = light_to_pq(white) / top, ks = 1.5 * max - 0.5;
    if (what->tonemap != WEIR_TONEMAP_BT2390 || max >= 1 || e < ks) {
        return light;
    }
    const double t = (e - ks) / (1 - ks);
    const double p = (2 * pow(t, 3) - 3 * t * t + 1) * ks + (pow(t, 3) - 2 * t * t + t) * (1 - ks) +
                     (-2 * pow(t, 3) + 3 * t * t) * max;
    return pq_to_light(p * top) / white;
}

// The codes, 0 .. 1, of a texel whose values are `in`.
static void reference(const struct what *what, const double in[3], double out[3])
{
    double rgb[3], own[3], most = 0;
    for (int i = 0; i < 3; i++) {
        const double e = in[i];
        rgb[i] = what->floats           ? e
                 : what->transfer == PQ ? pq_to_light(e) / white
                 : what->transfer == HLG
                     ? (e <= 0.5 ? e * e / 3
                                 : (exp((e - 0.55991073) / 0.17883277) + 0.28466892) / 12)
                     : ref_srgb_decode(e);
    }
    if (what->transfer == HLG) {
        const double y = 0.2627 * rgb[0] + 0.6780 * rgb[1] + 0.0593 * rgb[2];
        for (int i = 0; i < 3; i++) {
            rgb[i] *= pow(y, 0.2) * 1000 / white;
        }
    }
    for (int i = 0; i < 3; i++) {
        const double *row = matrices[what->gamut][i];
        own[i] = row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2];
        most = fmax(most, own[i]);
    }
    const bool is_hdr = what->transfer == PQ || what->transfer == HLG;
    const double bent = is_hdr && most > 0 ? mapped(what, fmin(most, what->peak / white)) /
                                                 fmin(most, what->peak / white)
                                           : 1;
    for (int i = 0; i < 3; i++) {
        const double light = own[i] * bent;
        out[i] = light > 0 ? ref_srgb_encode(fmin(light, 1)) : 0;
    }
}

static AVFrame *make_frame(const struct what *what, double (*values)[3], uint64_t *random)
{
    static const enum AVColorPrimaries primaries[] = {AVCOL_PRI_BT709, AVCOL_PRI_SMPTE432,
                                                      AVCOL_PRI_BT2020};
    AVFrame *frame = av_frame_alloc();
    frame->format = what->floats ? AV_PIX_FMT_GBRPF32 : AV_PIX_FMT_RGB48;
    frame->width = WIDTH;
    frame->height = HEIGHT;
    frame->color_range = AVCOL_RANGE_JPEG;
    frame->color_trc = (enum AVColorTransferCharacteristic)what->transfer;
    frame->color_primaries = primaries[what->gamut];
    av_frame_get_buffer(frame, 0);
    if (what->transfer == PQ) {
        av_content_light_metadata_create_side_data(frame)->MaxCLL = (unsigned)what->peak;
    }
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const bool is_dark = seeded_next(random) % 2 != 0;
        for (int c = 0; c < 3; c++) {
            const AVComponentDescriptor *at = &format->comp[c];
            uint8_t *texel = frame->data[at->plane] + i / WIDTH * frame->linesize[at->plane] +
                             i % WIDTH * at->step + at->offset;
            const uint16_t code = (uint16_t)(seeded_next(random) >> (is_dark ? 2 : 0));
            const float value = (float)code / 40000;
            values[i][c] = what->floats ? (double)value : code / 65535.0;
            memcpy(texel, what->floats ? (const void *)&value : &code,
                   (size_t)format->comp[c].depth / 8);
        }
    }
    return frame;
}

enum { PITCH = (WIDTH + 7) / 8 * 8 }; // [texels]

// The codes of 16 bits of a frame, valid until the next call; NULL: they stay as they are.
static const uint16_t *convert(const AVFrame *frame, enum weir_tonemap tonemap)
{
    static _Alignas(WEIR_SOURCE_ALIGNMENT) uint16_t codes[HEIGHT][4 * PITCH];
    const struct weir_log log = {0};
    const struct weir_convert_params params = {
        .path = "test", .log = &log, .tonemap = tonemap, .keeps_alpha = true};
    struct weir_meaning_notes notes = {0};
    const struct weir_meaning meaning = weir_convert_note(&notes, &params, frame);
    struct weir_color color = {.tonemap = tonemap};
    struct weir_scale scale;
    test_must(weir_scale_init(&scale, "test", AV_PIX_FMT_RGBA64, &log) == WEIR_OK &&
                  weir_color_prepare(&color, &meaning) == WEIR_OK,
              "memory");
    scale.color = &color;
    const enum weir_result result = weir_scale_run(&scale, frame, (uint32_t)frame->width,
                                                   (uint32_t)frame->height, (uint8_t *)codes,
                                                   sizeof(codes[0]));
    test_expect(result == WEIR_OK, "a frame is converted");
    const bool is_kept = weir_color_is_kept(&color, &meaning);
    weir_scale_finish(&scale);
    weir_color_finish(&color);
    return is_kept ? NULL : codes[0];
}

static void check(const struct what *what, uint64_t *random)
{
    static double values[WIDTH * HEIGHT][3];
    AVFrame *frame = make_frame(what, values, random);
    const uint16_t *codes = convert(frame, what->tonemap);
    double worst = 0;
    for (int i = 0; i < WIDTH * HEIGHT && codes; i++) {
        const uint16_t *texel = codes + 4 * (size_t)(i / WIDTH * PITCH + i % WIDTH);
        double want[3];
        reference(what, values[i], want);
        for (int c = 0; c < 3; c++) {
            worst = fmax(worst, fabs(texel[c] / 65535.0 - want[c]) * 255);
        }
    }
    test_expect(codes && worst <= 0.02,
                "transfer %d, gamut %d, tonemap %d, peak %g: %.3f of a code off", what->transfer,
                what->gamut, (int)what->tonemap, what->peak, worst);
    av_frame_free(&frame);
}

// What is no number, or endless, is black or white, and display codes are kept as they are.
static void check_extremes(void)
{
    static const float values[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e30f, 1};
    static const uint16_t wanted[] = {0, 65535, 0, 0, 0, 65535, 65535};
    enum { NUM = sizeof(values) / sizeof(values[0]) };
    AVFrame *frame = av_frame_alloc();
    frame->format = AV_PIX_FMT_GRAYF32;
    frame->width = NUM;
    frame->height = 1;
    av_frame_get_buffer(frame, 0);
    memcpy(frame->data[0], values, sizeof(values));
    const uint16_t *texel = convert(frame, WEIR_TONEMAP_BT2390);
    for (int i = 0; i < NUM && texel; i++, texel += 4) {
        test_expect(texel[0] == wanted[i] && texel[1] == wanted[i] && texel[2] == wanted[i],
                    "%g became %u %u %u", (double)values[i], texel[0], texel[1], texel[2]);
    }
    frame->color_trc = AVCOL_TRC_BT709;
    test_expect(!convert(frame, WEIR_TONEMAP_BT2390), "display codes are kept");
    av_frame_free(&frame);
}

int main(void)
{
    seeded_start();
    uint64_t random = seeded_state;
    for (int gamut = 0; gamut < 3; gamut++) {
        for (int tonemap = WEIR_TONEMAP_BT2390; tonemap <= WEIR_TONEMAP_CLIP; tonemap++) {
            const double peak = 100 + seeded_next(&random) % 9900;
            check(&(struct what){PQ, gamut, (enum weir_tonemap)tonemap, fmax(peak, white), false},
                  &random);
            check(&(struct what){HLG, gamut, (enum weir_tonemap)tonemap, 1000, false}, &random);
        }
        check(&(struct what){AVCOL_TRC_LINEAR, gamut, WEIR_TONEMAP_BT2390, white, true}, &random);
        if (gamut != 0) {
            check(&(struct what){AVCOL_TRC_BT709, gamut, WEIR_TONEMAP_BT2390, white, false},
                  &random);
        }
    }
    check_extremes();
    return test_finish();
}
