// SPDX-License-Identifier: MIT
// Frames of YUV go through planes, and become the texels that swscale makes of them directly.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

#include "capture/files/source/scale.h"
#include "capture/files/source/source.h"
#include "tests/expect.h"
#include "tests/seeded.h"

enum { MAX_SIDE = 200 };

static const struct weir_log no_log = {0};
static _Alignas(WEIR_SOURCE_ALIGNMENT) uint8_t texels[MAX_SIDE * MAX_SIDE * 4];
static _Alignas(WEIR_SOURCE_ALIGNMENT) uint8_t expected[MAX_SIDE * MAX_SIDE * 4];

struct size {
    int width, height, new_width, new_height;
};

// Fill a buffer with values of the format's depth.
static void fill(AVBufferRef *buffer, enum AVPixelFormat format, uint64_t *seed)
{
    const AVComponentDescriptor *component = &av_pix_fmt_desc_get(format)->comp[0];
    const int depth = component->depth;
    for (size_t i = 0; depth > 8 && i + 1 < buffer->size; i += 2) {
        const uint16_t value = (uint16_t)(seeded_next(seed) >> (32 - depth) << component->shift);
        memcpy(buffer->data + i, &value, sizeof(value));
    }
    for (size_t i = 0; depth == 8 && i < buffer->size; i++) {
        buffer->data[i] = (uint8_t)(seeded_next(seed) >> 24);
    }
}

static AVFrame *make_frame(enum AVPixelFormat format, const struct size *size, uint64_t *seed)
{
    AVFrame *frame = av_frame_alloc();
    frame->format = format;
    frame->width = size->width;
    frame->height = size->height;
    frame->colorspace = AVCOL_SPC_BT709;
    frame->color_range = AVCOL_RANGE_MPEG;
    frame->chroma_location = AVCHROMA_LOC_CENTER; // as swscale takes it by itself
    if (av_frame_get_buffer(frame, 0) < 0) {
        abort();
    }
    for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->buf[i]; i++) {
        fill(frame->buf[i], format, seed);
    }
    return frame;
}

// What swscale makes of it by itself.
static void convert_directly(const AVFrame *frame, const struct size *size, size_t pitch)
{
    struct SwsContext *scaler = sws_alloc_context();
    const bool is_same = size->width == size->new_width && size->height == size->new_height;
    av_opt_set_int(scaler, "srcw", size->width, 0);
    av_opt_set_int(scaler, "srch", size->height, 0);
    av_opt_set_int(scaler, "src_format", frame->format, 0);
    av_opt_set_int(scaler, "dstw", size->new_width, 0);
    av_opt_set_int(scaler, "dsth", size->new_height, 0);
    av_opt_set_int(scaler, "dst_format", AV_PIX_FMT_RGBA, 0);
    av_opt_set_int(scaler, "dst_range", 1, 0);
    av_opt_set_int(scaler, "sws_flags",
                   (is_same ? SWS_BICUBIC : SWS_LANCZOS) | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT |
                       SWS_FULL_CHR_H_INP,
                   0);
    const int *matrix = sws_getCoefficients(SWS_CS_ITU709);
    if (sws_init_context(scaler, NULL, NULL) < 0 ||
        sws_setColorspaceDetails(scaler, matrix, 0, matrix, 1, 0, 1 << 16, 1 << 16) < 0) {
        abort();
    }
    uint8_t *const rows[4] = {expected};
    const int pitches[4] = {(int)pitch};
    sws_scale(scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, size->height, rows,
              pitches);
    sws_freeContext(scaler);
}

// Of these swscale would stretch the chroma: the test of chroma's siting judges them.
static bool is_padded(enum AVPixelFormat format, const struct size *size)
{
    int width = size->width, height = size->height;
    weir_pad_sides(format, &width, &height);
    return size->width == size->new_width && size->height == size->new_height &&
           (width != size->width || height != size->height);
}

static void check(enum AVPixelFormat format, const struct size *size, uint64_t *seed)
{
    const uint64_t start = *seed;
    const size_t pitch = ((size_t)size->new_width * 4 + WEIR_SOURCE_ALIGNMENT - 1) /
                         WEIR_SOURCE_ALIGNMENT * WEIR_SOURCE_ALIGNMENT;
    AVFrame *frame = make_frame(format, size, seed);
    struct weir_scale scale;
    enum weir_result result = weir_scale_init(&scale, "frame", AV_PIX_FMT_RGBA, &no_log);
    if (result == WEIR_OK) {
        result = weir_scale_run(&scale, frame, (uint32_t)size->new_width,
                                (uint32_t)size->new_height, texels, pitch);
    }
    weir_scale_finish(&scale);
    convert_directly(frame, size, pitch);
    for (int y = 0; y < size->new_height && result == WEIR_OK; y++) {
        for (int i = 0; i < 4 * size->new_width && result == WEIR_OK; i++) {
            const size_t at = (size_t)y * pitch + (size_t)i;
            if (texels[at] != expected[at]) {
                printf("row %d, byte %d: %u and should be %u\n", y, i, texels[at], expected[at]);
                result = WEIR_ERROR_DATA;
            }
        }
    }
    test_expect(result == WEIR_OK, "%s, %dx%d to %dx%d, seed %" PRIu64 ": %d",
                av_get_pix_fmt_name(format), size->width, size->height, size->new_width,
                size->new_height, start, result);
    av_frame_free(&frame);
}

int main(void)
{
    static const enum AVPixelFormat formats[] = {
        AV_PIX_FMT_YUV420P,   AV_PIX_FMT_YUV422P,    AV_PIX_FMT_YUV444P,   AV_PIX_FMT_YUV410P,
        AV_PIX_FMT_YUV411P,   AV_PIX_FMT_YUV440P,    AV_PIX_FMT_NV12,      AV_PIX_FMT_NV21,
        AV_PIX_FMT_UYVY422,   AV_PIX_FMT_YUYV422,    AV_PIX_FMT_P010,      AV_PIX_FMT_YUV420P10,
        AV_PIX_FMT_YUV422P10, AV_PIX_FMT_YUV444P12,  AV_PIX_FMT_YUV444P16, AV_PIX_FMT_YUVA420P,
        AV_PIX_FMT_YUVA444P,  AV_PIX_FMT_YUVA444P10,
    };
    static const struct size sizes[] = {
        {1, 1, 1, 1},       {2, 2, 2, 2},      {17, 9, 17, 9},    {64, 48, 64, 48},
        {199, 71, 199, 71}, {96, 64, 131, 33}, {150, 90, 75, 45}, {16, 16, 15, 200},
    };
    uint64_t seed = seeded_seed();
    test_expect(
        weir_planes_between(AV_PIX_FMT_YUV420P, AV_PIX_FMT_RGBA) == AV_PIX_FMT_GBRP &&
            weir_planes_between(AV_PIX_FMT_YUVA420P, AV_PIX_FMT_RGBA) == AV_PIX_FMT_GBRAP &&
            weir_planes_between(AV_PIX_FMT_YUV420P10, AV_PIX_FMT_RGBA64) == AV_PIX_FMT_GBRP16 &&
            weir_planes_between(AV_PIX_FMT_YUVA444P10, AV_PIX_FMT_RGBA64) == AV_PIX_FMT_GBRAP16 &&
            weir_planes_between(AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA) == AV_PIX_FMT_NONE,
        "frames of YUV go through planes, and only these");
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
            if (!is_padded(formats[i], &sizes[k])) {
                check(formats[i], &sizes[k], &seed);
            }
        }
    }
    return test_finish();
}
