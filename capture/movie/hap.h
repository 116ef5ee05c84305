// SPDX-License-Identifier: MIT
// HAP frames: sections of a header and a payload, written, and read from a file that may be
// damaged; and the table of movie codecs.
//
// Source: HAP Video specification (github.com/Vidvox/hap, documentation/HapVideoDRAFT.md).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/movie.h>
#include <weir/result.h>

#include "capture/movie/boxes.h"
#include "capture/movie/movie.h"

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

struct weir_hap_section_found {
    uint8_t type;
    uint64_t payload, end; // in the file
};

struct weir_hap_frame {
    uint8_t type; // of the outer section
    uint32_t num_textures;
    struct weir_hap_section_found textures[2];
    uint64_t end;
};

// Read the sections of the frame at `at`: one with a texture, or one with two such. False: no frame
// of a known type begins there, or it does not end before `limit`.
bool weir_hap_frame_read(struct weir_view *view, uint64_t at, uint64_t limit,
                         struct weir_hap_frame *frame);

// A part of a texture that is compressed on its own, or stored.
struct weir_hap_piece {
    bool is_snappy;
    uint64_t at, size; // in the file
};

// Call `piece` for all of a texture's, in their order; NULL: only read the tables. False: the
// tables are damaged, or `piece` answered false.
bool weir_hap_pieces_read(struct weir_view *view, const struct weir_hap_section_found *texture,
                          bool (*piece)(void *user, const struct weir_hap_piece *piece),
                          void *user);

// What unpacks textures, one after the other. `packed` grows; the caller frees it.
struct weir_hap_unpacker {
    struct weir_view *view; // of the file. Its window is for the tables, bytes are read past it
    uint8_t *packed;
    size_t room;
};

// Write the `size` bytes of a texture to `out`. Errors: WEIR_ERROR_DATA (it is damaged, or has
// another size), WEIR_ERROR_IO, WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_hap_unpack(struct weir_hap_unpacker *unpacker,
                                 const struct weir_hap_section_found *texture, uint8_t *out,
                                 uint64_t size);

// What the frames of a movie are.
struct weir_hap_format {
    const struct weir_movie_codec_info *codec; // NULL: any
    uint32_t width, height;
};

enum weir_hap_depth {
    WEIR_HAP_HEADERS, // the headers and tables of the frame agree with each other and its format
    WEIR_HAP_WHOLE,   // and so does every byte of it
};

// Check the frame at `at`, which ends at `limit` at the latest. `end` gets where it ends.
bool weir_hap_check(struct weir_view *view, const struct weir_hap_format *format, uint64_t at,
                    uint64_t limit, enum weir_hap_depth depth, uint64_t *end);

// Get the type of a texture of a codec, number `index` of its frames.
enum weir_hap_texture weir_hap_texture_of(const struct weir_movie_codec_info *codec,
                                          uint32_t index);

// Describe the FourCC, the colour and the alpha of a codec's frames.
void weir_hap_describe(const struct weir_movie_codec_info *codec, bool is_premultiplied,
                       struct weir_movie_pictures *pictures);

// Get the codec of a FourCC, and that of the type of a frame's section. NULL: not HAP.
const struct weir_movie_codec_info *weir_hap_codec_of_tag(uint32_t tag);
const struct weir_movie_codec_info *weir_hap_codec_of_type(uint8_t type);

// True if a section of that type has a texture of the codec, or is its frame of two.
bool weir_hap_codec_has(const struct weir_movie_codec_info *codec, uint8_t type);

// Get the size of a texture [bytes].
uint64_t weir_hap_texture_size(enum weir_hap_texture texture, uint32_t width, uint32_t height);
