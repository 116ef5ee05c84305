// SPDX-License-Identifier: MIT
// Frames of floats.
#ifndef WEIR_CAPTURE_FILES_SOURCE_FLOATS_H
#define WEIR_CAPTURE_FILES_SOURCE_FLOATS_H

#include <stdbool.h>

#include <libavutil/frame.h>

// True if the frame's components are floats, and if they are floats as this machine has them.
bool weir_floats_hold(const AVFrame *frame);
bool weir_floats_are_plain(const AVFrame *frame);

// Read one texel of a frame of plain floats, of one to four channels, within +-65504. What is not a
// number is the least, and a missing alpha is 1.
void weir_floats_read(const AVFrame *frame, int x, int y, float rgba[4]);

#endif
