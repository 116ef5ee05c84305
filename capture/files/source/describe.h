// SPDX-License-Identifier: MIT
// What a frame is taken for: its pixel format, and what its codes mean.
#ifndef WEIR_CAPTURE_FILES_SOURCE_DESCRIBE_H
#define WEIR_CAPTURE_FILES_SOURCE_DESCRIBE_H

#include <stddef.h>

#include <libavutil/frame.h>

// Write a line such as "yuv420p10le, BT.2020 matrix, limited range, chroma topleft, BT.2020
// primaries, PQ". What the frame does not say itself is marked as assumed.
void weir_describe_frame(const AVFrame *frame, char *text, size_t size);

#endif
