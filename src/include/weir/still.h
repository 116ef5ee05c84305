// SPDX-License-Identifier: MIT
// Still pictures (libweir-capture): writes pixels in host memory to a PNG or PFM file.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/log.h>
#include <weir/result.h>

// A picture of integers, in rows from the top. Its values are display-referred sRGB codes, unless
// is_data is set.
struct weir_still {
    uint32_t width, height; // [texels]. Required, 1 .. 65535
    uint32_t num_channels;  // 1 = grey, 3 = RGB, 4 = RGBA with straight alpha. Required
    const uint8_t *pixels;  // required; with 16 bits, uint16_t values in the host's byte order
    size_t stride;          // from a row to the next [bytes]; 0 = no space between rows
    uint32_t num_bits;      // of a value: 8 or 16. 0 = 8
    bool is_data;           // not colours but data (normals, heights): the file has no sRGB mark

    // Optional: a table of RGBA colours with straight alpha, four bytes each. The file is then an
    // indexed PNG; `pixels` are indices into the table, num_channels is 1 and num_bits is 8.
    const uint8_t *colors;
    uint32_t num_colors; // 1 .. 256, above every index. 0 without `colors`
};

// Write a PNG file, marked as sRGB unless is_data is set. The file is written under another name in
// the same folder and renamed to `path` when it is complete, so an existing file is replaced
// completely or not at all. `log` may be NULL. Borrows `still` until the call returns.
// Errors: WEIR_ERROR_INVALID (the field is named in the log), WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL,
// WEIR_ERROR_OUT_OF_MEMORY. Nothing is left behind then. Thread safety: any thread.
WEIR_API enum weir_result weir_still_write_png(const char *path, const struct weir_still *still,
                                               const struct weir_log *log);

// A picture of floats, in rows from the top. Their meaning is the caller's; usually linear light.
struct weir_still_float {
    uint32_t width, height; // [texels]. Required, 1 .. 65535
    uint32_t num_channels;  // 1 = grey, 3 = RGB; a PFM file has no alpha. Required
    const float *pixels;    // required; infinities and NaN are written as they are
    size_t stride; // from a row to the next [bytes], a multiple of 4; 0 = no space between rows
};

// Write a PFM file, with every float unchanged. The file has "PF" (RGB) or "Pf" (grey), the size,
// the scale -1.0, which means little-endian and factor 1, and then 32-bit floats in rows from the
// bottom (Debevec, the format of his HDR Shop). Otherwise as weir_still_write_png().
WEIR_API enum weir_result weir_still_write_pfm(const char *path,
                                               const struct weir_still_float *still,
                                               const struct weir_log *log);
