// SPDX-License-Identifier: MIT
// What the codes of frames mean: light or display codes, the primaries, and how bright HDR is.
#ifndef WEIR_CAPTURE_FILES_SOURCE_MEANING_H
#define WEIR_CAPTURE_FILES_SOURCE_MEANING_H

#include <stdbool.h>

#include <libavutil/frame.h>

#include <weir/log.h>

#include "capture/files/source/light.h"
#include "capture/files/source/source.h"

struct weir_meaning {
    enum weir_light light;
    enum weir_gamut gamut;
    float peak; // the brightest light [cd/m2]
};

// What is known of an input's frames so far. A zeroed struct with the first three members is that
// of an input of which no frame is known.
struct weir_meaning_notes {
    const char *path;           // for messages; borrowed
    const struct weir_log *log; // borrowed
    enum weir_tonemap tonemap;  // for the note on HDR
    float peak; // the brightest light that the input states [cd/m2]; 0 = nothing yet
    bool is_noted;
};

// Get what the codes of a frame are, and the primaries of its colours, by what it says of itself.
enum weir_light weir_meaning_light_of(const AVFrame *frame);
enum weir_gamut weir_meaning_gamut_of(const AVFrame *frame);

// Get what a frame means. Frames come in their order: what one says of its brightest light holds
// until another says it. The first one of HDR is logged.
struct weir_meaning weir_meaning_note(struct weir_meaning_notes *notes, const AVFrame *frame);

// Write a line such as "yuv420p10le, BT.2020 matrix, limited range, chroma topleft, BT.2020
// primaries, PQ". What the frame does not say itself is marked as assumed.
void weir_describe_frame(const AVFrame *frame, char *text, size_t size);

#endif
