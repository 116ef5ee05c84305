// SPDX-License-Identifier: MIT
// The table of movie codecs, and their textures as the types of HAP sections name them.
//
// Source: HAP Video specification (github.com/Vidvox/hap, documentation/HapVideoDRAFT.md).
#include "capture/movie/hap.h"

#include <stddef.h>
#include <string.h>

#include <weir/movie.h>

#include "capture/base/size.h"

#define TAG(a, b, c, d)                                                                            \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

#define CODEC(id, called, last, bits, effort, about, ...)                                          \
    {                                                                                              \
        .codec = WEIR_MOVIE_CODEC_##id, .name = called, .description = about,                      \
        .codec_tag = TAG('H', 'a', 'p', last), .bits_per_coded_sample = bits,                      \
        .max_effort = WEIR_EFFORT_##effort, __VA_ARGS__                                            \
    }

static const struct weir_movie_codec_info codecs[] = {
    CODEC(HAP_Q, "hap_q", 'Y', 24, HIGH, "colour of high quality, a byte a texel",
          .num_textures = 1, .textures = {WEIR_CODEC_YCOCG_BC3}, .ffmpeg_decodes = true),
    CODEC(HAP, "hap", '1', 24, HIGH, "colour, half a byte a texel", .num_textures = 1,
          .textures = {WEIR_CODEC_BC1}, .ffmpeg_decodes = true),
    CODEC(HAP_ALPHA, "hap_alpha", '5', 32, HIGH, "colour as in hap, and alpha, a byte a texel",
          .num_textures = 1, .textures = {WEIR_CODEC_BC3}, .has_alpha = true,
          .ffmpeg_decodes = true),
    CODEC(HAP_Q_ALPHA, "hap_q_alpha", 'M', 32, HIGH,
          "colour as in hap_q, and alpha, 1.5 bytes a texel", .num_textures = 2,
          .textures = {WEIR_CODEC_YCOCG_BC3, WEIR_CODEC_BC4}, .has_alpha = true,
          .ffmpeg_decodes = true),
    CODEC(HAP_ALPHA_ONLY, "hap_alpha_only", 'A', 24, EXHAUSTIVE, "alpha alone, half a byte a texel",
          .num_textures = 1, .textures = {WEIR_CODEC_BC4}, .has_alpha = true,
          .ffmpeg_decodes = true),
    CODEC(HAP_R, "hap_r", '7', 32, HIGH, "colour of the highest quality, and alpha, a byte a texel",
          .num_textures = 1, .textures = {WEIR_CODEC_BC7}, .has_alpha = true),
    CODEC(HAP_HDR, "hap_hdr", 'H', 24, HIGH, "linear light of high dynamic range, a byte a texel",
          .num_textures = 1, .textures = {WEIR_CODEC_BC6H_UF16}, .is_linear = true),
};
enum { NUM_CODECS = sizeof(codecs) / sizeof(codecs[0]) };

const struct weir_movie_codec_info *weir_movie_codec_list(size_t *num_codecs)
{
    if (num_codecs) {
        *num_codecs = NUM_CODECS;
    }
    return codecs;
}

const struct weir_movie_codec_info *weir_movie_codec_get_info(enum weir_movie_codec codec)
{
    const enum weir_movie_codec wanted = codec == WEIR_MOVIE_CODEC_DEFAULT ? WEIR_MOVIE_CODEC_HAP_Q
                                                                           : codec;
    for (int i = 0; i < NUM_CODECS; i++) {
        if (codecs[i].codec == wanted) {
            return &codecs[i];
        }
    }
    return NULL;
}

bool weir_movie_codec_by_name(const char *name, enum weir_movie_codec *codec)
{
    for (int i = 0; name && codec && i < NUM_CODECS; i++) {
        if (strcmp(codecs[i].name, name) == 0) {
            *codec = codecs[i].codec;
            return true;
        }
    }
    return false;
}

uint64_t weir_movie_codec_frame_size(enum weir_movie_codec codec, uint32_t width, uint32_t height)
{
    const struct weir_movie_codec_info *info = weir_movie_codec_get_info(codec);
    uint64_t size = 0;
    for (uint32_t i = 0; info && i < info->num_textures; i++) {
        const uint64_t texture = weir_codec_image_size(info->textures[i], width, height);
        if (texture == 0 || texture > UINT64_MAX - size) {
            return 0;
        }
        size += texture;
    }
    return size;
}

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
    for (int i = 0; i < NUM_CODECS; i++) {
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
    for (int i = 0; i < NUM_CODECS; i++) {
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
