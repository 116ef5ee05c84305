// SPDX-License-Identifier: MIT
// The table of movie codecs.
//
// Source: HAP Video specification (github.com/Vidvox/hap, documentation/HapVideoDRAFT.md).
#include <weir/movie.h>

#include <stddef.h>
#include <string.h>

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
