// SPDX-License-Identifier: MIT
// Decoders of whole picture files that FFmpeg does not read, or does not read right.
#ifndef WEIR_CAPTURE_FILES_SOURCE_STILL_DECODER_H
#define WEIR_CAPTURE_FILES_SOURCE_STILL_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavutil/frame.h>

#include <weir/result.h>

#include "capture/files/source/memory_use.h"

enum { WEIR_REASON_SIZE = 256 };

struct weir_still_decoder {
    const char *container, *codec; // names, as those that FFmpeg has for its own

    // True if a file that begins with these bytes is for this decoder.
    bool (*knows)(const uint8_t *data, size_t size);

    // Decode a file into an empty frame, and note its orientation there. After a failure `reason`
    // says what is wrong and what helps. Any thread; threads do not disturb each other.
    // Errors: WEIR_ERROR_DATA (damaged, cut short), WEIR_ERROR_UNSUPPORTED (also above the limit
    // of the memory), WEIR_ERROR_OUT_OF_MEMORY.
    enum weir_result (*decode)(const uint8_t *data, size_t size,
                               const struct weir_memory_use *memory, AVFrame *frame,
                               char reason[WEIR_REASON_SIZE]);
};

// TIFF by libtiff. FFmpeg's decoder takes half floats for integers and CMYK for RGB, reads no
// floats, and refuses good files where it shall refuse damaged ones.
extern const struct weir_still_decoder weir_tiff_decoder;

// Radiance RGBE (.hdr, .pic). FFmpeg reads it from version 6 on, without its orientations.
extern const struct weir_still_decoder weir_radiance_decoder;

#endif
