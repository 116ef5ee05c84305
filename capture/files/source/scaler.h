// SPDX-License-Identifier: MIT
// A scaler: a context of swscale for frames of one kind, and what it makes of white.
#ifndef WEIR_CAPTURE_FILES_SOURCE_SCALER_H
#define WEIR_CAPTURE_FILES_SOURCE_SCALER_H

#include <stdbool.h>

#include <stdint.h>

#include <libavutil/pixfmt.h>
#include <libswscale/swscale.h>

#include "capture/files/source/siting.h"

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

// Make an opaque white frame of `side` texels a side. NULL: no memory, or a format whose values
// cannot be written one by one, such as those of a graphics card.
AVFrame *weir_white_frame(enum AVPixelFormat format, bool full_range, int side);

#endif
