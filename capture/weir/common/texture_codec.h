// SPDX-License-Identifier: MIT
// The codecs of textures: those whose blocks a GPU samples as they are.
#ifndef WEIR_CAPTURE_WEIR_COMMON_TEXTURE_CODEC_H
#define WEIR_CAPTURE_WEIR_COMMON_TEXTURE_CODEC_H

#include <stdbool.h>

#include <weir/encode.h>

// Get the codec number `index`, from 0; NULL after the last. The first one is the default.
const struct weir_codec_info *texture_codec_at(int index);
const char *texture_codec_choice(int index); // their names, as a list of choices

bool texture_codec_has_alpha(const struct weir_codec_info *codec);

// True if the codec holds linear light as floats, false if it holds codes of 0 .. 1.
bool texture_codec_is_float(const struct weir_codec_info *codec);

// True if the encoder keeps more than 8 bits of codes of 0 .. 1.
bool texture_codec_is_deep(const struct weir_codec_info *codec);

#endif
