// SPDX-License-Identifier: MIT
// Decoders of whole picture files that FFmpeg does not read, or does not read right, and how much
// memory a picture takes, and may take: a file of a kilobyte can hold gigabytes.
#ifndef WEIR_CAPTURE_FILES_SOURCE_STILL_DECODER_H
#define WEIR_CAPTURE_FILES_SOURCE_STILL_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavutil/frame.h>
#include <libavutil/pixfmt.h>

#include <weir/result.h>

#include "capture/files/source/source.h"

enum { WEIR_REASON_SIZE = 256 };

// Get the size of a value of a texel, as pictures are kept: 1, 2, or 4 for floats [bytes].
uint32_t weir_memory_value_size(enum AVPixelFormat format);

// Get the memory that a picture takes, decoded and worked on, at most UINT64_MAX [bytes]. `format`
// may be AV_PIX_FMT_NONE: not known yet.
uint64_t weir_memory_need(const struct weir_memory_use *use, uint64_t width, uint64_t height,
                          enum AVPixelFormat format);

// Check the size of a picture before it is decoded. After a failure `reason` says what it is and
// what helps.
// Errors: WEIR_ERROR_DATA (no texels), WEIR_ERROR_UNSUPPORTED (above the limit, or FFmpeg's own).
enum weir_result weir_memory_check(const struct weir_memory_use *use, uint64_t width,
                                   uint64_t height, enum AVPixelFormat format,
                                   char reason[WEIR_REASON_SIZE]);

// Get the number of texels above which no picture fits, whatever its format, as FFmpeg's option
// max_pixels takes it; INT_MAX is above FFmpeg's own limit.
int weir_memory_max_texels(const struct weir_memory_use *use);

struct weir_still_decoder {
    const char *container, *codec; // names, as those that FFmpeg has for its own

    // True if a file that begins with these bytes is for this decoder.
    bool (*knows)(const uint8_t *data, size_t size);

    // Decode a file into an empty frame, and note its orientation there. After a failure `reason`
    // says what is wrong and what helps. Any thread; threads do not disturb each other.
    // Errors: WEIR_ERROR_DATA (damaged, cut short), WEIR_ERROR_UNSUPPORTED (also above the limit
    // of the memory), WEIR_ERROR_IO, WEIR_ERROR_OUT_OF_MEMORY.
    enum weir_result (*decode)(const char *path, const struct weir_memory_use *memory,
                               AVFrame *frame, char reason[WEIR_REASON_SIZE]);
};

// TIFF by libtiff. FFmpeg's decoder takes half floats for integers and CMYK for RGB, reads no
// floats, and refuses good files where it shall refuse damaged ones.
extern const struct weir_still_decoder weir_tiff_decoder;

// Radiance RGBE (.hdr, .pic). FFmpeg reads it from version 6 on, without its orientations.
extern const struct weir_still_decoder weir_radiance_decoder;

#endif
