// SPDX-License-Identifier: MIT
// Rows of 16 bits of formats with more than 8, against float64: flat colours, scaled or not. What
// swscale refuses leaves no memory behind.
#include "capture/files/source/scale.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/pixdesc.h>

#include "capture/files/source/source.h"
#include "tests/expect.h"
#include "tests/seeded.h"

enum { SIDE = 32, COLUMNS = 8, ROWS = 2, NUM_FLATS = COLUMNS * ROWS };
// In codes of 8 bits. swscale turns RGB that it scales into YUV of 15 bits, and back.
static const double bound = 0.03, bound_of_rgb = 0.2, alpha_bound = 0.01;

struct flat {
    uint16_t codes[4]; // by component
    double rgb[3];     // 0 .. 1
    double alpha;
};

static double limit(double value)
{
    return fmin(fmax(value, 0), 1);
}

// Colours of BT.709, back from their rounded codes.
static void set_yuv(struct flat *flat, int depth, bool full_range, const double rgb[3])
{
    const double unit = 1 << (depth - 8), max = (1 << depth) - 1, middle = 1 << (depth - 1);
    const double luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    const double chroma[2] = {(rgb[2] - luma) / 1.8556, (rgb[0] - luma) / 1.5748};
    const double black = full_range ? 0 : 16 * unit, span = full_range ? max : 219 * unit;
    const double chroma_span = full_range ? max : 224 * unit;
    flat->codes[0] = (uint16_t)lround(black + span * luma);
    for (int i = 0; i < 2; i++) {
        flat->codes[1 + i] = (uint16_t)fmin(lround(middle + chroma_span * chroma[i]), max);
    }
    const double y = (flat->codes[0] - black) / span;
    const double b = (flat->codes[1] - middle) / chroma_span;
    const double r = (flat->codes[2] - middle) / chroma_span;
    flat->rgb[0] = y + 1.5748 * r;
    flat->rgb[2] = y + 1.8556 * b;
    flat->rgb[1] = (y - 0.2126 * flat->rgb[0] - 0.0722 * flat->rgb[2]) / 0.7152;
}

// White, black, and any.
static void choose(struct flat *flat, int index, const AVPixFmtDescriptor *format, bool full_range)
{
    const int depth = format->comp[0].depth, num = format->nb_components;
    const double max = (1 << depth) - 1, unit = 1 << (depth - 8);
    double rgb[3];
    for (int i = 0; i < 3; i++) {
        rgb[i] = index == 0 ? 1 : index == 1 ? 0 : seeded_below(1001) / 1000.0;
    }
    const uint16_t alpha = index == 0 ? (uint16_t)max : (uint16_t)seeded_below((int)max + 1);
    flat->alpha = alpha / max;
    if ((format->flags & AV_PIX_FMT_FLAG_RGB) != 0) {
        for (int i = 0; i < 3; i++) {
            flat->codes[i] = (uint16_t)lround(rgb[i] * max);
            flat->rgb[i] = flat->codes[i] / max;
        }
    } else if (num > 2) {
        set_yuv(flat, depth, full_range, rgb);
    } else {
        const double black = full_range ? 0 : 16 * unit, span = full_range ? max : 219 * unit;
        flat->codes[0] = (uint16_t)lround(black + span * rgb[0]);
        flat->rgb[0] = flat->rgb[1] = flat->rgb[2] = (flat->codes[0] - black) / span;
    }
    if ((format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0) {
        flat->codes[num - 1] = alpha;
    }
}

static AVFrame *make_frame(enum AVPixelFormat format, bool full_range,
                           const struct flat flats[NUM_FLATS])
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    const bool is_yuv = (description->flags & AV_PIX_FMT_FLAG_RGB) == 0;
    AVFrame *frame = av_frame_alloc();
    frame->format = format;
    frame->width = COLUMNS * SIDE;
    frame->height = ROWS * SIDE;
    frame->colorspace = is_yuv ? AVCOL_SPC_BT709 : AVCOL_SPC_RGB;
    frame->color_range = full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    av_frame_get_buffer(frame, 0);
    for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->buf[i]; i++) {
        memset(frame->buf[i]->data, 0, frame->buf[i]->size); // values are added to bits
    }
    for (int c = 0; c < description->nb_components; c++) {
        const bool is_chroma = is_yuv && description->nb_components > 2 && (c == 1 || c == 2);
        const int right = is_chroma ? description->log2_chroma_w : 0;
        const int down = is_chroma ? description->log2_chroma_h : 0;
        for (int y = 0; y < frame->height >> down; y++) {
            uint16_t line[COLUMNS * SIDE];
            for (int x = 0; x < frame->width >> right; x++) {
                const int at = (y << down) / SIDE * COLUMNS + (x << right) / SIDE;
                line[x] = flats[at].codes[c];
            }
            av_write_image_line(line, frame->data, frame->linesize, description, 0, y, c,
                                frame->width >> right);
        }
    }
    return frame;
}

