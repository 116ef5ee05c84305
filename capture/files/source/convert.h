// SPDX-License-Identifier: MIT
// Conversion: a decoded frame of any size, pixel format and colour becomes upright RGBA rows of
// display codes, of 8 or 16 bits.
#ifndef WEIR_CAPTURE_FILES_SOURCE_CONVERT_H
#define WEIR_CAPTURE_FILES_SOURCE_CONVERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavutil/frame.h>

#include <weir/log.h>
#include <weir/result.h>

#include "capture/files/source/color.h"
#include "capture/files/source/scale.h"

struct weir_convert_params {
    const char *path;           // for messages; borrowed
    const struct weir_log *log; // borrowed
    uint32_t width, height;     // of the output [texels]
    enum weir_tonemap tonemap;
    bool keeps_alpha; // the alpha bytes are meaningful
    bool is_premultiplied, premultiplies;
    bool linear;  // rows of half floats: see weir_source_params
    bool is_deep; // rows of 16 bits
};

// What is known of an input's frames so far, beside what weir_convert_notes_init() sets.
struct weir_convert_notes {
    struct weir_meaning_notes meaning;
    bool warned_alpha, warned_fields;
};

struct weir_convert {
    struct weir_convert_params params;
    struct weir_color color;
    struct weir_scale scale;
    uint8_t *stored; // a frame before it is turned upright, if any has to be
};

// The log of `params` is of use as long as the notes.
void weir_convert_notes_init(struct weir_convert_notes *notes,
                             const struct weir_convert_params *params);

// Get what a frame means, and warn once of each kind of loss. Frames come in their order.
struct weir_meaning weir_convert_note(struct weir_convert_notes *notes,
                                      const struct weir_convert_params *params,
                                      const AVFrame *frame);

// Errors: WEIR_ERROR_OUT_OF_MEMORY. Finish it in every case.
enum weir_result weir_convert_init(struct weir_convert *convert,
                                   const struct weir_convert_params *params);
void weir_convert_finish(struct weir_convert *convert);

// Get the size of a texel of the rows [bytes].
uint32_t weir_convert_texel_size(const struct weir_convert_params *params);

// Convert a frame, of which weir_convert_note() got the meaning. `orientation`: see shape.h.
// Errors: WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_UNSUPPORTED (a pixel format that swscale does not
// read; with `linear` a frame of display codes, or of another size).
enum weir_result weir_convert_run(struct weir_convert *convert, const AVFrame *frame,
                                  const struct weir_meaning *meaning, int orientation,
                                  uint8_t *pixels, size_t pitch);

// Fill rows of four half floats a texel. Errors: WEIR_ERROR_UNSUPPORTED (a frame that holds no
// linear light, or is to be scaled).
enum weir_result weir_linear_run(const struct weir_convert_params *params, const AVFrame *frame,
                                 int orientation, uint8_t *pixels, size_t pitch);

#endif
