// SPDX-License-Identifier: MIT
// The table of movie codecs, and their textures as the types of HAP sections name them.
#ifndef WEIR_CAPTURE_MOVIE_CODEC_H
#define WEIR_CAPTURE_MOVIE_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/movie.h>

#include "capture/movie/hap.h"

// Get the type of a texture of a codec, number `index` of its frames.
enum weir_hap_texture weir_hap_texture_of(const struct weir_movie_codec_info *codec,
                                          uint32_t index);

// The colour of a codec's frames: code points of ISO/IEC 23091-2. The transfer function is sRGB's,
// or that of linear light.
enum { WEIR_HAP_PRIMARIES_BT709 = 1, WEIR_HAP_MATRIX_RGB = 0 };
uint16_t weir_hap_transfer(const struct weir_movie_codec_info *codec);

// Get the graphics mode of a codec's track: how a player puts its frames over others (QuickTime
// File Format, "Graphics modes").
uint16_t weir_hap_graphics_mode(const struct weir_movie_codec_info *codec, bool is_premultiplied);

// Get the FourCC of a codec as WEIR_BOX() has it.
uint32_t weir_hap_tag(const struct weir_movie_codec_info *codec);

// Get the codec of a FourCC, and that of the type of a frame's section. NULL: not HAP.
const struct weir_movie_codec_info *weir_hap_codec_of_tag(uint32_t tag);
const struct weir_movie_codec_info *weir_hap_codec_of_type(uint8_t type);

// True if a section of that type has a texture of the codec, or is its frame of two.
bool weir_hap_codec_has(const struct weir_movie_codec_info *codec, uint8_t type);

// Get the size of a texture [bytes].
uint64_t weir_hap_texture_size(enum weir_hap_texture texture, uint32_t width, uint32_t height);

#endif
