// SPDX-License-Identifier: MIT
// Shared by color/source.glsl and src/frame/source_format.h: how texels of a source are read.
#ifndef WEIR_SHADERS_COLOR_CONSTANTS_H
#define WEIR_SHADERS_COLOR_CONSTANTS_H

// Kinds of source: the meaning of the numbers that a kernel reads from an image's view.
#define WEIR_SOURCE_CODES8 0u   // code / 255
#define WEIR_SOURCE_DECODED 1u  // decoded sRGB: it is encoded again and rounded to its old code
#define WEIR_SOURCE_CODES10 2u  // code / 1023
#define WEIR_SOURCE_FLOAT 3u    // code values in half floats, 1.0 is code 255
#define WEIR_SOURCE_LINEAR 4u   // linear light in half floats, 1.0 is display white
#define WEIR_SOURCE_LINEAR8 5u  // linear light / 255
#define WEIR_SOURCE_LINEAR10 6u // linear light / 1023
#define WEIR_SOURCE_CODES16 7u  // code / 65535
#define WEIR_SOURCE_LINEAR16 8u // linear light / 65535
#define WEIR_SOURCE_SNORM8 9u   // code / 127, -127 .. 127: for signed codecs only
// Half floats, 1.0 is code 127. Signed codecs read sources of FLOAT and LINEAR as this.
#define WEIR_SOURCE_SIGNED_FLOAT 10u

// True if a source's values are linear light.
#define WEIR_SOURCE_IS_LIGHT(kind)                                                                 \
    ((kind) == WEIR_SOURCE_DECODED || (kind) == WEIR_SOURCE_LINEAR ||                              \
     (kind) == WEIR_SOURCE_LINEAR8 || (kind) == WEIR_SOURCE_LINEAR10 ||                            \
     (kind) == WEIR_SOURCE_LINEAR16)

#endif
