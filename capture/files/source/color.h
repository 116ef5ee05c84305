// SPDX-License-Identifier: MIT
// Colour: frames in high dynamic range, in linear light or in wide gamuts become display codes of
// sRGB.
#ifndef WEIR_CAPTURE_FILES_SOURCE_COLOR_H
#define WEIR_CAPTURE_FILES_SOURCE_COLOR_H

#include <stdbool.h>

#include <libavutil/frame.h>

#include <weir/log.h>
#include <weir/result.h>

#include "capture/files/source/gamut.h"
#include "capture/files/source/light.h"
#include "capture/files/source/scale.h"
#include "capture/files/source/source.h"

// Get what the codes of a frame are, and the primaries of its colours, by what it says of itself.
enum weir_light weir_color_light_of(const AVFrame *frame);
enum weir_gamut weir_color_gamut_of(const AVFrame *frame);

struct weir_color_tables;

struct weir_color {
    const char *path;           // for messages; borrowed
    const struct weir_log *log; // borrowed
    enum weir_tonemap tonemap;
    float peak;              // the brightest light that the input states [cd/m2]; 0 = nothing yet
    struct weir_scale scale; // to RGBA64, at the frame's own size
    struct weir_color_tables *tables;
    AVFrame *codes; // RGBA64
    // Divide the light of floats by the alpha that it is multiplied by. Where that is 0 it is kept.
    bool divides;
    bool has_divided; // the last frame
    bool told;
};

// Errors: WEIR_ERROR_OUT_OF_MEMORY. Finish it in every case.
enum weir_result weir_color_init(struct weir_color *color, const char *path,
                                 enum weir_tonemap tonemap, const struct weir_log *log);
void weir_color_finish(struct weir_color *color);

// `*codes` becomes a frame of display codes of the same size: `frame` itself if it holds such, else
// a frame of RGBA64 that is valid until the next call, with the alpha of `frame`.
// Errors: those of weir_scale_run().
enum weir_result weir_color_run(struct weir_color *color, const AVFrame *frame,
                                const AVFrame **codes);

#endif
