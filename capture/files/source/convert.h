// SPDX-License-Identifier: MIT
// Conversion: a decoded frame of any size and pixel format becomes RGBA rows of one size.
#ifndef WEIR_CAPTURE_FILES_SOURCE_CONVERT_H
#define WEIR_CAPTURE_FILES_SOURCE_CONVERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavutil/frame.h>
#include <libswscale/swscale.h>

#include <weir/log.h>
#include <weir/result.h>

// The properties of a frame for which swscale's tables were made. A frame that differs in one of
// them needs new tables.
struct weir_convert_key {
    int width, height, format, space, full_range, turns;
};

struct weir_convert {
    const char *path;           // for messages; borrowed
    const struct weir_log *log; // borrowed
    uint32_t width, height;     // of the output [texels]
    enum AVPixelFormat format;  // of the output: RGBA, as initialised, or RGBA64 without turns
    uint8_t *unturned;          // a frame before it is turned, if any has to be
    struct SwsContext *scaler;
    struct weir_convert_key key;
    AVFrame *target;
    bool warned_alpha, warned_light, warned_shape;
};

// Errors: WEIR_ERROR_OUT_OF_MEMORY. Finish it in every case.
enum weir_result weir_convert_init(struct weir_convert *convert, const char *path, uint32_t width,
                                   uint32_t height, const struct weir_log *log);
void weir_convert_finish(struct weir_convert *convert);

// `turns`: see weir_rotate_turns().
// Errors: WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_UNSUPPORTED (a pixel format that swscale does not
// read).
enum weir_result weir_convert_run(struct weir_convert *convert, const AVFrame *frame, int turns,
                                  uint8_t *pixels, size_t pitch);

#endif
