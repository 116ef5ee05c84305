// SPDX-License-Identifier: MIT
// The kinds of HAP: which textures a frame has, and what a movie calls them.
//
// Source: HAP Video specification (github.com/Vidvox/hap, documentation/HapVideoDRAFT.md).
#ifndef WEIR_CAPTURE_FORMAT_CODEC_H
#define WEIR_CAPTURE_FORMAT_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/format/section.h"

struct weir_hap_codec {
    uint32_t tag; // the FourCC, as WEIR_BOX()
    uint32_t num_textures;
    enum weir_hap_texture textures[2];
    uint16_t depth; // of the sample description
};

// Get the codec of a FourCC, and that of the type of a frame's section. NULL: not HAP.
const struct weir_hap_codec *weir_hap_codec_of_tag(uint32_t tag);
const struct weir_hap_codec *weir_hap_codec_of_type(uint8_t type);

// True if a section of that type has a texture of the codec, or is its frame of two.
bool weir_hap_codec_has(const struct weir_hap_codec *codec, uint8_t type);

// Get the size of a texture [bytes].
uint64_t weir_hap_texture_size(enum weir_hap_texture texture, uint32_t width, uint32_t height);

#endif
