// SPDX-License-Identifier: MIT
// Rotation by quarter turns: what a camera noted about how it was held.
#ifndef WEIR_CAPTURE_FILES_SOURCE_ROTATE_H
#define WEIR_CAPTURE_FILES_SOURCE_ROTATE_H

#include <stddef.h>
#include <stdint.h>

#include <libavformat/avformat.h>
#include <libavutil/frame.h>

// Clockwise quarter turns, 0 .. 3, that show this frame upright: from its own note (a
// photograph's), else from that of its stream (a movie's).
int weir_rotate_turns(const AVFrame *frame, const AVStream *stream);

// Write the RGBA8 `source`, which is `width` x `height`, turned clockwise into `target`. Pitches in
// bytes.
void weir_rotate(const uint8_t *source, size_t source_pitch, uint32_t width, uint32_t height,
                 int turns, uint8_t *target, size_t target_pitch);

#endif
