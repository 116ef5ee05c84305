// SPDX-License-Identifier: MIT
// Still pictures (libweir-capture): pixels in host memory become a PNG or PFM file.
#ifndef WEIR_STILL_H
#define WEIR_STILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/log.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

// Rows of code values from the top: display-referred sRGB, unless `is_data`.
struct weir_still {
    uint32_t width, height; // [texels]. Required, 1 .. 65535
    uint32_t num_channels;  // 1 = grey, 3 = RGB, 4 = RGBA with straight alpha. Required
    const uint8_t *pixels;  // required; with 16 bits: uint16_t values, in memory order of the host
    size_t stride;          // from a row to the next [bytes]; 0 = no space between rows
    uint32_t num_bits;      // of a value: 8 or 16. 0 = 8
    bool is_data; // the values are no colours (normals, heights): no sRGB mark in the file

    // optional: four bytes a colour, RGBA with straight alpha. `pixels` are indices of them then,
    // num_channels is 1 and num_bits 8, and the file is an indexed one
    const uint8_t *colors;
    uint32_t num_colors; // 1 .. 256, more than any index. 0 without `colors`
};

// Write a PNG file, marked as sRGB. It is written under another name in the same folder and takes
// the name `path` when it is complete: an existing file is replaced whole or not at all.
// `log` may be NULL. Borrows `still` until it returns.
// Errors: WEIR_ERROR_INVALID (the field is named in the log), WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL,
// WEIR_ERROR_OUT_OF_MEMORY. Nothing is left behind then. Thread safety: any thread.
WEIR_API enum weir_result weir_still_write_png(const char *path, const struct weir_still *still,
                                               const struct weir_log *log);

// Rows of floats from the top: linear light, or what the caller says that they are.
struct weir_still_float {
    uint32_t width, height; // [texels]. Required, 1 .. 65535
    uint32_t num_channels;  // 1 = grey, 3 = RGB; a PFM file has no alpha. Required
    const float *pixels;    // required; infinities and NaN are written as they are
    size_t stride;          // from a row to the next [floats]; 0 = width * num_channels
};

// Write a PFM file, bit for bit: "PF" (RGB) or "Pf" (grey), the size, the scale -1.0, which says
// little-endian and factor 1, then 32-bit floats, rows from the bottom (Debevec, the format of his
// HDR Shop). The rest as for weir_still_write_png().
WEIR_API enum weir_result weir_still_write_pfm(const char *path,
                                               const struct weir_still_float *still,
                                               const struct weir_log *log);

#ifdef __cplusplus
}
#endif
#endif
