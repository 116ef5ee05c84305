// SPDX-License-Identifier: MIT
// White: frames of the largest codes, by which a conversion is measured.
#ifndef WEIR_CAPTURE_FILES_SOURCE_WHITE_H
#define WEIR_CAPTURE_FILES_SOURCE_WHITE_H

#include <stdbool.h>

#include <libavutil/frame.h>

// Make an opaque white frame of `side` texels a side. NULL: no memory, or a format whose values
// cannot be written one by one, such as those of a graphics card.
AVFrame *weir_white_frame(enum AVPixelFormat format, bool full_range, int side);

#endif
