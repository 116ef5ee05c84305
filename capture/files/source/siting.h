// SPDX-License-Identifier: MIT
// Siting: where the chroma samples of a frame lie among those of luma.
#ifndef WEIR_CAPTURE_FILES_SOURCE_SITING_H
#define WEIR_CAPTURE_FILES_SOURCE_SITING_H

#include <stdbool.h>

#include <libavutil/frame.h>

// Which rows the positions are of.
enum weir_siting_rows { WEIR_SITING_FRAME, WEIR_SITING_TOP_FIELD, WEIR_SITING_BOTTOM_FIELD };

// Of the first chroma sample, from the first luma sample on, in 1/256 of the distance of luma
// samples, as swscale has them. 0 in a direction that is not subsampled.
struct weir_siting {
    int x, y;
};

// True if every other row belongs to another field.
bool weir_siting_is_interlaced(const AVFrame *frame);

// True if a format has fewer samples of chroma than of luma.
bool weir_siting_matters(enum AVPixelFormat format);

// Get the location that a frame states; where it does not, that of its kind: between four samples
// of luma in full range, which is JPEG's (JFIF 1.02), else at the left, as in MPEG-2 and later
// (ISO/IEC 13818-2, 6.1.1.8; ITU-T H.264 and H.265, annex E; H.273).
enum AVChromaLocation weir_siting_location(const AVFrame *frame, bool full_range);

struct weir_siting weir_siting_of(enum AVChromaLocation location, enum AVPixelFormat format,
                                  enum weir_siting_rows rows);

#endif
