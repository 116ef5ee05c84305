// SPDX-License-Identifier: MIT
// The table of codecs: pure facts.
#include <weir/encode.h>

#include <string.h>

#include "base/size.h"

// The fields of blocks of 4x4 texels, which all codecs have.
#define BLOCKS_OF_4X4(bytes) .block_width = 4, .block_height = 4, .block_size = (bytes)

static const struct weir_codec_info codecs[] = {
    {
        .codec = WEIR_CODEC_YCOCG_BC3,
        .name = "ycocg_bc3",
        .description = "scaled YCoCg in BC3: BC4 luma, BC1 chroma; the texture of HAP Q",
        BLOCKS_OF_4X4(16),
        .num_channels = 3,
        .format = VK_FORMAT_BC3_UNORM_BLOCK,
        .max_effort = WEIR_EFFORT_HIGH,
        .has_steady = true,
        .has_proxy = true,
        .has_rdo = true,
    },
    {
        .codec = WEIR_CODEC_BC1,
        .name = "bc1",
        .description = "RGB in BC1, opaque: four colours on a line",
        BLOCKS_OF_4X4(8),
        .num_channels = 3,
        .format = VK_FORMAT_BC1_RGB_UNORM_BLOCK,
        .srgb_format = VK_FORMAT_BC1_RGB_SRGB_BLOCK,
        .max_effort = WEIR_EFFORT_HIGH,
        .has_steady = true,
        .has_proxy = true,
        .has_rdo = true,
    },
    {
        .codec = WEIR_CODEC_BC3,
        .name = "bc3",
        .description = "RGBA in BC3: A as in bc4, RGB as in bc1",
        BLOCKS_OF_4X4(16),
        .num_channels = 4,
        .format = VK_FORMAT_BC3_UNORM_BLOCK,
        .srgb_format = VK_FORMAT_BC3_SRGB_BLOCK,
        .max_effort = WEIR_EFFORT_HIGH,
        .has_steady = true,
        .has_proxy = true,
        .has_rdo = true,
    },
    {
        .codec = WEIR_CODEC_BC4,
        .name = "bc4",
        .description = "R in BC4: eight values between two endpoints, or six and 0 and 255",
        BLOCKS_OF_4X4(8),
        .num_channels = 1,
        .format = VK_FORMAT_BC4_UNORM_BLOCK,
        .max_effort = WEIR_EFFORT_EXHAUSTIVE,
        .has_steady = true,
        .has_rdo = true,
    },
    {
        .codec = WEIR_CODEC_BC5,
        .name = "bc5",
        .description = "R and G in BC5, each as in bc4",
        BLOCKS_OF_4X4(16),
        .num_channels = 2,
        .format = VK_FORMAT_BC5_UNORM_BLOCK,
        .max_effort = WEIR_EFFORT_EXHAUSTIVE,
        .has_rdo = true,
    },
    {
        .codec = WEIR_CODEC_EAC_R11,
        .name = "eac_r11",
        .description = "R in EAC R11, unsigned: a base and eight multiples of a step",
        BLOCKS_OF_4X4(8),
        .num_channels = 1,
        .format = VK_FORMAT_EAC_R11_UNORM_BLOCK,
        .max_effort = WEIR_EFFORT_EXHAUSTIVE,
    },
    {
        .codec = WEIR_CODEC_EAC_RG11,
        .name = "eac_rg11",
        .description = "R and G in EAC RG11, each as in eac_r11",
        BLOCKS_OF_4X4(16),
        .num_channels = 2,
        .format = VK_FORMAT_EAC_R11G11_UNORM_BLOCK,
        .max_effort = WEIR_EFFORT_EXHAUSTIVE,
    },
    {
        .codec = WEIR_CODEC_BC4_SNORM,
        .name = "bc4_snorm",
        .description = "R in BC4, signed: as bc4, of -127 to 127",
        BLOCKS_OF_4X4(8),
        .num_channels = 1,
        .format = VK_FORMAT_BC4_SNORM_BLOCK,
        .max_effort = WEIR_EFFORT_EXHAUSTIVE,
        .is_signed = true,
    },
    {
        .codec = WEIR_CODEC_BC5_SNORM,
        .name = "bc5_snorm",
        .description = "R and G in BC5, each as in bc4_snorm",
        BLOCKS_OF_4X4(16),
        .num_channels = 2,
        .format = VK_FORMAT_BC5_SNORM_BLOCK,
        .max_effort = WEIR_EFFORT_EXHAUSTIVE,
        .is_signed = true,
    },
    {
        .codec = WEIR_CODEC_EAC_R11_SNORM,
        .name = "eac_r11_snorm",
        .description = "R in EAC R11, signed: as eac_r11, of -1023 to 1023",
        BLOCKS_OF_4X4(8),
        .num_channels = 1,
        .format = VK_FORMAT_EAC_R11_SNORM_BLOCK,
        .max_effort = WEIR_EFFORT_EXHAUSTIVE,
        .is_signed = true,
    },
    {
        .codec = WEIR_CODEC_EAC_RG11_SNORM,
        .name = "eac_rg11_snorm",
        .description = "R and G in EAC RG11, each as in eac_r11_snorm",
        BLOCKS_OF_4X4(16),
        .num_channels = 2,
        .format = VK_FORMAT_EAC_R11G11_SNORM_BLOCK,
        .max_effort = WEIR_EFFORT_EXHAUSTIVE,
        .is_signed = true,
    },
    {
        .codec = WEIR_CODEC_BC1A,
        .name = "bc1a",
        .description = "RGBA in BC1, alpha of one bit: three colours and transparent, or four",
        BLOCKS_OF_4X4(8),
        .num_channels = 4,
        .format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK,
        .srgb_format = VK_FORMAT_BC1_RGBA_SRGB_BLOCK,
        .max_effort = WEIR_EFFORT_HIGH,
        .has_proxy = true,
    },
    {
        .codec = WEIR_CODEC_ETC1,
        .name = "etc1",
        .description = "RGB in ETC1: halves of a base and four brightnesses of it",
        BLOCKS_OF_4X4(8),
        .num_channels = 3,
        .format = VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK,
        .srgb_format = VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK,
        .max_effort = WEIR_EFFORT_HIGH,
    },
    {
        .codec = WEIR_CODEC_ETC2_RGB,
        .name = "etc2_rgb",
        .description = "RGB in ETC2: ETC1, two colours, or a plane",
        BLOCKS_OF_4X4(8),
        .num_channels = 3,
        .format = VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK,
        .srgb_format = VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK,
        .max_effort = WEIR_EFFORT_HIGH,
    },
    {
        .codec = WEIR_CODEC_ETC2_RGB8A1,
        .name = "etc2_rgb8a1",
        .description = "RGB in ETC2, transparent where A is below 128",
        BLOCKS_OF_4X4(8),
        .num_channels = 4,
        .format = VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK,
        .srgb_format = VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK,
        .max_effort = WEIR_EFFORT_HIGH,
    },
    {
        .codec = WEIR_CODEC_ETC2_RGBA,
        .name = "etc2_rgba",
        .description = "RGBA in ETC2: A in EAC, RGB as in etc2_rgb",
        BLOCKS_OF_4X4(16),
        .num_channels = 4,
        .format = VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK,
        .srgb_format = VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK,
        .max_effort = WEIR_EFFORT_HIGH,
    },
    {
        .codec = WEIR_CODEC_BC6H_UF16,
        .name = "bc6h",
        .description = "RGB of half floats, 0 to 65504, in BC6H: one line or two",
        BLOCKS_OF_4X4(16),
        .num_channels = 3,
        .format = VK_FORMAT_BC6H_UFLOAT_BLOCK,
        .max_effort = WEIR_EFFORT_HIGH,
        .has_live = true,
    },
    {
        .codec = WEIR_CODEC_BC6H_SF16,
        .name = "bc6h_signed",
        .description = "RGB of half floats with signs in BC6H: one line or two",
        BLOCKS_OF_4X4(16),
        .num_channels = 3,
        .format = VK_FORMAT_BC6H_SFLOAT_BLOCK,
        .max_effort = WEIR_EFFORT_HIGH,
        .has_live = true,
    },
    {
        .codec = WEIR_CODEC_BC7,
        .name = "bc7",
        .description = "RGBA in BC7: up to three lines of colours, the best of eight modes",
        BLOCKS_OF_4X4(16),
        .num_channels = 4,
        .format = VK_FORMAT_BC7_UNORM_BLOCK,
        .srgb_format = VK_FORMAT_BC7_SRGB_BLOCK,
        .max_effort = WEIR_EFFORT_HIGH,
        .has_live = true,
        .has_rdo = true,
    },
};
enum { NUM_CODECS = sizeof(codecs) / sizeof(codecs[0]) };

