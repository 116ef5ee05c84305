// SPDX-License-Identifier: MIT
// A scaler: a context of swscale for frames of one kind, where their chroma samples lie, and what
// it makes of white.
#include "capture/files/source/scale.h"

#include <stdbool.h>
#include <string.h>

#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/version.h>

enum { LUMA = 256, MAX_POSITION = 512 }; // swscale takes no position beyond it

bool weir_siting_is_interlaced(const AVFrame *frame)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame != 0;
#endif
}

enum AVChromaLocation weir_siting_location(const AVFrame *frame, bool full_range)
{
    const enum AVChromaLocation location = frame->chroma_location;
    const bool is_known = location > AVCHROMA_LOC_UNSPECIFIED && location < AVCHROMA_LOC_NB;
    return is_known ? location : full_range ? AVCHROMA_LOC_CENTER : AVCHROMA_LOC_LEFT;
}

// Where the first chroma sample lies, from the first luma sample on, in 1/256 of the distance of
// luma samples, as swscale has it. 0 in a direction that is not subsampled.
struct siting {
    int x, y;
};

// The place of the chroma sample among the luma samples that share it, in halves: 0 is the first of
// them, 2 the last.
static struct siting halves_of(enum AVChromaLocation location)
{
    static const struct siting halves[] = {
        [AVCHROMA_LOC_UNSPECIFIED] = {0, 1}, [AVCHROMA_LOC_LEFT] = {0, 1},
        [AVCHROMA_LOC_CENTER] = {1, 1},      [AVCHROMA_LOC_TOPLEFT] = {0, 0},
        [AVCHROMA_LOC_TOP] = {1, 0},         [AVCHROMA_LOC_BOTTOMLEFT] = {0, 2},
        [AVCHROMA_LOC_BOTTOM] = {1, 2},
    };
    const bool is_known = (size_t)location < sizeof(halves) / sizeof(halves[0]);
    return halves[is_known ? location : AVCHROMA_LOC_UNSPECIFIED];
}

static int position(int halves, int log2_subsampling)
{
    const int at = halves * ((1 << log2_subsampling) - 1) * LUMA / 2;
    return at < MAX_POSITION ? at : MAX_POSITION;
}

static struct siting siting_of(enum AVChromaLocation location, enum AVPixelFormat format,
                               enum weir_siting_rows rows)
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    const struct siting halves = halves_of(location);
    const int right = description ? description->log2_chroma_w : 0;
    const int down = description ? description->log2_chroma_h : 0;
    struct siting siting = {position(halves.x, right), position(halves.y, down)};
    // Rows of a field are those of the frame, twice as far apart: in the top field the first one of
    // both lies where it did, in the bottom field each lies one row of its own plane higher.
    if (rows == WEIR_SITING_TOP_FIELD) {
        siting.y /= 2;
    } else if (rows == WEIR_SITING_BOTTOM_FIELD) {
        siting.y = (siting.y + (LUMA << down) - LUMA) / 2;
    }
    return siting;
}

