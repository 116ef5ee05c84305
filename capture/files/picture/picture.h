// SPDX-License-Identifier: MIT
// A picture in host memory, at the precision that its file has: 8 or 16 bits, or floats.
#ifndef WEIR_CAPTURE_FILES_PICTURE_PICTURE_H
#define WEIR_CAPTURE_FILES_PICTURE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/log.h>
#include <weir/result.h>

#include "capture/files/source/source.h"

// By the size of a value in memory [bytes].
enum weir_picture_type {
    WEIR_PICTURE_8 = 1,     // integers of at most 8 bits
    WEIR_PICTURE_16 = 2,    // integers of 9 to 16 bits
    WEIR_PICTURE_FLOAT = 4, // 32-bit floats
};

struct weir_picture {
    uint32_t width, height; // upright [texels]
    enum weir_picture_type type;
    bool has_alpha;
    bool is_premultiplied; // colours are multiplied by alpha, by the format of the file: OpenEXR
    bool is_linear;  // linear light: floats, and files that say so. Else display codes, as sRGB
    char codec[64];  // FFmpeg's name of the codec
    char pixels[32]; // FFmpeg's name of the pixel format

    // Four values for each texel, by `type`. Not yet turned upright.
    uint8_t *texels;
    size_t pitch;    // [bytes]
    int orientation; // how the texels are stored: 1 .. 8 as in EXIF, 0 = upright
};

// Read one picture, or the first frame of a movie. A folder or a numbered sequence is refused, and
// what would take more than the limit of `memory`, which may be NULL.
// Errors: WEIR_ERROR_INVALID (no path), WEIR_ERROR_IO (missing, not readable), WEIR_ERROR_DATA
// (empty, cut short, no picture in it, more than one), WEIR_ERROR_UNSUPPORTED (a codec, a pixel
// format, a size), WEIR_ERROR_OUT_OF_MEMORY. The log has the reason. Free it in every case.
enum weir_result weir_picture_read(const char *path, const struct weir_memory_use *memory,
                                   const struct weir_log *log, struct weir_picture *picture);
void weir_picture_free(struct weir_picture *picture);

// Get row `y` from the top as 4 * width floats, RGBA. Integers become 0 .. 1. A missing alpha is 1.
// Grey is in R, G and B.
void weir_picture_row(const struct weir_picture *picture, uint32_t y, float *row);

// Get row `y` from the top as width RGBA8 texels in the picture's own memory; NULL if it is not
// there as such, because the values have more bits or the picture has to be turned upright.
const uint8_t *weir_picture_bytes(const struct weir_picture *picture, uint32_t y);

#endif
