// SPDX-License-Identifier: MIT
// The shape of a frame: its size when it is upright, and that of its pixels.
#ifndef WEIR_CAPTURE_FILES_SOURCE_SHAPE_H
#define WEIR_CAPTURE_FILES_SOURCE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include <libavformat/avformat.h>

enum { WEIR_SHAPE_MAX_SIDE = 65535 }; // of a QuickTime movie

struct weir_shape {
    int orientation;        // how the frame is stored, see orientation.h
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
