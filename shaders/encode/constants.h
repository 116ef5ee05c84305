// SPDX-License-Identifier: MIT
// Shared by the encoders' kernels and src/encode: how a kernel is specialised, bound and
// dispatched.
#ifndef WEIR_SHADERS_ENCODE_CONSTANTS_H
#define WEIR_SHADERS_ENCODE_CONSTANTS_H

// Blocks that a workgroup covers, one an invocation, or several (encode/lanes.glsl).
#define WEIR_ENCODE_GROUP_WIDTH 4u
#define WEIR_ENCODE_GROUP_HEIGHT 8u

// Specialization constants: their ids. A kernel that has no use for one does not declare it.
#define WEIR_ENCODE_CONSTANT_SOURCE_KIND 0u  // WEIR_SOURCE_*
#define WEIR_ENCODE_CONSTANT_FFMPEG_MODEL 1u // bool: the decoder is FFmpeg's, not a GPU's
#define WEIR_ENCODE_CONSTANT_DITHER 2u       // bool: dither sources of more than 8 bits
#define WEIR_ENCODE_CONSTANT_BC1_MODE 3u     // WEIR_ENCODE_BC1_*
#define WEIR_ENCODE_CONSTANT_BC1_DITHER 4u   // bool: dither to the 5:6:5 of endpoints
#define WEIR_ENCODE_CONSTANT_BC4_ALPHA 5u    // bool: BC4 of A, not of R
#define WEIR_ENCODE_CONSTANT_BC6H_LOG 6u     // bool: the least error of log(1 + value)
#define WEIR_ENCODE_CONSTANT_ALPHA_UNREAD 7u // bool: BC7 leaves alpha out
#define WEIR_ENCODE_CONSTANT_PROXY 8u        // WEIR_ENCODE_PROXY_*
#define WEIR_ENCODE_CONSTANT_PROXY_LEVEL 9u  // 1 or 2: a half or a quarter of each side
#define WEIR_ENCODE_NUM_CONSTANTS 10u

// The kinds of block that an encoder of BC1 may choose.
#define WEIR_ENCODE_BC1_OPAQUE 0u // four colours
#define WEIR_ENCODE_BC1_BLACK 1u  // or three colours and black
#define WEIR_ENCODE_BC1_ALPHA 2u  // or three colours and transparent

// What the texels of a proxy are.
#define WEIR_ENCODE_PROXY_NONE 0u
#define WEIR_ENCODE_PROXY_CODES 1u // means of codes
#define WEIR_ENCODE_PROXY_LIGHT 2u // means of light, encoded by the transfer of sRGB

// Descriptor sets. Each has one descriptor, at binding 0.
#define WEIR_ENCODE_SET_SOURCE 0u  // the image that is read
#define WEIR_ENCODE_SET_BUFFER 1u  // the buffer of blocks that is written
#define WEIR_ENCODE_SET_HISTORY 2u // of kernels that are steady: the blocks of the frame before
#define WEIR_ENCODE_SET_PROXY 2u   // of kernels with a proxy: the image that they write
#define WEIR_ENCODE_NUM_SETS 3u

// Push constants that not every kernel has, behind push.glsl: the offset of each [bytes].
#define WEIR_ENCODE_PUSH_HISTORY 36u
#define WEIR_ENCODE_PUSH_PROXY_ROW 40u

#endif
