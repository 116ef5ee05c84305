// SPDX-License-Identifier: MIT
// The movie codecs as HAP names them: by FourCC, and by the types of sections.
//
// Source: HAP Video specification (github.com/Vidvox/hap, documentation/HapVideoDRAFT.md).
#include "capture/movie/hap.h"

#include <stddef.h>

#include "capture/base/size.h"

enum weir_hap_texture weir_hap_texture_of(const struct weir_movie_codec_info *codec, uint32_t index)
{
    static const enum weir_hap_texture types[] = {
        [WEIR_CODEC_BC1] = WEIR_HAP_RGB_BC1,   [WEIR_CODEC_BC3] = WEIR_HAP_RGBA_BC3,
        [WEIR_CODEC_BC4] = WEIR_HAP_ALPHA_BC4, [WEIR_CODEC_BC6H_UF16] = WEIR_HAP_RGB_BC6H,
        [WEIR_CODEC_BC7] = WEIR_HAP_RGBA_BC7,  [WEIR_CODEC_YCOCG_BC3] = WEIR_HAP_YCOCG_BC3,
    };
    return types[codec->textures[index]];
}

static uint32_t tag_of(const struct weir_movie_codec_info *codec)
{
    const uint32_t tag = codec->codec_tag;
    return tag << 24 | (tag & 0xff00u) << 8 | (tag >> 8 & 0xff00u) | tag >> 24;
}

// Colour in code points of ISO/IEC 23091-2; modes in those of the QuickTime File Format, "Graphics
// modes".
void weir_hap_describe(const struct weir_movie_codec_info *codec, bool is_premultiplied,
                       struct weir_movie_pictures *pictures)
{
    enum { BT709 = 1, LINEAR = 8, SRGB = 13, RGB = 0 };
    enum { COPY = 0, STRAIGHT_ALPHA = 0x100, PREMULTIPLIED_ON_BLACK = 0x102 };
    pictures->tag = tag_of(codec);
    pictures->color_primaries = BT709;
    pictures->color_transfer = codec->is_linear ? LINEAR : SRGB;
    pictures->color_matrix = RGB;
    pictures->graphics_mode = !codec->has_alpha  ? COPY
                              : is_premultiplied ? PREMULTIPLIED_ON_BLACK
                                                 : STRAIGHT_ALPHA;
}

const struct weir_movie_codec_info *weir_hap_codec_of_tag(uint32_t tag)
{
    size_t num;
    const struct weir_movie_codec_info *codecs = weir_movie_codec_list(&num);
    for (size_t i = 0; i < num; i++) {
        if (tag_of(&codecs[i]) == tag) {
            return &codecs[i];
        }
    }
    return NULL;
}

// The two of BC6H have one FourCC.
static bool has_texture(const struct weir_movie_codec_info *codec, uint32_t texture)
{
    const bool is_signed = texture == WEIR_HAP_RGB_BC6H_SIGNED;
    for (uint32_t i = 0; i < codec->num_textures; i++) {
        if (weir_hap_texture_of(codec, i) == (is_signed ? WEIR_HAP_RGB_BC6H : texture)) {
            return true;
        }
    }
    return false;
}

bool weir_hap_codec_has(const struct weir_movie_codec_info *codec, uint8_t type)
{
    const uint32_t compressor = type & 0xf0u;
    if (type == WEIR_HAP_MULTIPLE) {
        return codec->num_textures > 1;
    }
    return (compressor == WEIR_HAP_NONE || compressor == WEIR_HAP_SNAPPY ||
            compressor == WEIR_HAP_COMPLEX) &&
           has_texture(codec, type & 0x0fu);
}

const struct weir_movie_codec_info *weir_hap_codec_of_type(uint8_t type)
{
    size_t num;
    const struct weir_movie_codec_info *codecs = weir_movie_codec_list(&num);
    for (size_t i = 0; i < num; i++) {
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
