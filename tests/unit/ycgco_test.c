// SPDX-License-Identifier: MIT
// YCgCo becomes RGB, against float64 (ITU-T H.273): every depth, range, alpha, odd sides with less
// chroma. Matrices that are not read are refused by name.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/pixdesc.h>

#include "capture/files/source/convert.h"
#include "tests/expect.h"
#include "tests/seeded.h"

enum { WIDTH = 67, HEIGHT = 35, PITCH = 8 * WIDTH + 64 - 8 * WIDTH % 64 };

static unsigned num_errors;
static char last_error[256];

static void print(void *user, const struct weir_log_message *message)
{
    (void)user;
    num_errors++;
    snprintf(last_error, sizeof(last_error), "%s", message->text);
}

static const struct weir_log test_log = {.print = print};

// A random code for each sample; of less chroma one code for all, so that no filter shows.
static void fill(AVFrame *frame, const AVPixFmtDescriptor *format, uint16_t *codes)
{
    const int most = (1 << format->comp[0].depth) - 1;
    for (int c = 0; c < format->nb_components; c++) {
        const bool is_less = (c == 1 || c == 2) && format->log2_chroma_w > 0;
        const int width = is_less ? (WIDTH + 1) / 2 : WIDTH;
        const int height = is_less && format->log2_chroma_h > 0 ? (HEIGHT + 1) / 2 : HEIGHT;
        const uint16_t same = (uint16_t)seeded_below(most + 1);
        for (int y = 0; y < height; y++) {
            uint16_t row[WIDTH];
            for (int x = 0; x < width; x++) {
                row[x] = is_less ? same : (uint16_t)seeded_below(most + 1);
                codes[(c * HEIGHT + y) * WIDTH + x] = row[x];
            }
            for (int x = width; x < WIDTH; x++) {
                codes[(c * HEIGHT + y) * WIDTH + x] = same;
            }
            av_write_image_line(row, frame->data, frame->linesize, format, 0, y, c, width);
        }
        for (int y = height; y < HEIGHT; y++) {
            memcpy(&codes[(c * HEIGHT + y) * WIDTH], &codes[c * HEIGHT * WIDTH],
                   WIDTH * sizeof(*codes));
        }
    }
}

static double error_of(const uint16_t *codes, const AVPixFmtDescriptor *format, bool full_range,
                       const uint8_t *pixels, bool is_deep)
{
    const int depth = format->comp[0].depth;
    const double one = pow(2, depth - 8), most = pow(2, depth) - 1;
    double worst = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const double y = full_range ? codes[i] / most : (codes[i] - 16 * one) / (219 * one);
        double chroma[2], rgba[4];
        for (int c = 0; c < 2; c++) {
            chroma[c] = (codes[(c + 1) * WIDTH * HEIGHT + i] - pow(2, depth - 1)) /
                        (full_range ? most : 224 * one);
        }
        rgba[0] = y - chroma[0] + chroma[1];
        rgba[1] = y + chroma[0];
        rgba[2] = y - chroma[0] - chroma[1];
        rgba[3] = format->nb_components > 3 ? codes[3 * WIDTH * HEIGHT + i] / most : 1;
        const uint8_t *texel = pixels + i / WIDTH * PITCH + (is_deep ? 8 : 4) * (i % WIDTH);
        for (int c = 0; c < 4; c++) {
            uint16_t deep;
            memcpy(&deep, texel + 2 * c, sizeof(deep));
            const double got = is_deep ? deep : texel[c];
            worst = fmax(worst, fabs(fmin(fmax(rgba[c], 0), 1) * (is_deep ? 65535 : 255) - got));
        }
    }
    return worst;
}

static enum weir_result convert(const AVFrame *frame, bool is_deep, uint8_t *pixels)
{
    const struct weir_convert_params params = {.path = "in",
                                               .log = &test_log,
                                               .width = WIDTH,
                                               .height = HEIGHT,
                                               .keeps_alpha = true,
                                               .is_deep = is_deep};
    struct weir_convert convert;
    enum weir_result result = weir_convert_init(&convert, &params);
    for (int i = 0; i < 2 && result == WEIR_OK; i++) { // the second time tables are there
        result = weir_convert_run(&convert, frame, &(struct weir_meaning){0}, 1, pixels, PITCH);
    }
    weir_convert_finish(&convert);
    return result;
}

static void try_format(enum AVPixelFormat pixels_format, bool full_range)
{
    static uint16_t codes[4 * WIDTH * HEIGHT];
    static uint8_t pixels[PITCH * HEIGHT];
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(pixels_format);
    const bool is_deep = format->comp[0].depth > 8;
    AVFrame *frame = av_frame_alloc();
    weir_frame_allocate(frame, pixels_format, WIDTH, HEIGHT);
    for (int i = 0; i < 4 && frame->buf[i]; i++) {
        memset(frame->buf[i]->data, 0, frame->buf[i]->size);
    }
    frame->colorspace = AVCOL_SPC_YCGCO;
    frame->color_range = full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    fill(frame, format, codes);
    const enum weir_result result = convert(frame, is_deep, pixels);
    const double error = error_of(codes, format, full_range, pixels, is_deep);
    test_expect(result == WEIR_OK && error < (is_deep ? 0.75 : 0.501),
                "%s, full range %d: %d, %g codes off", format->name, full_range, (int)result,
                error);
    av_frame_free(&frame);
}

static void try_others(void)
{
    static const struct {
        enum AVColorSpace matrix;
        const char *name;
    } others[] = {{AVCOL_SPC_ICTCP, "ICtCp"},
                  {AVCOL_SPC_BT2020_CL, "BT.2020 constant luminance"},
                  {AVCOL_SPC_RGB, "RGB"},
                  {(enum AVColorSpace)17, "unknown"}};
    static uint8_t pixels[PITCH * HEIGHT];
    AVFrame *frame = av_frame_alloc();
    weir_frame_allocate(frame, AV_PIX_FMT_YUV444P, WIDTH, HEIGHT);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        num_errors = 0;
        frame->colorspace = others[i].matrix;
        const enum weir_result result = convert(frame, false, pixels);
        test_expect(result == WEIR_ERROR_UNSUPPORTED && num_errors == 1 &&
                        strstr(last_error, others[i].name),
                    "%s: %d, %s", others[i].name, (int)result, last_error);
    }
    frame->format = AV_PIX_FMT_GBRP;
    frame->colorspace = AVCOL_SPC_RGB;
    test_expect(convert(frame, false, pixels) == WEIR_OK, "planes of RGB are refused");
    av_frame_free(&frame);
}

int main(void)
{
    static const enum AVPixelFormat formats[] = {
        AV_PIX_FMT_YUV444P,   AV_PIX_FMT_YUV420P,   AV_PIX_FMT_YUV422P,    AV_PIX_FMT_YUVA444P,
        AV_PIX_FMT_YUV444P10, AV_PIX_FMT_YUV420P12, AV_PIX_FMT_YUVA420P10, AV_PIX_FMT_YUV444P16,
        AV_PIX_FMT_NV12,      AV_PIX_FMT_YUVA420P,  AV_PIX_FMT_YUVA444P16,
    };
    seeded_start();
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        try_format(formats[i], false);
        try_format(formats[i], true);
    }
    try_others();
    return test_finish();
}
