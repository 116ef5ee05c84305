// SPDX-License-Identifier: MIT
// The codecs, efforts and decoders by their names on a command line, and what is said on other
// names.
#include "capture/weir/common/shared_options.h"

#include <stdio.h>

#include "capture/base/system.h"

const char *cli_movie_codec_choice(int index)
{
    size_t num_codecs;
    const struct weir_movie_codec_info *codecs = weir_movie_codec_list(&num_codecs);
    return (size_t)index < num_codecs ? codecs[index].name : NULL;
}

const struct weir_movie_codec_info *cli_movie_codec(int index)
{
    return &weir_movie_codec_list(NULL)[index];
}

struct cli_fourcc cli_fourcc_of(uint32_t tag)
{
    struct cli_fourcc fourcc = {.text = ""};
    for (int i = 0; i < 4; i++) {
        const uint32_t letter = tag >> (24 - 8 * i) & 255;
        fourcc.text[i] = letter > ' ' && letter < 127 ? (char)letter : '_';
    }
    return fourcc;
}

struct cli_fourcc cli_movie_codec_fourcc(const struct weir_movie_codec_info *codec)
{
    const uint32_t tag = codec->codec_tag;
    return (struct cli_fourcc){
        {(char)tag, (char)(tag >> 8), (char)(tag >> 16), (char)(tag >> 24), 0}};
}

const struct cli_hint cli_movie_codec_hints[] = {
    {"ycocg_bc3", "frames of hap_q are ycocg_bc3 blocks"},
    {"bc1", "frames of hap are bc1 blocks"},
    {"bc3", "frames of hap_alpha are bc3 blocks"},
    {"bc4", "frames of hap_alpha_only are bc4 blocks"},
    {"bc7", "frames of hap_r are bc7 blocks"},
    {"bc6h", "frames of hap_hdr are bc6h blocks"},
    {NULL, NULL},
};

const char *const cli_effort_names[] = {
    [WEIR_EFFORT_DEFAULT] = "default", [WEIR_EFFORT_FAST] = "fast",
    [WEIR_EFFORT_HIGH] = "high",       [WEIR_EFFORT_EXHAUSTIVE] = "exhaustive",
    [WEIR_EFFORT_LIVE] = "live",       NULL,
};

const char *const cli_movie_effort_names[] = {"default", "fast", "high", "live", NULL};
const enum weir_effort cli_movie_efforts[] = {WEIR_EFFORT_DEFAULT, WEIR_EFFORT_FAST,
                                              WEIR_EFFORT_HIGH, WEIR_EFFORT_LIVE};
const struct cli_hint cli_movie_effort_hints[] = {
    {"exhaustive", "it is for textures; weir texture has it"},
    {NULL, NULL},
};

const char *const cli_decoder_names[] = {
    [WEIR_DECODER_GPU] = "gpu",
    [WEIR_DECODER_FFMPEG] = "ffmpeg",
    NULL,
};

const char *const cli_compression_names[] = {
    [WEIR_COMPRESSION_NONE] = "none",
    [WEIR_COMPRESSION_SNAPPY] = "snappy",
    NULL,
};

// 0 is never on the command line, and the default in the params.
uint32_t cli_sync_ms(double seconds)
{
    return seconds == 0 ? WEIR_SYNC_NEVER : seconds < 0.001 ? 1 : (uint32_t)(seconds * 1000 + 0.5);
}

const char *const cli_profile_names[] = {
    [WEIR_PROFILE_CONVERT] = "convert",
    [WEIR_PROFILE_IGNORE] = "ignore",
    NULL,
};

struct weir_still_params cli_still_params(const char *layer, int profile, bool is_data)
{
    struct weir_still_params params = {.profile = (enum weir_profile)profile};
    if (is_data && profile == WEIR_PROFILE_CONVERT) {
        params.profile = WEIR_PROFILE_DATA;
    }
    snprintf(params.layer, sizeof(params.layer), "%s", layer ? layer : "");
    return params;
}

struct weir_memory_use cli_memory_use(uint64_t asked, uint32_t num_copies, uint32_t texel_size)
{
    const uint64_t machine = asked != 0 ? 0 : weir_memory_of_machine("");
    return (struct weir_memory_use){
        .limit = asked != 0 ? asked : machine / 4 * 3,
        .num_copies = num_copies,
        .texel_size = texel_size,
    };
}
