// SPDX-License-Identifier: MIT
// The kinds of HAP: which textures a frame has, and what a movie calls them.
#include "capture/format/codec.h"

#include <stddef.h>

#include "capture/base/size.h"
#include "capture/format/boxes.h"

static const struct weir_hap_codec codecs[] = {
    {WEIR_BOX('H', 'a', 'p', 'Y'), 1, {WEIR_HAP_YCOCG_BC3}, 24},
    {WEIR_BOX('H', 'a', 'p', '1'), 1, {WEIR_HAP_RGB_BC1}, 24},
    {WEIR_BOX('H', 'a', 'p', '5'), 1, {WEIR_HAP_RGBA_BC3}, 32},
    {WEIR_BOX('H', 'a', 'p', 'M'), 2, {WEIR_HAP_YCOCG_BC3, WEIR_HAP_ALPHA_BC4}, 32},
    {WEIR_BOX('H', 'a', 'p', 'A'), 1, {WEIR_HAP_ALPHA_BC4}, 24},
    {WEIR_BOX('H', 'a', 'p', '7'), 1, {WEIR_HAP_RGBA_BC7}, 32},
    {WEIR_BOX('H', 'a', 'p', 'H'), 1, {WEIR_HAP_RGB_BC6H}, 24},
};
enum { NUM_CODECS = sizeof(codecs) / sizeof(codecs[0]) };

const struct weir_hap_codec *weir_hap_codec_of_tag(uint32_t tag)
{
    for (size_t i = 0; i < NUM_CODECS; i++) {
        if (codecs[i].tag == tag) {
            return &codecs[i];
        }
    }
    return NULL;
}

// The two of BC6H have one FourCC.
static bool has_texture(const struct weir_hap_codec *codec, uint32_t texture)
{
    const bool is_signed = texture == WEIR_HAP_RGB_BC6H_SIGNED;
    for (uint32_t i = 0; i < codec->num_textures; i++) {
        if (codec->textures[i] == (is_signed ? WEIR_HAP_RGB_BC6H : texture)) {
            return true;
        }
    }
    return false;
}

bool weir_hap_codec_has(const struct weir_hap_codec *codec, uint8_t type)
{
    const uint32_t compressor = type & 0xf0u;
    if (type == WEIR_HAP_MULTIPLE) {
        return codec->num_textures > 1;
    }
    return (compressor == WEIR_HAP_NONE || compressor == WEIR_HAP_SNAPPY ||
            compressor == WEIR_HAP_COMPLEX) &&
           has_texture(codec, type & 0x0fu);
}

const struct weir_hap_codec *weir_hap_codec_of_type(uint8_t type)
{
    for (size_t i = 0; i < NUM_CODECS; i++) {
        const bool is_multiple = codecs[i].num_textures > 1;
        if (is_multiple == (type == WEIR_HAP_MULTIPLE) && weir_hap_codec_has(&codecs[i], type)) {
            return &codecs[i];
        }
    }
    return NULL;
}

uint64_t weir_hap_texture_size(enum weir_hap_texture texture, uint32_t width, uint32_t height)
{
    const bool is_half = texture == WEIR_HAP_RGB_BC1 || texture == WEIR_HAP_ALPHA_BC4;
    return weir_divide_up(width, 4) * weir_divide_up(height, 4) * (is_half ? 8 : 16);
}
