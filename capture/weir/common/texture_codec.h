// SPDX-License-Identifier: MIT
// The codecs of textures: which formats of Vulkan's their blocks are.
#ifndef WEIR_CAPTURE_WEIR_COMMON_TEXTURE_CODEC_H
#define WEIR_CAPTURE_WEIR_COMMON_TEXTURE_CODEC_H

#include <stdbool.h>
#include <vulkan/vulkan_core.h>

#include <weir/encode.h>

struct texture_codec {
    enum weir_codec codec;
    VkFormat format, srgb; // srgb: UNDEFINED where it holds no colours as codes
    bool is_etc1;
};

// That of an index; NULL after the last. The first is the default.
const struct texture_codec *texture_codec_at(int index);
const struct texture_codec *texture_codec_of(
    enum weir_codec codec); // NULL where it is none of them

const char *texture_codec_name(const struct texture_codec *codec);
const char *texture_codec_choice(int index); // their names, as a list of choices

bool texture_codec_has_alpha(const struct texture_codec *codec);

// Whether it holds linear light, as floats, in place of codes of 0 .. 1.
bool texture_codec_is_float(const struct texture_codec *codec);

// Whether it holds -1 .. 1, for which a picture has 0 .. 1.
bool texture_codec_is_signed(const struct texture_codec *codec);

#endif
