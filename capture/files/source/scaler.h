// SPDX-License-Identifier: MIT
// A scaler: a context of swscale for frames of one kind, where their chroma samples lie, and what
// it makes of white.
#ifndef WEIR_CAPTURE_FILES_SOURCE_SCALER_H
#define WEIR_CAPTURE_FILES_SOURCE_SCALER_H

#include <stdbool.h>
#include <stdint.h>

#include <libavutil/frame.h>
#include <libswscale/swscale.h>

// Which rows the positions are of.
enum weir_siting_rows { WEIR_SITING_FRAME, WEIR_SITING_TOP_FIELD, WEIR_SITING_BOTTOM_FIELD };

// True if every other row belongs to another field.
bool weir_siting_is_interlaced(const AVFrame *frame);

// Get the location that a frame states; where it does not, that of its kind: between four samples
// of luma in full range, which is JPEG's (JFIF 1.02), else at the left, as in MPEG-2 and later
// (ISO/IEC 13818-2, 6.1.1.8; ITU-T H.264 and H.265, annex E; H.273).
enum AVChromaLocation weir_siting_location(const AVFrame *frame, bool full_range);

// What swscale's tables are made for. A frame that differs in one of them needs new tables.
struct weir_scaler_key {
    int width, height, format, space, full_range; // of the frame
    int location;                                 // of its chroma, AVCHROMA_LOC_*
    int num_fields;                               // 2: each has tables of its own; else 1
    int new_width, new_height, new_format;
};

// Make a scaler to `format`, of the frame or of one of its fields, which runs on all cores or
// (`is_alone`) on the caller's thread. Returns an AVERROR. sws_freeContext() frees it.
int weir_scaler_open(const struct weir_scaler_key *key, enum AVPixelFormat format,
                     enum weir_siting_rows rows, bool is_alone, struct SwsContext **out);

struct weir_scaler_gain {
    uint32_t color, alpha; // at least 1, in 1/65536
};

// Get the gains that make 65535 of what swscale makes of white in `format`: RGBA64, or planes of 16
// bits. Formats without a white that is known, such as monowhite, have none: they have 8 bits at
// most. Returns an AVERROR.
int weir_scaler_measure(const struct weir_scaler_key *key, enum AVPixelFormat format,
                        struct weir_scaler_gain *gain);

#endif
