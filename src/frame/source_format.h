// SPDX-License-Identifier: MIT
// How a kernel turns the texels of a format into code values.
#ifndef WEIR_FRAME_SOURCE_FORMAT_H
#define WEIR_FRAME_SOURCE_FORMAT_H

#include <stdbool.h>

#include <weir/image.h>
#include <weir/log.h>

// The numbers are those of shaders/color/source.glsl.
enum weir_source_kind {
    WEIR_SOURCE_CODES8 = 0, // the view gives code / 255
    // the view gives decoded sRGB: encode it again, round to the code it was
    WEIR_SOURCE_DECODED = 1,
    WEIR_SOURCE_CODES10 = 2,  // the view gives code / 1023
    WEIR_SOURCE_FLOAT = 3,    // floating-point code values, 1.0 is code 255
    WEIR_SOURCE_LINEAR = 4,   // linear light in floating point: clip and encode
    WEIR_SOURCE_LINEAR8 = 5,  // the view gives 255ths of linear light
    WEIR_SOURCE_LINEAR10 = 6, // the view gives 1023rds of linear light
    WEIR_SOURCE_CODES16 = 7,  // the view gives code / 65535
    WEIR_SOURCE_LINEAR16 = 8, // the view gives 65535ths of linear light
    WEIR_SOURCE_SNORM8 = 9,   // the view gives code / 127: for signed codecs only
    // floating-point values, 1.0 is code 127: FLOAT or LINEAR as signed codecs read it
    WEIR_SOURCE_SIGNED_FLOAT = 10,
};

struct weir_source_format {
    enum weir_source_kind kind;
    VkFormat view_format;
    enum weir_transfer transfer; // never WEIR_TRANSFER_DEFAULT
};

// What reads an image of this format, flags and transfer. False where no kernel does.
bool weir_source_format_find(VkFormat format, VkImageCreateFlags flags, enum weir_transfer transfer,
                             struct weir_source_format *out);

// The same, with an error that names the value at fault.
enum weir_result weir_source_format_check(const struct weir_log *log, VkFormat format,
                                          VkImageCreateFlags flags, enum weir_transfer transfer,
                                          struct weir_source_format *out);

#endif
