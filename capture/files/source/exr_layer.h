// SPDX-License-Identifier: MIT
// The layers of an OpenEXR file: channels whose names begin alike, up to the last dot.
#pragma once

#include <openexr.h>

#include "capture/files/source/reader.h"

enum { WEIR_EXR_RED, WEIR_EXR_GREEN, WEIR_EXR_BLUE, WEIR_EXR_ALPHA };

struct weir_exr_layer {
    char name[WEIR_MAX_LAYER_NAME + 1]; // "": it has none
    int part;                           // of the file
    int channels[4];                    // of the part, by the enumeration above; -1: none
    bool is_grey;                       // green is all
    bool has_chroma;                    // green is luminance, red and blue are RY and BY
    bool has_small_chroma;              // of half the sides
    bool has_colours;
};

// Find the layer or the channel that is asked for, else the first layer of colours, and say then
// which others there are.
// Errors: WEIR_ERROR_UNSUPPORTED (there is none, deep data); `reason` says why.
enum weir_result weir_exr_layer_find(exr_const_context_t file,
                                     const struct weir_still_request *request,
                                     struct weir_exr_layer *layer, char reason[WEIR_REASON_SIZE]);

// Make colours of the luminance and chroma, or the grey, of a frame of the layer.
void weir_exr_make_colours(const struct weir_exr_layer *layer, const AVFrame *frame);
