// SPDX-License-Identifier: MIT
// The codecs of textures: which formats of Vulkan's their blocks are.
#include "capture/weir/common/texture_codec.h"

#include <stddef.h>

#include "capture/files/block/block.h"

static const struct texture_codec codecs[] = {
    {WEIR_CODEC_BC1, VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_BC1_RGB_SRGB_BLOCK, false},
    {WEIR_CODEC_BC1A, VK_FORMAT_BC1_RGBA_UNORM_BLOCK, VK_FORMAT_BC1_RGBA_SRGB_BLOCK, false},
    {WEIR_CODEC_BC3, VK_FORMAT_BC3_UNORM_BLOCK, VK_FORMAT_BC3_SRGB_BLOCK, false},
    {WEIR_CODEC_BC4, VK_FORMAT_BC4_UNORM_BLOCK, VK_FORMAT_UNDEFINED, false},
    {WEIR_CODEC_BC5, VK_FORMAT_BC5_UNORM_BLOCK, VK_FORMAT_UNDEFINED, false},
    {WEIR_CODEC_BC6H_UF16, VK_FORMAT_BC6H_UFLOAT_BLOCK, VK_FORMAT_UNDEFINED, false},
    {WEIR_CODEC_BC6H_SF16, VK_FORMAT_BC6H_SFLOAT_BLOCK, VK_FORMAT_UNDEFINED, false},
    {WEIR_CODEC_BC7, VK_FORMAT_BC7_UNORM_BLOCK, VK_FORMAT_BC7_SRGB_BLOCK, false},
    {WEIR_CODEC_ETC1, VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK, true},
    {WEIR_CODEC_ETC2_RGB, VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK,
     false},
    {WEIR_CODEC_ETC2_RGB8A1, VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK,
     VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK, false},
    {WEIR_CODEC_ETC2_RGBA, VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK,
     false},
    {WEIR_CODEC_EAC_R11, VK_FORMAT_EAC_R11_UNORM_BLOCK, VK_FORMAT_UNDEFINED, false},
    {WEIR_CODEC_EAC_RG11, VK_FORMAT_EAC_R11G11_UNORM_BLOCK, VK_FORMAT_UNDEFINED, false},
    {WEIR_CODEC_BC4_SNORM, VK_FORMAT_BC4_SNORM_BLOCK, VK_FORMAT_UNDEFINED, false},
    {WEIR_CODEC_BC5_SNORM, VK_FORMAT_BC5_SNORM_BLOCK, VK_FORMAT_UNDEFINED, false},
    {WEIR_CODEC_EAC_R11_SNORM, VK_FORMAT_EAC_R11_SNORM_BLOCK, VK_FORMAT_UNDEFINED, false},
    {WEIR_CODEC_EAC_RG11_SNORM, VK_FORMAT_EAC_R11G11_SNORM_BLOCK, VK_FORMAT_UNDEFINED, false},
};
enum { NUM_CODECS = sizeof(codecs) / sizeof(codecs[0]) };

const struct texture_codec *texture_codec_at(int index)
{
    return index < NUM_CODECS ? &codecs[index] : NULL;
}

const struct texture_codec *texture_codec_of(enum weir_codec codec)
{
    for (int i = 0; i < NUM_CODECS; i++) {
        if (codecs[i].codec == codec) {
            return &codecs[i];
        }
    }
    return NULL;
}

const char *texture_codec_name(const struct texture_codec *codec)
{
    return weir_codec_get_info(codec->codec)->name;
}

const char *texture_codec_choice(int index)
{
    return index < NUM_CODECS ? texture_codec_name(&codecs[index]) : NULL;
}

bool texture_codec_has_alpha(const struct texture_codec *codec)
{
    return weir_block_get_format(codec->format)->num_channels == 4;
}

bool texture_codec_is_float(const struct texture_codec *codec)
{
    return weir_block_get_format(codec->format)->values == WEIR_BLOCK_FLOAT;
}

bool texture_codec_is_signed(const struct texture_codec *codec)
{
    return weir_block_get_format(codec->format)->values == WEIR_BLOCK_SNORM;
}
