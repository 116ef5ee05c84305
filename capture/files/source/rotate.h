// SPDX-License-Identifier: MIT
// Rotation by quarter turns, for pictures whose camera noted how it was held.
#ifndef WEIR_CAPTURE_FILES_SOURCE_ROTATE_H
#define WEIR_CAPTURE_FILES_SOURCE_ROTATE_H

#include <stddef.h>
#include <stdint.h>

#include <libavformat/avformat.h>
#include <libavutil/frame.h>

// Get the clockwise quarter turns, 0 .. 3, that turn this frame upright, from the note in the frame
// (photographs), else from that in its stream (movies).
int weir_rotate_turns(const AVFrame *frame, const AVStream *stream);

// Turn the RGBA8 picture `source`, of `width` x `height` texels, clockwise into `target`. Pitches
// are in bytes.
void weir_rotate(const uint8_t *source, size_t source_pitch, uint32_t width, uint32_t height,
                 int turns, uint8_t *target, size_t target_pitch);

#endif
