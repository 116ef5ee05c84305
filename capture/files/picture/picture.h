// SPDX-License-Identifier: MIT
// A picture in host memory, at the precision that its file has: 8 or 16 bits, or floats. Texels of
// a pyramid's formats, from and to rows of RGBA floats, and the meaning of the values in such
// rows.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/log.h>
#include <weir/pyramid.h>
#include <weir/result.h>

#include "capture/files/source/source.h"

// By the size of a value in memory [bytes].
enum weir_picture_type {
    WEIR_PICTURE_8 = 1,     // integers of at most 8 bits
    WEIR_PICTURE_16 = 2,    // integers of 9 to 16 bits
    WEIR_PICTURE_FLOAT = 4, // 32-bit floats
};

// Changes in the order in which they are made.
struct weir_picture_changes {
    bool bleed; // texels of alpha 0 get the colour of the nearest others, step by step
    // One to four letters of r, g, b, a, 0 and 1: the sources of R, G, B and A. Missing ones are 0,
    // a missing A is 1. NULL: none.
    const char *swizzle;
    bool flip_green; // G becomes 1 - G
    // R, G and B are vectors, -1 .. 1 as 0 .. 1. Z is rebuilt where B is 0 in the whole picture.
    // Vectors whose length is not near 1 get it.
    bool normals;
};

struct weir_picture {
    uint32_t width, height; // upright [texels]
    enum weir_picture_type type;
    bool has_alpha;
    bool is_premultiplied; // colours are multiplied by alpha, by the format of the file: OpenEXR
    bool is_linear;  // linear light: floats, and files that say so. Else display codes, as sRGB
    char pixels[32]; // FFmpeg's name of the pixel format

    // Four values for each texel, by `type`.
    uint8_t *texels;
    size_t pitch; // [bytes]

    const struct weir_picture_changes *changes; // of rows; NULL: none
    bool lacks_z;                               // Z is rebuilt
};

// Read one picture, or the first frame of a movie. A folder or a numbered sequence is refused, and
// what would take more than the limit of `memory`. This and `still` may be NULL.
// Errors: WEIR_ERROR_INVALID (no path), WEIR_ERROR_IO (missing, not readable), WEIR_ERROR_DATA
// (empty, cut short, no picture in it, more than one), WEIR_ERROR_UNSUPPORTED (a codec, a pixel
// format, a size), WEIR_ERROR_OUT_OF_MEMORY. The log has the reason. Free it in every case.
enum weir_result weir_picture_read(const char *path, const struct weir_memory_use *memory,
                                   const struct weir_still_params *still,
                                   const struct weir_log *log, struct weir_picture *picture);
void weir_picture_free(struct weir_picture *picture);

// The same of a level of an image of a texture, whose name is for messages. BC5 has red first.
// Errors: WEIR_ERROR_UNSUPPORTED (above the limit), WEIR_ERROR_OUT_OF_MEMORY.
struct weir_texture;
enum weir_result weir_picture_of_texture(const struct weir_texture *texture, uint32_t level,
                                         uint32_t image, const char *name,
                                         const struct weir_memory_use *memory,
                                         const struct weir_log *log, struct weir_picture *picture);

// change.c: make the changes to a picture, whose rows have all but the first from then on. Borrows
// `changes`. Errors: WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_picture_change(struct weir_picture *picture,
                                     const struct weir_picture_changes *changes);

// Change a row as the picture's changes say.
void weir_picture_change_row(const struct weir_picture *picture, float *row);

bool weir_swizzle_is_valid(const char *swizzle);

// Make a vector 1 long. One of hardly any length points upwards.
void weir_vector_normalize(float vector[3]);

// Get row `y` from the top as 4 * width floats, RGBA. Integers become 0 .. 1. A missing alpha is 1.
// Grey is in R, G and B.
void weir_picture_row(const struct weir_picture *picture, uint32_t y, float *row);

// Get row `y` from the top as width RGBA8 texels in the picture's own memory; NULL if it is not
// there as such, because the values have more bits or the picture is changed.
const uint8_t *weir_picture_bytes(const struct weir_picture *picture, uint32_t y);

// Round 0 .. 1 to the nearest of 0 .. max. Values outside are clamped, NaN is 0.
uint32_t weir_texel_unorm(float value, uint32_t max);

// Pack a row. The floats are the values that the format stores: 0 .. 1 for UNORM and SRGB (for SRGB
// the code, not decoded), any value for SFLOAT. Values outside the format's range are clamped,
// others rounded to the nearest. NaN in UNORM is 0.
void weir_texel_pack(const struct weir_pyramid_format_info *format, const float *row,
                     uint32_t width, uint8_t *texels);

// Unpack a row. A channel that the format lacks becomes 0, a missing alpha 1.
void weir_texel_unpack(const struct weir_pyramid_format_info *format, const uint8_t *texels,
                       uint32_t width, float *row);

enum weir_values {
    WEIR_VALUES_SRGB,   // display codes by the sRGB curve
    WEIR_VALUES_LINEAR, // linear light
    WEIR_VALUES_DATA,   // not colours (normals, heights): never converted
};

// Convert R, G and B of an RGBA row; alpha stays unchanged. The row stays unchanged if `from`
// equals `to` or one of them is DATA. Encoding to sRGB clamps to 0 .. 1 and turns NaN into 0.
void weir_values_convert(float *row, uint32_t width, enum weir_values from, enum weir_values to);
