// SPDX-License-Identifier: MIT
// The codecs of textures: those whose blocks a GPU samples as they are.
#include "capture/weir/common/texture_codec.h"

#include "capture/files/block/block.h"

// YCoCg needs a shader to become colours again.
static bool is_texture(enum weir_codec codec)
{
    return codec != WEIR_CODEC_YCOCG_BC3;
}

const struct weir_codec_info *texture_codec_at(int index)
{
    size_t num_codecs;
    const struct weir_codec_info *codecs = weir_codec_list(&num_codecs);
    for (size_t i = 0; i < num_codecs; i++) {
        if (is_texture(codecs[i].codec) && index-- == 0) {
            return &codecs[i];
        }
    }
    return NULL;
}

const char *texture_codec_choice(int index)
{
    const struct weir_codec_info *codec = texture_codec_at(index);
    return codec ? codec->name : NULL;
}

bool texture_codec_has_alpha(const struct weir_codec_info *codec)
{
    return weir_block_get_format(codec->format)->num_channels == 4;
}

bool texture_codec_is_float(const struct weir_codec_info *codec)
{
    return weir_block_get_format(codec->format)->values == WEIR_BLOCK_FLOAT;
}

bool texture_codec_is_deep(const struct weir_codec_info *codec)
{
    return codec->codec == WEIR_CODEC_EAC_R11 || codec->codec == WEIR_CODEC_EAC_RG11;
}