const struct weir_codec_info *weir_codec_list(size_t *num_codecs)
{
    if (num_codecs) {
        *num_codecs = NUM_CODECS;
    }
    return codecs;
}

const struct weir_codec_info *weir_codec_get_info(enum weir_codec codec)
{
    const enum weir_codec wanted = codec == WEIR_CODEC_DEFAULT ? WEIR_CODEC_YCOCG_BC3 : codec;
    for (int i = 0; i < NUM_CODECS; i++) {
        if (codecs[i].codec == wanted) {
            return &codecs[i];
        }
    }
    return NULL;
}

bool weir_codec_by_name(const char *name, enum weir_codec *codec)
{
    for (int i = 0; name && codec && i < NUM_CODECS; i++) {
        if (strcmp(codecs[i].name, name) == 0) {
            *codec = codecs[i].codec;
            return true;
        }
    }
    return false;
}

uint64_t weir_codec_image_size(enum weir_codec codec, uint32_t width, uint32_t height)
{
    const struct weir_codec_info *info = weir_codec_get_info(codec);
    if (!info) {
        return 0;
    }
    const uint64_t columns = weir_divide_up(width, info->block_width);
    const uint64_t rows = weir_divide_up(height, info->block_height);
    // At most 2^30 blocks a side, of 16 bytes: only 2^64 bytes overflow, to 0.
    return columns * rows * info->block_size;
}