static int set_options(struct SwsContext *scaler, const struct weir_scaler_key *key,
                       enum AVPixelFormat format, enum weir_siting_rows rows, int num_threads)
{
    const struct siting siting = siting_of((enum AVChromaLocation)key->location,
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
        {"dst_range", key->keeps_range ? key->full_range : 1},
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
    sws_setColorspaceDetails(*out, matrix, key->full_range, matrix,
                             key->keeps_range ? key->full_range : 1, 0, 1 << 16, 1 << 16);
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

// White: a frame of the largest codes, by which a conversion is measured.

enum { WHITE_OF_8_BITS = 235 }; // of a limited range (ITU-R BT.601)

// Get the code that a component of white has; of floats its bits.
static uint32_t code_of(const AVPixFmtDescriptor *format, int component, bool full_range)
{
    const int depth = format->comp[component].depth;
    const bool is_alpha = (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0 &&
                          component == format->nb_components - 1;
    const bool is_rgb = (format->flags & AV_PIX_FMT_FLAG_RGB) != 0;
    if ((format->flags & AV_PIX_FMT_FLAG_FLOAT) != 0) {
        return depth == 32 ? 0x3f800000 : 0x3c00;
    }
    if (!is_rgb && format->nb_components > 2 && (component == 1 || component == 2)) {
        return 1u << (depth - 1);
    }
    if (!is_rgb && !is_alpha && !full_range && depth >= 8) {
        return (uint32_t)WHITE_OF_8_BITS << (depth - 8);
    }
    return (uint32_t)((UINT64_C(1) << depth) - 1);
}

static void fill_white(AVFrame *frame, const AVPixFmtDescriptor *format, bool full_range)
{
    uint32_t line[PROBE_SIDE];
    for (int i = 0; i < format->nb_components; i++) {
        const bool is_chroma = (format->flags & AV_PIX_FMT_FLAG_RGB) == 0 &&
                               format->nb_components > 2 && (i == 1 || i == 2);
        const int width = frame->width >> (is_chroma ? format->log2_chroma_w : 0);
        const int height = frame->height >> (is_chroma ? format->log2_chroma_h : 0);
        for (int x = 0; x < width; x++) {
            line[x] = code_of(format, i, full_range);
        }
        for (int y = 0; y < height; y++) {
            av_write_image_line2(line, frame->data, frame->linesize, format, 0, y, i, width,
                                 sizeof(line[0]));
        }
    }
}

// Make an opaque white frame. NULL: no memory, or a format whose values cannot be written one by
// one, such as those of a graphics card.
static AVFrame *white_frame(enum AVPixelFormat format, bool full_range)
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    const uint64_t whole = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER;
    AVFrame *frame = av_frame_alloc();
    if (!frame || !description || (description->flags & AV_PIX_FMT_FLAG_HWACCEL) != 0 ||
        weir_frame_allocate(frame, format, PROBE_SIDE, PROBE_SIDE) < 0) {
        av_frame_free(&frame);
        return NULL;
    }
    // Values are added to the bits that are there. Of a palette all bits are set, and its colours'.
    const bool is_whole = (description->flags & whole) != 0;
    for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->buf[i]; i++) {
        memset(frame->buf[i]->data, is_whole ? 0xff : 0, frame->buf[i]->size);
    }
    if (!is_whole) {
        fill_white(frame, description, full_range);
    }
    return frame;
}

static uint32_t gain_of(uint16_t white)
{
    return white < LEAST_WHITE ? 1 << 16
                               : (uint32_t)(((UINT64_C(0xffff) << 16) + white / 2) / white);
}

// Get the gain for red or alpha, a component of a frame of 16 bits.
static uint32_t measure(const AVFrame *frame, int component)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    const int at = PROBE_SIDE / 4;
    uint16_t value = UINT16_MAX;
    if (component < format->nb_components) {
        av_read_image_line2(&value, (const uint8_t **)(uintptr_t)frame->data, frame->linesize,
                            format, at, at, component, 1, 0, sizeof(value));
    }
    return gain_of(value);
}

int weir_scaler_measure(const struct weir_scaler_key *key, enum AVPixelFormat format,
                        struct weir_scaler_gain *gain)
{
    const bool same_size = key->width == key->new_width && key->height == key->new_height;
    struct weir_scaler_key probe = *key;
    struct SwsContext *scaler = NULL;
    AVFrame *white = white_frame((enum AVPixelFormat)key->format, key->full_range);
    AVFrame *rows = av_frame_alloc();
    probe.width = probe.height = PROBE_SIDE;
    probe.new_width = probe.new_height = same_size ? PROBE_SIDE : PROBE_SIDE / 2;
    *gain = (struct weir_scaler_gain){1 << 16, 1 << 16};
    int error = rows ? 0 : AVERROR(ENOMEM);
    if (white && error >= 0) {
        error = weir_frame_allocate(rows, format, probe.new_width, probe.new_height);
    }
    if (white && error >= 0) {
        error = open_scaler(&probe, format, WEIR_SITING_FRAME, 1, &scaler);
    }
    if (scaler && sws_scale_frame(scaler, rows, white) >= 0) {
        *gain = (struct weir_scaler_gain){measure(rows, 0), measure(rows, 3)};
    }
    sws_freeContext(scaler);
    av_frame_free(&rows);
    av_frame_free(&white);
    return error == AVERROR(ENOMEM) ? error : 0;
}
