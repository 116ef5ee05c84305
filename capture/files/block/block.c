// SPDX-License-Identifier: MIT
// The table of formats of compressed texels.
#include "capture/files/block/block.h"

#include <stdbool.h>

// Channels of samples, as Khronos' data format numbers them.
enum {
    R = 0,
    G = 1,
    A = 15,
    RGB = 0,
    RGBA = 1, // of BC1
    ETC = 2,  // colours of ETC2
    NONE = 255,
};

// clang-format off
#define ROW(format, name, size, channels, values, gl, dxgi, model, first, second)                  \
    {VK_FORMAT_##format##_BLOCK, name, size, channels, WEIR_BLOCK_##values, gl, dxgi,              \
     WEIR_BLOCK_MODEL_##model, {first, second}, second == NONE ? 1 : 2}

static const struct weir_block_format formats[] = {
    ROW(BC1_RGB_UNORM, "bc1_rgb_unorm", 8, 3, UNORM, 0x83f0, 71, BC1A, RGB, NONE),
    ROW(BC1_RGB_SRGB, "bc1_rgb_srgb", 8, 3, SRGB, 0x8c4c, 72, BC1A, RGB, NONE),
    ROW(BC1_RGBA_UNORM, "bc1_rgba_unorm", 8, 4, UNORM, 0x83f1, 71, BC1A, RGBA, NONE),
    ROW(BC1_RGBA_SRGB, "bc1_rgba_srgb", 8, 4, SRGB, 0x8c4d, 72, BC1A, RGBA, NONE),
    ROW(BC2_UNORM, "bc2_unorm", 16, 4, UNORM, 0x83f2, 74, BC2, A, RGB),
    ROW(BC2_SRGB, "bc2_srgb", 16, 4, SRGB, 0x8c4e, 75, BC2, A, RGB),
    ROW(BC3_UNORM, "bc3_unorm", 16, 4, UNORM, 0x83f3, 77, BC3, A, RGB),
    ROW(BC3_SRGB, "bc3_srgb", 16, 4, SRGB, 0x8c4f, 78, BC3, A, RGB),
    ROW(BC4_UNORM, "bc4_unorm", 8, 1, UNORM, 0x8dbb, 80, BC4, R, NONE),
    ROW(BC4_SNORM, "bc4_snorm", 8, 1, SNORM, 0x8dbc, 81, BC4, R, NONE),
    ROW(BC5_UNORM, "bc5_unorm", 16, 2, UNORM, 0x8dbd, 83, BC5, R, G),
    ROW(BC5_SNORM, "bc5_snorm", 16, 2, SNORM, 0x8dbe, 84, BC5, R, G),
    ROW(BC6H_UFLOAT, "bc6h_ufloat", 16, 3, FLOAT, 0x8e8f, 95, BC6H, RGB, NONE),
    ROW(BC6H_SFLOAT, "bc6h_sfloat", 16, 3, FLOAT, 0x8e8e, 96, BC6H, RGB, NONE),
    ROW(BC7_UNORM, "bc7_unorm", 16, 4, UNORM, 0x8e8c, 98, BC7, RGB, NONE),
    ROW(BC7_SRGB, "bc7_srgb", 16, 4, SRGB, 0x8e8d, 99, BC7, RGB, NONE),
    ROW(ETC2_R8G8B8_UNORM, "etc2_rgb_unorm", 8, 3, UNORM, 0x9274, 0, ETC2, ETC, NONE),
    ROW(ETC2_R8G8B8_SRGB, "etc2_rgb_srgb", 8, 3, SRGB, 0x9275, 0, ETC2, ETC, NONE),
    ROW(ETC2_R8G8B8A1_UNORM, "etc2_rgba1_unorm", 8, 4, UNORM, 0x9276, 0, ETC2, ETC, A),
    ROW(ETC2_R8G8B8A1_SRGB, "etc2_rgba1_srgb", 8, 4, SRGB, 0x9277, 0, ETC2, ETC, A),
    ROW(ETC2_R8G8B8A8_UNORM, "etc2_rgba_unorm", 16, 4, UNORM, 0x9278, 0, ETC2, A, ETC),
    ROW(ETC2_R8G8B8A8_SRGB, "etc2_rgba_srgb", 16, 4, SRGB, 0x9279, 0, ETC2, A, ETC),
    ROW(EAC_R11_UNORM, "eac_r11_unorm", 8, 1, UNORM, 0x9270, 0, ETC2, R, NONE),
    ROW(EAC_R11_SNORM, "eac_r11_snorm", 8, 1, SNORM, 0x9271, 0, ETC2, R, NONE),
    ROW(EAC_R11G11_UNORM, "eac_rg11_unorm", 16, 2, UNORM, 0x9272, 0, ETC2, R, G),
    ROW(EAC_R11G11_SNORM, "eac_rg11_snorm", 16, 2, SNORM, 0x9273, 0, ETC2, R, G),
};
// clang-format on
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

// Decode a word, or a whole block, of a sample of the format.
static void decode_word(const struct weir_block_format *format, uint32_t sample,
                        const uint8_t *word, float (*texels)[4])
{
    const unsigned number = format->channels[sample], channel = number == A ? 3 : number;
    const bool is_signed = format->values == WEIR_BLOCK_SNORM;
    switch (format->model) {
    case WEIR_BLOCK_MODEL_BC1A:
        weir_decode_bc1(word, true, number == RGBA, texels);
        break;
    case WEIR_BLOCK_MODEL_BC2:
    case WEIR_BLOCK_MODEL_BC3:
        if (number == RGB) {
            weir_decode_bc1(word, false, false, texels);
        } else if (format->model == WEIR_BLOCK_MODEL_BC2) {
            weir_decode_bc2_alpha(word, texels);
        } else {
            weir_decode_bc4(word, false, channel, texels);
        }
        break;
    case WEIR_BLOCK_MODEL_BC4:
    case WEIR_BLOCK_MODEL_BC5:
        weir_decode_bc4(word, is_signed, channel, texels);
        break;
    case WEIR_BLOCK_MODEL_BC6H:
        weir_decode_bc6h(word, format->format == VK_FORMAT_BC6H_SFLOAT_BLOCK, texels);
        break;
    case WEIR_BLOCK_MODEL_BC7:
        weir_decode_bc7(word, texels);
        break;
    case WEIR_BLOCK_MODEL_ETC2:
        if (number == ETC) {
            weir_decode_etc2(word, format->block_size == 8 && format->num_samples == 2, texels);
        } else if (number == A) {
            weir_decode_etc2_alpha(word, texels);
        } else {
            weir_decode_eac(word, is_signed, channel, texels);
        }
        break;
    }
}

void weir_block_decode(const struct weir_block_format *format, const uint8_t *block,
                       float (*texels)[4])
{
    for (int t = 0; t < 16; t++) {
        texels[t][0] = texels[t][1] = texels[t][2] = 0;
        texels[t][3] = 1;
    }
    for (uint32_t i = 0; i < format->num_samples && 8 * i < format->block_size; i++) {
        decode_word(format, i, block + (size_t)8 * i, texels);
    }
}
