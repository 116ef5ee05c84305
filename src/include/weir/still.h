// SPDX-License-Identifier: MIT
// Still pictures (libweir-capture): pixels in host memory become a PNG file.
#ifndef WEIR_STILL_H
#define WEIR_STILL_H

#include <stddef.h>
#include <stdint.h>

#include <weir/log.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

// Rows of 8-bit code values, display-referred sRGB, from the top.
struct weir_still {
    uint32_t width, height; // [texels]. Required, 1 .. 65535
    uint32_t num_channels;  // 3 = RGB, 4 = RGBA with straight alpha. Required
    const uint8_t *pixels;  // required
    size_t stride;          // from a row to the next [bytes]; 0 = width * num_channels
};

// Write a PNG file, marked as sRGB. It is written under another name in the same folder and takes the name
// `path` when it is complete: an existing file is replaced whole or not at all.
// `log` may be NULL. Borrows `still` until it returns.
// Errors: WEIR_ERROR_INVALID (the field is named in the log), WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL,
// WEIR_ERROR_OUT_OF_MEMORY. Nothing is left behind then. Thread safety: any thread.
WEIR_API enum weir_result weir_still_write_png(const char *path, const struct weir_still *still,
                                               const struct weir_log *log);

#ifdef __cplusplus
}
#endif
#endif
