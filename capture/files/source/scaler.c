// SPDX-License-Identifier: MIT
// A scaler: a context of swscale for frames of one kind, and what it makes of white.
#include "capture/files/source/scaler.h"

#include <stdbool.h>
#include <string.h>

#include <libavutil/opt.h>

static int set_options(struct SwsContext *scaler, const struct weir_scaler_key *key,
                       enum AVPixelFormat format, enum weir_siting_rows rows, int num_threads)
{
    const struct weir_siting siting = weir_siting_of((enum AVChromaLocation)key->location,
                                                     (enum AVPixelFormat)key->format, rows);
    const int num_fields = rows == WEIR_SITING_FRAME ? 1 : 2;
    const bool same_size = key->width == key->new_width && key->height == key->new_height;
    const struct {
        const char *name;
        int value;
    } options[] = {
        {"srcw", key->width},
        {"srch", key->height / num_fields},
        {"src_format", key->format},
        {"src_range", key->full_range},
        {"src_h_chr_pos", siting.x},
        {"src_v_chr_pos", siting.y},
        {"dstw", key->new_width},
        {"dsth", key->new_height / num_fields},
        {"dst_format", format},
        {"dst_range", 1},
        {"sws_flags", (same_size ? SWS_BICUBIC : SWS_LANCZOS) | SWS_ACCURATE_RND |
                          SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP},
        {"threads", num_threads},
    };
    int error = 0;
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]) && error >= 0; i++) {
        error = av_opt_set_int(scaler, options[i].name, options[i].value, 0);
    }
    return error;
}

// `num_threads`: 0 for one a core.
static int open_scaler(const struct weir_scaler_key *key, enum AVPixelFormat format,
                       enum weir_siting_rows rows, int num_threads, struct SwsContext **out)
{
    *out = sws_alloc_context();
    if (!*out) {
        return AVERROR(ENOMEM);
    }
    int error = set_options(*out, key, format, rows, num_threads);
    if (error >= 0) {
        error = sws_init_context(*out, NULL, NULL);
    }
    if (error < 0) {
        sws_freeContext(*out);
        *out = NULL;
        return error;
    }
    const int *matrix = sws_getCoefficients(key->space);
    sws_setColorspaceDetails(*out, matrix, key->full_range, matrix, 1, 0, 1 << 16, 1 << 16);
    return 0;
}

int weir_scaler_open(const struct weir_scaler_key *key, enum AVPixelFormat format,
                     enum weir_siting_rows rows, bool is_alone, struct SwsContext **out)
{
    // The kind of frames is tried with one thread first: with several, swscale does not free what
    // it made for a kind that it then refuses.
    const int error = open_scaler(key, format, rows, 1, out);
    struct SwsContext *threaded = NULL;
    if (error >= 0 && !is_alone && open_scaler(key, format, rows, 0, &threaded) >= 0) {
        sws_freeContext(*out);
        *out = threaded;
    }
    return error;
}

enum { PROBE_SIDE = 16, LEAST_WHITE = 0xf000 };

static uint32_t gain_of(uint16_t white)
{
    return white < LEAST_WHITE ? 1 << 16
                               : (uint32_t)(((UINT64_C(0xffff) << 16) + white / 2) / white);
}

// Get a value of red or alpha of a frame of 16 bits, in RGBA64 or in planes of G, B, R and alpha.
static uint16_t value_of(const AVFrame *frame, int x, int y, bool is_alpha)
{
    const bool is_planar = frame->format != AV_PIX_FMT_RGBA64;
    const int plane = !is_planar ? 0 : is_alpha ? 3 : 2, at = is_planar ? x : 4 * x + 3 * is_alpha;
    uint16_t value = UINT16_MAX;
    if (frame->data[plane]) {
        memcpy(&value,
               frame->data[plane] + y * (ptrdiff_t)frame->linesize[plane] +
                   at * (ptrdiff_t)sizeof(value),
               sizeof(value));
    }
    return value;
}

int weir_scaler_measure(const struct weir_scaler_key *key, enum AVPixelFormat format,
                        struct weir_scaler_gain *gain)
{
    const bool same_size = key->width == key->new_width && key->height == key->new_height;
    struct weir_scaler_key probe = *key;
    struct SwsContext *scaler = NULL;
    AVFrame *white = weir_white_frame((enum AVPixelFormat)key->format, key->full_range, PROBE_SIDE);
    AVFrame *rows = av_frame_alloc();
    probe.width = probe.height = PROBE_SIDE;
    probe.new_width = probe.new_height = same_size ? PROBE_SIDE : PROBE_SIDE / 2;
    *gain = (struct weir_scaler_gain){1 << 16, 1 << 16};
    int error = rows ? 0 : AVERROR(ENOMEM);
    if (white && error >= 0) {
        rows->format = format;
        rows->width = rows->height = probe.new_width;
        error = av_frame_get_buffer(rows, 0);
    }
    if (white && error >= 0) {
        error = open_scaler(&probe, format, WEIR_SITING_FRAME, 1, &scaler);
    }
    if (scaler && sws_scale_frame(scaler, rows, white) >= 0) {
        const int at = PROBE_SIDE / 4;
        *gain = (struct weir_scaler_gain){gain_of(value_of(rows, at, at, false)),
                                          gain_of(value_of(rows, at, at, true))};
    }
    sws_freeContext(scaler);
    av_frame_free(&rows);
    av_frame_free(&white);
    return error == AVERROR(ENOMEM) ? error : 0;
}
