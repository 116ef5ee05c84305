// SPDX-License-Identifier: MIT
// swscale: a decoded frame of any size and pixel format becomes rows of RGBA.
//
// Of 16 bits swscale's white is less than 65535, by the format's depth and its way through the
// library: 65280 of a limited range, 65472 of 10 bits. It is measured for each scaler, and the rows
// are multiplied.
#ifndef WEIR_CAPTURE_FILES_SOURCE_SCALE_H
#define WEIR_CAPTURE_FILES_SOURCE_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavutil/frame.h>

#include <weir/log.h>
#include <weir/result.h>

#include "capture/files/source/scaler.h"

// How the codes of a frame are read.
struct weir_scale_coding {
    enum AVPixelFormat format; // its own, but for those that swscale has under two names
    bool is_yuv, full_range;
    int space;                      // the matrix of YUV, SWS_CS_*
    enum AVChromaLocation location; // of the chroma of YUV
};

// A movie that does not say its matrix is read as players do: BT.709 from 720p on, BT.601 below.
struct weir_scale_coding weir_scale_coding_of(const AVFrame *frame);

enum { WEIR_SCALE_MAX_FIELDS = 2 };

struct weir_scale {
    const char *path;           // for messages; borrowed
    const struct weir_log *log; // borrowed
    enum AVPixelFormat format;  // of the rows: RGBA or RGBA64
    bool is_alone;              // other conversions run beside it: start no thread
    bool widens; // frames of 8 bits become rows of 16 as they become rows of 8, each code times 257
    struct SwsContext *scalers[WEIR_SCALE_MAX_FIELDS]; // of the frame, or of its fields
    struct weir_scaler_key key;
    struct weir_scaler_gain gain; // of rows of 16 bits
    AVFrame *target;
    AVFrame *planes; // without data where the scalers make rows
    AVFrame *padded; // without data where frames need no room
};

// Errors: WEIR_ERROR_OUT_OF_MEMORY. Finish it in every case.
enum weir_result weir_scale_init(struct weir_scale *scale, const char *path,
                                 enum AVPixelFormat format, const struct weir_log *log);
void weir_scale_finish(struct weir_scale *scale);

// Fill `height` rows of `width` texels, `pitch` bytes apart: a multiple of WEIR_SOURCE_ALIGNMENT.
// Errors: WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_UNSUPPORTED (a pixel format that swscale does not
// read).
enum weir_result weir_scale_run(struct weir_scale *scale, const AVFrame *frame, uint32_t width,
                                uint32_t height, uint8_t *pixels, size_t pitch);

#endif
