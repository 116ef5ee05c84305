// SPDX-License-Identifier: MIT
// Prints the PSNR of HapY beside FFmpeg's encoder, for pictures and gradients.
//
// Columns, PSNR over R, G and B [dB]: `ours int` decoded by FFmpeg's hap decoder, `ours gpu` by
// exact fractions; `ffmpeg int` and `ffmpeg gpu` the same for FFmpeg's encoder, -format hap_q. The
// program fails if FFmpeg's decoder and the reference of it differ in one byte. Bars: pictures as
// far above FFmpeg's encoder in the mean as the table says, grey ramps of up to a code a texel
// lossless, the sky 51 dB decoded by FFmpeg, no block much worse than FFmpeg's. A part is one row
// of blocks of four.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/quality/quality.h"
#include "tests/kernels/kernels.h"
#include "tests/ref/ycocg_bc3_decode.h"

enum { FAST, DEFAULT, HIGH };
#define MOST_WORSE 40 // root of the squared error of a block

// Mean PSNR above that of FFmpeg's encoder by FFmpeg's decoder [dB]: for Kodak's 24 pictures, where
// that is 40.22, these are 41.9, 42.6 and 42.0, 43.2 and 42.5, and 43.0. 0 is no bar. A part of the
// rows is as far above its bars as all of them are.
static const struct bar {
    int effort;
    bool ffmpeg_model, is_few;
    double by_ffmpeg, by_gpu;
} bars[] = {
    {FAST, false, false, 0, 1.68},    {DEFAULT, false, false, 1.78, 2.38},
    {HIGH, false, false, 2.28, 2.98}, {HIGH, true, false, 2.78, 0},
    {FAST, false, true, 0, 1.69},     {DEFAULT, false, true, 1.78, 2.39},
    {HIGH, false, true, 2.20, 2.91},  {HIGH, true, true, 2.71, 0},
};

static double psnr(const struct weir_picture *picture, const uint8_t *rgb)
{
    const size_t num = (size_t)picture->width * picture->height * 3;
    double sum = 0;
    for (size_t i = 0; i < num; i++) {
        const size_t x = i / 3 % picture->width, y = i / 3 / picture->width;
        const double d = (double)picture->texels[y * picture->pitch + 4 * x + i % 3] - rgb[i];
        sum += d * d;
    }
    return quality_psnr(sum, (double)num);
}

// PSNR of blocks by FFmpeg's decoder (`db[0]`) and by exact fractions (`db[1]`).
static void compare(const struct weir_picture *picture, const uint8_t *blocks,
                    const AVPacket *packet, double db[2])
{
    const uint32_t width = picture->width, height = picture->height;
    const size_t pitch = (size_t)width * 3, size = pitch * height;
    uint8_t *decoded = hap_decode(packet, width, height);
    uint8_t *model = need(malloc(size));
    ref_ycocg_bc3_decode(blocks, width, height, true, model, pitch);
    if (memcmp(decoded, model, size) != 0) {
        die("differs from FFmpeg's decoder", "reference decoder");
    }
    db[0] = psnr(picture, decoded);
    ref_ycocg_bc3_decode(blocks, width, height, false, model, pitch);
    db[1] = psnr(picture, model);
    free(decoded);
    free(model);
}

// No block is much worse than that of FFmpeg's encoder, which takes inset boxes.
static void expect_near(const char *name, const struct weir_picture *picture, const uint8_t *ours,
                        const uint8_t *theirs)
{
    double worst = 0;
    for (uint32_t i = 0; i < picture->width / 4 * (picture->height / 4); i++) {
        uint8_t texels[16][4];
        double error[2] = {0};
        quality_fetch(picture, i, texels);
        for (int k = 0; k < 2; k++) {
            double rgb[16][3];
            ref_ycocg_bc3_decode_block_exact((k ? theirs : ours) + (size_t)16 * i, rgb);
            for (int t = 0; t < 48; t++) {
                const double e = rgb[t / 3][t % 3] - texels[t / 3][t % 3];
                error[k] += e * e;
            }
        }
        worst = fmax(worst, sqrt(error[0]) - sqrt(error[1]));
    }
    test_expect(worst <= MOST_WORSE, "%s: a block is %.1f worse than FFmpeg's", name, worst);
}

