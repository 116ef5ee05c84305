// SPDX-License-Identifier: MIT
// Conversion: a decoded frame of any size, pixel format and colour becomes upright RGBA rows of
// display codes, of 8 or 16 bits. First its colour: what the codes of frames mean, and how frames
// in high dynamic range, in linear light or in wide gamuts become display codes of sRGB.
#pragma once

#include "capture/files/source/scale.h"
#include "capture/files/source/source.h"

#define WEIR_LIGHT_WHITE 203 // [cd/m2]

// What the codes of a frame are: display codes of sRGB, or light by a transfer.
enum weir_light { WEIR_LIGHT_CODES, WEIR_LIGHT_LINEAR, WEIR_LIGHT_PQ, WEIR_LIGHT_HLG };

// All have the white of D65. P3 is Display P3.
enum weir_gamut { WEIR_GAMUT_SRGB, WEIR_GAMUT_P3, WEIR_GAMUT_BT2020 };

struct weir_meaning {
    enum weir_light light;
    enum weir_gamut gamut;
    float peak; // the brightest light [cd/m2]
};

// What is known of an input's frames so far. Zeroed: no frame is known.
struct weir_meaning_notes {
    float peak; // the brightest light that the input states [cd/m2]; 0 = nothing yet
    bool is_noted, warned_alpha, warned_fields;
};

// Get what the codes of a frame are, by what it says of itself.
bool weir_meaning_has_floats(const AVFrame *frame);
enum weir_light weir_meaning_light_of(const AVFrame *frame);

// Write a line such as "yuv420p10le, BT.2020 matrix, limited range, chroma topleft, BT.2020
// primaries, PQ". What the frame does not say itself is marked as assumed.
void weir_describe_frame(const AVFrame *frame, char *text, size_t size);

// What makes display codes of rows of light.
struct weir_color {
    enum weir_tonemap tonemap;
    bool makes_halves; // linear light in place of codes
    // Divide the light of floats by the alpha that it is multiplied by. Where that is 0 it is kept.
    bool divides;
    struct weir_color_tables *tables; // of the last meaning; NULL: none so far
};

void weir_color_finish(struct weir_color *color);

// True if codes of such a frame stay as they are.
bool weir_color_is_kept(const struct weir_color *color, const struct weir_meaning *meaning);

// Prepare it for frames of that meaning. Errors: WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_color_prepare(struct weir_color *color, const struct weir_meaning *meaning);

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

struct weir_convert {
    struct weir_convert_params params;
    struct weir_color color;
    struct weir_scale scale;
    AVFrame *stored; // before it is turned upright; without data where none has to be
};

// Get what a frame means, and warn once of each kind of loss. Frames come in their order: what one
// says of its brightest light holds until another says it. The first one of HDR is logged.
struct weir_meaning weir_convert_note(struct weir_meaning_notes *notes,
                                      const struct weir_convert_params *params,
                                      const AVFrame *frame);

// Errors: WEIR_ERROR_OUT_OF_MEMORY. Finish it in every case.
enum weir_result weir_convert_init(struct weir_convert *convert,
                                   const struct weir_convert_params *params);
void weir_convert_finish(struct weir_convert *convert);

// Get the size of a texel of the rows [bytes].
uint32_t weir_convert_texel_size(const struct weir_convert_params *params);

// Convert a frame, of which weir_convert_note() got the meaning. `orientation`: see shape.h.
// Errors: WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_UNSUPPORTED (a pixel format that is not
// read; with `linear` a frame of display codes, or of another size).
enum weir_result weir_convert_run(struct weir_convert *convert, const AVFrame *frame,
                                  const struct weir_meaning *meaning, int orientation,
                                  uint8_t *pixels, size_t pitch);
