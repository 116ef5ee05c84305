// SPDX-License-Identifier: MIT
// Planes: swscale makes RGB of YUV in a third of the time where R, G and B are planes of their own.
#ifndef WEIR_CAPTURE_FILES_SOURCE_PLANES_H
#define WEIR_CAPTURE_FILES_SOURCE_PLANES_H

#include <stddef.h>
#include <stdint.h>

#include <libavutil/frame.h>

// Get the format of planes through which a frame of the format `from` becomes one of the format
// `to`; AV_PIX_FMT_NONE: it does so directly.
enum AVPixelFormat weir_planes_between(enum AVPixelFormat from, enum AVPixelFormat to);

// Allocate planes for a frame; rows are padded to WEIR_SOURCE_ALIGNMENT.
// Returns an AVERROR. av_frame_unref() frees them.
int weir_planes_init(AVFrame *planes, enum AVPixelFormat format, int width, int height);

// Fill rows of RGBA texels, `pitch` bytes apart, a multiple of WEIR_SOURCE_ALIGNMENT. Alpha is 255
// where there is no plane of it. The padding of rows may be written.
void weir_planes_interleave(const AVFrame *planes, uint8_t *pixels, size_t pitch);

#endif
