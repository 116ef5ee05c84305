// SPDX-License-Identifier: MIT
// The table of movie codecs, and their textures as the types of HAP sections name them.
#ifndef WEIR_CAPTURE_MOVIE_CODEC_H
#define WEIR_CAPTURE_MOVIE_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/movie.h>

#include "capture/movie/hap.h"
#include "capture/movie/movie.h"

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

#endif
