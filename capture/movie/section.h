// SPDX-License-Identifier: MIT
// HAP sections: a header of a size and a type, then the payload.
//
// Source: HAP Video specification (github.com/Vidvox/hap, documentation/HapVideoDRAFT.md).
#ifndef WEIR_CAPTURE_MOVIE_SECTION_H
#define WEIR_CAPTURE_MOVIE_SECTION_H

#include <stdint.h>

// The low four bits of a section's type: its texture.
enum weir_hap_texture {
    WEIR_HAP_ALPHA_BC4 = 0x01,
    WEIR_HAP_RGB_BC6H = 0x02,
    WEIR_HAP_RGB_BC6H_SIGNED = 0x03,
    WEIR_HAP_RGB_BC1 = 0x0b,
    WEIR_HAP_RGBA_BC7 = 0x0c,
    WEIR_HAP_RGBA_BC3 = 0x0e,
    WEIR_HAP_YCOCG_BC3 = 0x0f,
};

// The type of a frame of two textures, each in a section of its own.
#define WEIR_HAP_MULTIPLE 0x0d

// The high four bits: its second-stage compressor.
enum weir_hap_compressor {
    WEIR_HAP_NONE = 0xa0,
    WEIR_HAP_SNAPPY = 0xb0,
    WEIR_HAP_COMPLEX = 0xc0, // decode instructions, then chunks
};

// The types of sections inside a complex frame.
enum weir_hap_section {
    WEIR_HAP_DECODE_INSTRUCTIONS = 0x01,
    WEIR_HAP_CHUNK_COMPRESSORS = 0x02, // a byte for each chunk: the values below
    WEIR_HAP_CHUNK_SIZES = 0x03,       // four bytes a chunk, little endian
    WEIR_HAP_CHUNK_OFFSETS = 0x04,     // likewise; without it chunks follow one another
};
enum weir_hap_chunk {
    WEIR_HAP_CHUNK_NONE = 0x0a,
    WEIR_HAP_CHUNK_SNAPPY = 0x0b,
};

#define WEIR_HAP_MAX_HEADER 8

// Get the length of the shortest header for a payload: 4 for 1 .. 2^24-1 bytes, else 8.
uint32_t weir_hap_header_size(uint32_t payload_size);

// Write the shortest header so that it ends right before `payload`. Returns where it begins.
uint8_t *weir_hap_write_header(uint8_t *payload, uint32_t payload_size, uint8_t type);

// Get the number of equal chunks of whole blocks into which a texture is cut: the largest divisor
// of `num_blocks` that is at most `wish`. Returns 1 for a wish of 0.
uint32_t weir_hap_num_chunks(uint64_t num_blocks, uint32_t wish);

#endif
