// SPDX-License-Identifier: MIT
// The shape of a frame: how it is turned and mirrored to stand upright, as its camera noted, its
// size then, and the shape of its pixels.
//
// An orientation is a number 1 .. 8 as in EXIF and TIFF (TIFF 6.0, tag Orientation): 1 is upright,
// and so is 0, nothing noted; 2 .. 4 keep the sides, 5 .. 8 swap them; 2, 4, 5 and 7 are mirrored.
#ifndef WEIR_CAPTURE_FILES_SOURCE_SHAPE_H
#define WEIR_CAPTURE_FILES_SOURCE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavformat/avformat.h>
#include <libavutil/frame.h>

#include "capture/files/source/scale.h"

enum { WEIR_ORIENTATION_UPRIGHT = 1, WEIR_NUM_ORIENTATIONS = 8 };

// Get the orientation that is noted in the frame (photographs), else in its stream (movies). Angles
// between quarter turns are rounded. `stream` may be NULL.
int weir_orientation_get(const AVFrame *frame, const AVStream *stream);

// Note it in a frame whose decoder has found none. Other numbers than 2 .. 8 are upright.
// Errors: AVERROR(ENOMEM).
int weir_orientation_note(AVFrame *frame, int orientation);

// True if the width of the stored picture is the height of the upright one.
bool weir_orientation_swaps_sides(int orientation);

struct weir_orientation_texel {
    uint32_t x, y;
};

// Where texel x, y of the upright picture is stored. `width` and `height` are those of the upright
// picture.
struct weir_orientation_texel weir_orientation_stored(int orientation, uint32_t x, uint32_t y,
                                                      uint32_t width, uint32_t height);

// Copy a stored picture into an upright one. Its texels are as large, and its rows are
// `stored_pitch` bytes apart.
void weir_orientation_apply(int orientation, const uint8_t *stored, size_t stored_pitch,
                            const struct weir_rows *upright);

enum { WEIR_SHAPE_MAX_SIDE = 65535 }; // of a QuickTime movie

struct weir_shape {
    int orientation;        // how the frame is stored
    uint32_t width, height; // of the upright frame [texels]
    AVRational ratio; // of a pixel's width to its height, upright; 1 where nothing sane says it
};

// Get the shape of a frame. `stream` may be NULL.
struct weir_shape weir_shape_get(const AVFrame *frame, const AVStream *stream);

// Get the size of the frame with square pixels, which is wider or higher: players of HAP show
// texels as squares. False, and the frame's own size, where they are square or the ratio is a
// mistake.
bool weir_shape_make_square(const struct weir_shape *shape, uint32_t *width, uint32_t *height);

// Get the ratio that pixels of the frame have when it is scaled to a size and keeps its shape.
AVRational weir_shape_pixels(const struct weir_shape *shape, uint32_t width, uint32_t height);

#endif