static void check(const char *name, bool full_range, int divisor)
{
    const enum AVPixelFormat format = av_get_pix_fmt(name);
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    const struct weir_log log = {0};
    struct flat flats[NUM_FLATS] = {{{0}, {0}, 1}};
    for (int i = 0; i < NUM_FLATS; i++) {
        choose(&flats[i], i, description, full_range);
    }
    AVFrame *frame = make_frame(format, full_range, flats);
    const uint32_t width = (uint32_t)(COLUMNS * SIDE / divisor);
    const uint32_t height = (uint32_t)(ROWS * SIDE / divisor);
    const size_t pitch = (size_t)width * 8;
    uint8_t *rows = aligned_alloc(WEIR_SOURCE_ALIGNMENT, pitch * height);
    struct weir_scale scale;
    test_expect(weir_scale_init(&scale, name, AV_PIX_FMT_RGBA64, &log) == WEIR_OK &&
                    weir_scale_run(&scale, frame, width, height, rows, pitch) == WEIR_OK,
                "%s is read", name);
    const bool has_alpha = (description->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    double worst = 0, worst_alpha = 0;
    for (int i = 0; i < NUM_FLATS; i++) {
        uint16_t texel[4];
        const size_t step = (size_t)(SIDE / divisor), half = step / 2;
        memcpy(texel,
               rows + ((size_t)i / COLUMNS * step + half) * pitch +
                   ((size_t)i % COLUMNS * step + half) * sizeof(texel),
               sizeof(texel));
        for (int c = 0; c < 3; c++) {
            worst = fmax(worst, fabs(texel[c] / 257.0 - 255 * limit(flats[i].rgb[c])));
        }
        worst_alpha = fmax(worst_alpha,
                           fabs(texel[3] / 257.0 - (has_alpha ? 255 * flats[i].alpha : 255)));
    }
    const bool is_rgb = (description->flags & AV_PIX_FMT_FLAG_RGB) != 0;
    test_expect(worst <= (is_rgb ? bound_of_rgb : bound) && worst_alpha <= alpha_bound,
                "%s, %s range, 1/%d: %.4f of a code off, alpha %.4f", name,
                full_range ? "full" : "limited", divisor, worst, worst_alpha);
    weir_scale_finish(&scale);
    av_frame_free(&frame);
    free(rows);
}

// From one texel to a row of so many swscale has no filter.
static void check_refused(void)
{
    enum { NUM_TIMES = 50, WIDTH = 20000, LIMIT = 1 << 20 };
    const struct weir_log log = {0};
    const size_t pitch = (size_t)WIDTH * 4;
    AVFrame *frame = av_frame_alloc();
    uint8_t *row = aligned_alloc(WEIR_SOURCE_ALIGNMENT, pitch);
    size_t before = 0;
    frame->format = AV_PIX_FMT_YUV420P;
    frame->width = frame->height = 1;
    av_frame_get_buffer(frame, 0);
    for (int i = 0; i < NUM_TIMES; i++) {
        struct weir_scale scale;
        weir_scale_init(&scale, "one texel", AV_PIX_FMT_RGBA, &log);
        test_expect(weir_scale_run(&scale, frame, WIDTH, 1, row, pitch) == WEIR_ERROR_UNSUPPORTED,
                    "a width of %d is refused", WIDTH);
        weir_scale_finish(&scale);
        before = i == 0 ? mallinfo2().uordblks : before;
    }
    const size_t after = mallinfo2().uordblks;
    test_expect(after <= before + LIMIT, "refusals leave %zu bytes", after - before);
    av_frame_free(&frame);
    free(row);
}

int main(void)
{
    static const char *const names[] = {
        "yuv420p",   "yuv420p10le", "yuv444p10be",  "yuv422p12le",  "yuv444p14le", "yuv420p16le",
        "p010le",    "p016le",      "yuva444p10le", "yuva420p16le", "gray10le",    "gray12le",
        "gray16be",  "ya16le",      "gbrp10le",     "gbrp12le",     "gbrap12le",   "gbrp14le",
        "gbrap16le", "rgb48be",     "rgba64le",     "x2rgb10le",
    };
    seeded_start();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        for (int divisor = 1; divisor <= 2; divisor++) {
            check(names[i], true, divisor);
            check(names[i], false, divisor);
        }
    }
    check_refused();
    return test_finish();
}
