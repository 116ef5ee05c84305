// SPDX-License-Identifier: MIT
// Pad: a frame with room for all luma samples that share chroma. swscale takes the samples of
// luma and of chroma for two pictures of one size, which differ where a side is odd: it would
// stretch the chroma, by up to a texel at the far edge.
#ifndef WEIR_CAPTURE_FILES_SOURCE_PAD_H
#define WEIR_CAPTURE_FILES_SOURCE_PAD_H

#include <libavutil/frame.h>

// Get the sides that a frame of the format has with that room.
void weir_pad_sides(enum AVPixelFormat format, int *width, int *height);

// Copy a frame into a larger one of those sides, which is allocated if it has no data. Beyond the
// edges it holds any values. Returns an AVERROR. av_frame_unref() frees the data.
int weir_pad_copy(AVFrame *padded, const AVFrame *frame);

#endif
