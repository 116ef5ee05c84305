// SPDX-License-Identifier: MIT
// The table of codecs: pure facts.
#include <weir/encode.h>

#include <string.h>

#include "base/size.h"

// All codecs have blocks of 4x4 texels.
// clang-format off
#define CODEC(id, called, bytes, channels, effort, about, ...)                                     \
    {                                                                                              \
        .codec = WEIR_CODEC_##id, .name = called, .description = about, .block_width = 4,          \
        .block_height = 4, .block_size = bytes, .num_channels = channels,                          \
        .max_effort = WEIR_EFFORT_##effort, __VA_ARGS__                                            \
    }
#define ONE(name) .format = VK_FORMAT_##name##_BLOCK
#define WITH_SRGB(name) ONE(name##_UNORM), .srgb_format = VK_FORMAT_##name##_SRGB_BLOCK

static const struct weir_codec_info codecs[] = {
    CODEC(YCOCG_BC3, "ycocg_bc3", 16, 3, HIGH,
          "scaled YCoCg in BC3: BC4 luma, BC1 chroma; the texture of HAP Q",
          ONE(BC3_UNORM), .has_steady = true, .has_proxy = true, .has_rdo = true),
    CODEC(BC1, "bc1", 8, 3, HIGH,
          "RGB in BC1, opaque: four colours on a line",
          WITH_SRGB(BC1_RGB),
          .has_live = true, .has_steady = true, .has_proxy = true, .has_rdo = true),
    CODEC(BC3, "bc3", 16, 4, HIGH,
          "RGBA in BC3: A as in bc4, RGB as in bc1",
          WITH_SRGB(BC3), .has_steady = true, .has_proxy = true, .has_rdo = true),
    CODEC(BC4, "bc4", 8, 1, EXHAUSTIVE,
          "R in BC4: eight values between two endpoints, or six and 0 and 255",
          ONE(BC4_UNORM), .has_steady = true, .has_rdo = true),
    CODEC(BC5, "bc5", 16, 2, EXHAUSTIVE,
          "R and G in BC5, each as in bc4", ONE(BC5_UNORM), .has_live = true, .has_rdo = true),
    CODEC(EAC_R11, "eac_r11", 8, 1, EXHAUSTIVE,
          "R in EAC R11, unsigned: a base and eight multiples of a step", ONE(EAC_R11_UNORM)),
    CODEC(EAC_RG11, "eac_rg11", 16, 2, EXHAUSTIVE,
          "R and G in EAC RG11, each as in eac_r11", ONE(EAC_R11G11_UNORM)),
    CODEC(BC4_SNORM, "bc4_snorm", 8, 1, EXHAUSTIVE,
          "R in BC4, signed: as bc4, of -127 to 127", ONE(BC4_SNORM), .is_signed = true),
    CODEC(BC5_SNORM, "bc5_snorm", 16, 2, EXHAUSTIVE,
          "R and G in BC5, each as in bc4_snorm", ONE(BC5_SNORM),
          .has_live = true, .is_signed = true),
    CODEC(EAC_R11_SNORM, "eac_r11_snorm", 8, 1, EXHAUSTIVE,
          "R in EAC R11, signed: as eac_r11, of -1023 to 1023",
          ONE(EAC_R11_SNORM), .is_signed = true),
    CODEC(EAC_RG11_SNORM, "eac_rg11_snorm", 16, 2, EXHAUSTIVE,
          "R and G in EAC RG11, each as in eac_r11_snorm",
          ONE(EAC_R11G11_SNORM), .is_signed = true),
    CODEC(BC1A, "bc1a", 8, 4, HIGH,
          "RGBA in BC1, alpha of one bit: three colours and transparent, or four",
          WITH_SRGB(BC1_RGBA), .has_proxy = true),
    CODEC(ETC1, "etc1", 8, 3, HIGH,
          "RGB in ETC1: halves of a base and four brightnesses of it", WITH_SRGB(ETC2_R8G8B8)),
    CODEC(ETC2_RGB, "etc2_rgb", 8, 3, HIGH,
          "RGB in ETC2: ETC1, two colours, or a plane", WITH_SRGB(ETC2_R8G8B8)),
    CODEC(ETC2_RGB8A1, "etc2_rgb8a1", 8, 4, HIGH,
          "RGB in ETC2, transparent where A is below 128", WITH_SRGB(ETC2_R8G8B8A1)),
    CODEC(ETC2_RGBA, "etc2_rgba", 16, 4, HIGH,
          "RGBA in ETC2: A in EAC, RGB as in etc2_rgb", WITH_SRGB(ETC2_R8G8B8A8)),
    CODEC(BC6H_UF16, "bc6h", 16, 3, HIGH,
          "RGB of half floats, 0 to 65504, in BC6H: one line or two",
          ONE(BC6H_UFLOAT), .has_live = true),
    CODEC(BC6H_SF16, "bc6h_signed", 16, 3, HIGH,
          "RGB of half floats with signs in BC6H: one line or two",
          ONE(BC6H_SFLOAT), .has_live = true),
    CODEC(BC7, "bc7", 16, 4, HIGH,
          "RGBA in BC7: up to three lines of colours, the best of eight modes",
          WITH_SRGB(BC7), .has_live = true, .has_rdo = true),
};
// clang-format on
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
