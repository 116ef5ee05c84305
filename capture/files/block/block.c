// SPDX-License-Identifier: MIT
// The table of formats of compressed texels.
#include "capture/files/block/block.h"

#include "capture/files/block/decode.h"

// clang-format off
#define ROW(format, name, size, channels, values, decoder)                                         \
    {VK_FORMAT_##format##_BLOCK, name, size, channels, WEIR_BLOCK_##values, weir_decode_##decoder}
// clang-format on

static const struct weir_block_format formats[] = {
    ROW(BC1_RGB_UNORM, "bc1_rgb_unorm", 8, 3, UNORM, bc1_rgb),
    ROW(BC1_RGB_SRGB, "bc1_rgb_srgb", 8, 3, SRGB, bc1_rgb),
    ROW(BC1_RGBA_UNORM, "bc1_rgba_unorm", 8, 4, UNORM, bc1_rgba),
    ROW(BC1_RGBA_SRGB, "bc1_rgba_srgb", 8, 4, SRGB, bc1_rgba),
    ROW(BC2_UNORM, "bc2_unorm", 16, 4, UNORM, bc2),
    ROW(BC2_SRGB, "bc2_srgb", 16, 4, SRGB, bc2),
    ROW(BC3_UNORM, "bc3_unorm", 16, 4, UNORM, bc3),
    ROW(BC3_SRGB, "bc3_srgb", 16, 4, SRGB, bc3),
    ROW(BC4_UNORM, "bc4_unorm", 8, 1, UNORM, bc4_unorm),
    ROW(BC4_SNORM, "bc4_snorm", 8, 1, SNORM, bc4_snorm),
    ROW(BC5_UNORM, "bc5_unorm", 16, 2, UNORM, bc5_unorm),
    ROW(BC5_SNORM, "bc5_snorm", 16, 2, SNORM, bc5_snorm),
    ROW(BC6H_UFLOAT, "bc6h_ufloat", 16, 3, FLOAT, bc6h_ufloat),
    ROW(BC6H_SFLOAT, "bc6h_sfloat", 16, 3, FLOAT, bc6h_sfloat),
    ROW(BC7_UNORM, "bc7_unorm", 16, 4, UNORM, bc7),
    ROW(BC7_SRGB, "bc7_srgb", 16, 4, SRGB, bc7),
    ROW(ETC2_R8G8B8_UNORM, "etc2_rgb_unorm", 8, 3, UNORM, etc2_rgb),
    ROW(ETC2_R8G8B8_SRGB, "etc2_rgb_srgb", 8, 3, SRGB, etc2_rgb),
    ROW(ETC2_R8G8B8A1_UNORM, "etc2_rgba1_unorm", 8, 4, UNORM, etc2_rgba1),
    ROW(ETC2_R8G8B8A1_SRGB, "etc2_rgba1_srgb", 8, 4, SRGB, etc2_rgba1),
    ROW(ETC2_R8G8B8A8_UNORM, "etc2_rgba_unorm", 16, 4, UNORM, etc2_rgba),
    ROW(ETC2_R8G8B8A8_SRGB, "etc2_rgba_srgb", 16, 4, SRGB, etc2_rgba),
    ROW(EAC_R11_UNORM, "eac_r11_unorm", 8, 1, UNORM, eac_r11_unorm),
    ROW(EAC_R11_SNORM, "eac_r11_snorm", 8, 1, SNORM, eac_r11_snorm),
    ROW(EAC_R11G11_UNORM, "eac_rg11_unorm", 16, 2, UNORM, eac_rg11_unorm),
    ROW(EAC_R11G11_SNORM, "eac_rg11_snorm", 16, 2, SNORM, eac_rg11_snorm),
};
enum { NUM_FORMATS_OF_TABLE = sizeof(formats) / sizeof(formats[0]) };

const struct weir_block_format *weir_block_formats(size_t *num_formats)
{
    *num_formats = NUM_FORMATS_OF_TABLE;
    return formats;
}

const struct weir_block_format *weir_block_get_format(VkFormat format)
{
    for (size_t i = 0; i < NUM_FORMATS_OF_TABLE; i++) {
        if (formats[i].format == format) {
            return &formats[i];
        }
    }
    return NULL;
}
