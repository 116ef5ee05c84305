// SPDX-License-Identifier: MIT
// The header of DDS files, and what formats are in it.
#pragma once

#include "capture/files/texture/texture.h"

enum { OLD_HEADER_SIZE = 128 }; // the magic number and DDS_HEADER [bytes]
enum { FIXED_SIZE = 124, PIXEL_FORMAT_SIZE = 32, DDPF_FOURCC = 0x4 };

// Places from the start of the file [bytes].
enum {
    AT_SIZE = 4,
    AT_FLAGS = 8,
    AT_HEIGHT = 12,
    AT_WIDTH = 16,
    AT_LINEAR_SIZE = 20,
    AT_DEPTH = 24,
    AT_NUM_LEVELS = 28,
    AT_PIXEL_FORMAT = 76, // a structure: its size, its flags
    AT_FOUR_CC = 84,
    AT_SWIZZLE = 88, // dwRGBBitCount; another four-character code in some files
    AT_CAPS = 108,
    AT_CAPS2 = 112,
    AT_DX10 = OLD_HEADER_SIZE, // DDS_HEADER_DXT10; where there is none, the levels
    AT_DXGI_FORMAT = AT_DX10,
    AT_DIMENSION = 132,
    AT_MISC_FLAGS = 136,
    AT_NUM_TEXTURES = 140,
    AT_MISC_FLAGS2 = 144,
};
// Get the number of DXGI's of a format that is read with a swizzle; 0: there is none.
uint32_t weir_dds_number(VkFormat format, const char *swizzle);

// Get the code of a format in the older header. NULL: sRGB, BC6H and BC7 have none; those for
// premultiplied colours have hardly a reader.
const char *weir_dds_code(VkFormat format);

// Write the masks of a format in the older header, into DDS_PIXELFORMAT. False: it has none.
bool weir_dds_put_texels(VkFormat format, const char *swizzle, uint8_t *pixel_format);

// What either header says of the format. ATI2 has green first, as Direct3D 9 reads it, where A2XY
// does not follow. VK_FORMAT_UNDEFINED: one without a decoder; the refusal names it.
struct weir_dds_format {
    VkFormat format;
    char swizzle[5];
    bool is_premultiplied, is_green_first;
};
struct weir_dds_format weir_dds_find_format(const uint8_t *data, uint64_t size);
enum weir_result weir_dds_refuse_format(const struct weir_texture_bytes *bytes);

bool weir_dds_is_dx10(const uint8_t *data);
