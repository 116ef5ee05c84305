// SPDX-License-Identifier: MIT
// Colour: frames in high dynamic range, in linear light or in wide gamuts become display codes of
// sRGB.
#ifndef WEIR_CAPTURE_FILES_SOURCE_COLOR_H
#define WEIR_CAPTURE_FILES_SOURCE_COLOR_H

#include <stdbool.h>

#include <libavutil/frame.h>

#include <weir/log.h>
#include <weir/result.h>

#include "capture/files/source/meaning.h"
#include "capture/files/source/scale.h"

struct weir_color_tables;

struct weir_color {
    enum weir_tonemap tonemap;
    struct weir_scale scale; // to RGBA64, at the frame's own size
    struct weir_color_tables *tables;
    AVFrame *codes; // RGBA64
    // Divide the light of floats by the alpha that it is multiplied by. Where that is 0 it is kept.
    bool divides;
    bool has_divided; // the last frame
};

// Errors: WEIR_ERROR_OUT_OF_MEMORY. Finish it in every case.
enum weir_result weir_color_init(struct weir_color *color, const char *path,
                                 enum weir_tonemap tonemap, const struct weir_log *log);
void weir_color_finish(struct weir_color *color);

// `meaning` is that of the frame, from weir_meaning_note().
// `*codes` becomes a frame of display codes of the same size: `frame` itself if it holds such, else
// a frame of RGBA64 that is valid until the next call, with the alpha of `frame`.
// Errors: those of weir_scale_run().
enum weir_result weir_color_run(struct weir_color *color, const AVFrame *frame,
                                const struct weir_meaning *meaning, const AVFrame **codes);

#endif