static void measure(const char *name, struct weir_picture *p, const struct quality *quality,
                    double db[4])
{
    if (quality->is_few) {
        quality_thin(p, 4, 4, 2);
    }
    const uint32_t width = p->width, height = p->height;
    const size_t size = weir_codec_image_size(WEIR_CODEC_YCOCG_BC3, width, height);
    uint8_t *blocks = need(malloc(size));
    const struct weir_encoder_params params = {
        .effort = kernel_efforts[quality->effort],
        .decoder = quality->ffmpeg_model ? WEIR_DECODER_FFMPEG : WEIR_DECODER_GPU,
    };
    kernel_encode_image(&params, p->texels, 4, p->pitch, width, height, blocks);
    AVPacket *packet = hap_packet(blocks, size);
    compare(p, blocks, packet, db);
    av_packet_free(&packet);
    db[2] = db[3] = NAN;
    packet = ffmpeg_encode(p, "hap_q");
    if (packet) {
        const uint8_t *theirs = packet->data + (packet->size - (int)size);
        compare(p, theirs, packet, db + 2);
        expect_near(name, p, blocks, theirs);
        av_packet_free(&packet);
    }
    free(blocks);
    printf("%-20s %4u x %-4u  %8.2f  %8.2f    %8.2f  %8.2f\n", name, width, height, db[0], db[1],
           db[2], db[3]);
}

// Grey, `slope` quarters of a code a texel.
static void grey_ramp(uint32_t slope, const struct quality *quality)
{
    struct weir_picture p = quality_new(1024 / slope, 64);
    for (uint32_t i = 0; i < p.width * p.height; i++) {
        memset(p.texels + (size_t)4 * i, (int)(i % p.width * slope / 4), 3);
    }
    char name[32];
    double db[4];
    snprintf(name, sizeof(name), "grey ramp %u/4", slope);
    measure(name, &p, quality, db);
    weir_picture_free(&p);
    test_expect(slope > 4 || (isinf(db[0]) && isinf(db[1])), "a grey ramp is lossless");
}

// A gradient in steps of one code between two blues of a sky.
static void sky(const struct quality *quality)
{
    static const double from[3] = {96, 150, 220}, to[3] = {190, 215, 245};
    struct weir_picture p = quality_new(1920, 1080);
    for (uint32_t i = 0; i < p.width * p.height; i++) {
        const double t = (i / p.width + 0.1 * (i % p.width)) / (1080 + 192);
        for (uint32_t c = 0; c < 3; c++) {
            p.texels[4 * i + c] = (uint8_t)floor(from[c] + (to[c] - from[c]) * t + 0.5);
        }
    }
    double db[4];
    measure("sky", &p, quality, db);
    weir_picture_free(&p);
    test_expect(db[0] >= 51, "the sky has 51 dB");
}

// FFmpeg's decoder on blocks of any bits, equal endpoints and falling order among them.
static void random_blocks(void)
{
    struct weir_picture p = quality_new(512, 512);
    const size_t size = weir_codec_image_size(WEIR_CODEC_YCOCG_BC3, 512, 512);
    uint8_t *blocks = need(malloc(size));
    uint32_t state = 0x9E3779B9u;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        blocks[i] = (uint8_t)(state >> 24);
        // Both endpoints hold the scale 1, 2 or 4.
        if (i % 16 == 8 || i % 16 == 10) {
            blocks[i] = (uint8_t)((blocks[i] & 0xE0) | "\0\1\3"[i / 16 % 3]);
        }
    }
    AVPacket *packet = hap_packet(blocks, size);
    double db[2];
    compare(&p, blocks, packet, db);
    av_packet_free(&packet);
    free(blocks);
    weir_picture_free(&p);
}

static void expect_bars(const struct quality *quality, const double mean[4])
{
    for (size_t i = 0; i < sizeof(bars) / sizeof(bars[0]); i++) {
        const struct bar *bar = &bars[i];
        if (bar->effort != quality->effort || bar->ffmpeg_model != quality->ffmpeg_model ||
            bar->is_few != quality->is_few) {
            continue;
        }
        test_expect(bar->by_ffmpeg == 0 || mean[0] >= mean[2] + bar->by_ffmpeg,
                    "the bar of the mean by FFmpeg's decoder");
        test_expect(bar->by_gpu == 0 || mean[1] >= mean[2] + bar->by_gpu,
                    "the bar of the mean by exact fractions");
    }
}

void quality_encode(const struct quality *quality)
{
    static const uint32_t slopes[] = {1, 2, 4, 8, 16};
    const int num = quality->num_pictures;
    double mean[4] = {0};
    av_log_set_level(AV_LOG_ERROR);
    random_blocks();
    printf("%-20s %-11s  %8s  %8s    %8s  %8s\n", "picture", "", "ours int", "ours gpu", "ffm. int",
           "ffm. gpu");
    for (int i = 0; i < num; i++) {
        double db[4];
        measure(quality->pictures[i].name, &quality->pictures[i].texels, quality, db);
        for (int c = 0; c < 4; c++) {
            mean[c] += db[c] / num;
        }
    }
    if (num > 0) {
        printf("%-20s %-11s  %8.3f  %8.3f    %8.3f  %8.3f\n", "mean", "", mean[0], mean[1], mean[2],
               mean[3]);
        expect_bars(quality, mean);
    }
    for (size_t i = 0; i < sizeof(slopes) / sizeof(slopes[0]); i++) {
        grey_ramp(slopes[i], quality);
    }
    sky(quality);
}
