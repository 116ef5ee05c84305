// SPDX-License-Identifier: MIT
// How much memory a picture takes, and how much it may take: a file of a kilobyte can hold
// gigabytes.
#ifndef WEIR_CAPTURE_FILES_SOURCE_MEMORY_H
#define WEIR_CAPTURE_FILES_SOURCE_MEMORY_H

#include <stdint.h>

#include <libavutil/pixfmt.h>

#include <weir/result.h>

#include "capture/files/source/memory_use.h"
#include "capture/files/source/still_decoder.h"

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

#endif
