// SPDX-License-Identifier: MIT
// Planes: swscale makes RGB of YUV in a third of the time where R, G and B are planes of their own,
// and of 16 bits in a sixth of it.
#ifndef WEIR_CAPTURE_FILES_SOURCE_PLANES_H
#define WEIR_CAPTURE_FILES_SOURCE_PLANES_H

#include <libavutil/frame.h>

#include "capture/files/source/rows.h"
#include "capture/files/source/scaler.h"

// Get the format of planes through which a frame of the format `from` becomes one of the format
// `to`, RGBA or RGBA64; AV_PIX_FMT_NONE: it does so directly.
enum AVPixelFormat weir_planes_between(enum AVPixelFormat from, enum AVPixelFormat to);

// Allocate planes for a frame; rows are padded to WEIR_SOURCE_ALIGNMENT.
// Returns an AVERROR. av_frame_unref() frees them.
int weir_planes_init(AVFrame *planes, enum AVPixelFormat format, int width, int height);

// Fill rows of texels of as many bits, whose pitch is a multiple of WEIR_SOURCE_ALIGNMENT. The
// planes are as large or larger. Alpha is 1 where there is no plane of it. Values of 16 bits are
// multiplied by the gain, which is at least 1. The padding of rows may be written.
void weir_planes_interleave(const AVFrame *planes, const struct weir_scaler_gain *gain,
                            const struct weir_rows *rows);

// swscale takes the samples of luma and of chroma for two pictures of one size, which differ where
// a side is odd: it would stretch the chroma, by up to a texel at the far edge. So such a frame
// gets room for all luma samples that share chroma. These are its sides then.
void weir_pad_sides(enum AVPixelFormat format, int *width, int *height);

// Copy a frame into a larger one of those sides, which is allocated if it has no data. Beyond the
// edges it holds any values. Returns an AVERROR. av_frame_unref() frees the data.
int weir_pad_copy(AVFrame *padded, const AVFrame *frame);

#endif
