// SPDX-License-Identifier: MIT
// The table of formats, and the decoder of texels that are not compressed.
#include "capture/files/block/block.h"

#include <math.h>

#include "capture/base/little_endian.h"
#include "capture/base/small_float.h"

// Channels of samples, as Khronos' data format numbers them.
enum {
    R = 0,
    G = 1,
    A = WEIR_BLOCK_ALPHA,
    B = 2,
    RGB = 0,
    RGBA = 1, // of BC1
    ETC = 2,  // colours of ETC2
    NONE = 255,
};

// clang-format off
#define ROW(format, name, size, channels, values, gl, dxgi, model, first, second)                  \
    {VK_FORMAT_##format##_BLOCK, name, size, channels, WEIR_BLOCK_##values, gl, dxgi,              \
     WEIR_BLOCK_MODEL_##model, {first, second}, second == NONE ? 1 : 2, 4, {0}}
// Channels of equal size, which are bytes or words, or which share one word.
#define PLAIN(format, name, bits, num, values, dxgi, ...)                                          \
    {VK_FORMAT_##format, name, (bits) / 8 * (num), num, WEIR_BLOCK_##values, 0, dxgi,              \
     WEIR_BLOCK_MODEL_RGBSDA, {__VA_ARGS__}, num, 1, {bits, bits, bits, bits}}
#define PACKED(format, name, size, num, values, dxgi, c0, b0, c1, b1, c2, b2, c3, b3)              \
    {VK_FORMAT_##format, name, size, num, WEIR_BLOCK_##values, 0, dxgi,                            \
     WEIR_BLOCK_MODEL_RGBSDA, {c0, c1, c2, c3}, num, 1, {b0, b1, b2, b3}}

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
    PLAIN(R8_UNORM, "r8_unorm", 8, 1, UNORM, 61, R),
    PLAIN(R8_SNORM, "r8_snorm", 8, 1, SNORM, 63, R),
    PLAIN(R8_SRGB, "r8_srgb", 8, 1, SRGB, 0, R),
    PLAIN(R8G8_UNORM, "rg8_unorm", 8, 2, UNORM, 49, R, G),
    PLAIN(R8G8_SNORM, "rg8_snorm", 8, 2, SNORM, 51, R, G),
    PLAIN(R8G8_SRGB, "rg8_srgb", 8, 2, SRGB, 0, R, G),
    PLAIN(R8G8B8_UNORM, "rgb8_unorm", 8, 3, UNORM, 0, R, G, B),
    PLAIN(R8G8B8_SRGB, "rgb8_srgb", 8, 3, SRGB, 0, R, G, B),
    PLAIN(B8G8R8_UNORM, "bgr8_unorm", 8, 3, UNORM, 0, B, G, R),
    PLAIN(B8G8R8_SRGB, "bgr8_srgb", 8, 3, SRGB, 0, B, G, R),
    PLAIN(R8G8B8A8_UNORM, "rgba8_unorm", 8, 4, UNORM, 28, R, G, B, A),
    PLAIN(R8G8B8A8_SNORM, "rgba8_snorm", 8, 4, SNORM, 31, R, G, B, A),
    PLAIN(R8G8B8A8_SRGB, "rgba8_srgb", 8, 4, SRGB, 29, R, G, B, A),
    PLAIN(B8G8R8A8_UNORM, "bgra8_unorm", 8, 4, UNORM, 87, B, G, R, A),
    PLAIN(B8G8R8A8_SRGB, "bgra8_srgb", 8, 4, SRGB, 91, B, G, R, A),
    PLAIN(R16_UNORM, "r16_unorm", 16, 1, UNORM, 56, R),
    PLAIN(R16_SNORM, "r16_snorm", 16, 1, SNORM, 58, R),
    PLAIN(R16_SFLOAT, "r16_sfloat", 16, 1, FLOAT, 54, R),
    PLAIN(R16G16_UNORM, "rg16_unorm", 16, 2, UNORM, 35, R, G),
    PLAIN(R16G16_SNORM, "rg16_snorm", 16, 2, SNORM, 37, R, G),
    PLAIN(R16G16_SFLOAT, "rg16_sfloat", 16, 2, FLOAT, 34, R, G),
    PLAIN(R16G16B16_UNORM, "rgb16_unorm", 16, 3, UNORM, 0, R, G, B),
    PLAIN(R16G16B16_SFLOAT, "rgb16_sfloat", 16, 3, FLOAT, 0, R, G, B),
    PLAIN(R16G16B16A16_UNORM, "rgba16_unorm", 16, 4, UNORM, 11, R, G, B, A),
    PLAIN(R16G16B16A16_SNORM, "rgba16_snorm", 16, 4, SNORM, 13, R, G, B, A),
    PLAIN(R16G16B16A16_SFLOAT, "rgba16_sfloat", 16, 4, FLOAT, 10, R, G, B, A),
    PLAIN(R32_SFLOAT, "r32_sfloat", 32, 1, FLOAT, 41, R),
    PLAIN(R32G32_SFLOAT, "rg32_sfloat", 32, 2, FLOAT, 16, R, G),
    PLAIN(R32G32B32_SFLOAT, "rgb32_sfloat", 32, 3, FLOAT, 6, R, G, B),
    PLAIN(R32G32B32A32_SFLOAT, "rgba32_sfloat", 32, 4, FLOAT, 2, R, G, B, A),
    PACKED(R5G6B5_UNORM_PACK16, "r5g6b5_unorm", 2, 3, UNORM, 85, B, 5, G, 6, R, 5, 0, 0),
    PACKED(B5G6R5_UNORM_PACK16, "b5g6r5_unorm", 2, 3, UNORM, 0, R, 5, G, 6, B, 5, 0, 0),
    PACKED(A1R5G5B5_UNORM_PACK16, "a1r5g5b5_unorm", 2, 4, UNORM, 86, B, 5, G, 5, R, 5, A, 1),
    PACKED(R5G5B5A1_UNORM_PACK16, "r5g5b5a1_unorm", 2, 4, UNORM, 0, A, 1, B, 5, G, 5, R, 5),
    PACKED(A4R4G4B4_UNORM_PACK16_EXT, "a4r4g4b4_unorm", 2, 4, UNORM, 115, B, 4, G, 4, R, 4, A, 4),
    PACKED(R4G4B4A4_UNORM_PACK16, "r4g4b4a4_unorm", 2, 4, UNORM, 0, A, 4, B, 4, G, 4, R, 4),
    PACKED(A2R10G10B10_UNORM_PACK32, "a2r10g10b10_unorm", 4, 4, UNORM, 0,
           B, 10, G, 10, R, 10, A, 2),
    PACKED(A2B10G10R10_UNORM_PACK32, "a2b10g10r10_unorm", 4, 4, UNORM, 24,
           R, 10, G, 10, B, 10, A, 2),
    PACKED(B10G11R11_UFLOAT_PACK32, "b10g11r11_ufloat", 4, 3, FLOAT, 26, R, 11, G, 11, B, 10, 0, 0),
    PACKED(E5B9G9R9_UFLOAT_PACK32, "e5b9g9r9_ufloat", 4, 3, FLOAT, 67, R, 9, G, 9, B, 9, 0, 0),
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
    case WEIR_BLOCK_MODEL_RGBSDA: // decode_texel()
        break;
    }
}

uint32_t weir_block_bit_offset(const struct weir_block_format *format, uint32_t sample)
{
    uint32_t offset = 0;
    for (uint32_t i = 0; i < sample; i++) {
        offset += format->bits[i];
    }
    return offset;
}

// Three fractions and the exponent of all (Vulkan, "RGB9E5").
static void decode_shared_exponent(const uint8_t *bytes, float texel[4])
{
    const uint32_t word = weir_get_u32(bytes);
    for (uint32_t c = 0; c < 3; c++) {
        texel[c] = ldexpf((float)(word >> 9 * c & 511), (int)(word >> 27) - 15 - 9);
    }
}

static float value_of(enum weir_block_values values, uint32_t bits, uint32_t num_bits)
{
    const uint32_t max = (uint32_t)(((uint64_t)1 << num_bits) - 1), half = max / 2;
    union {
        uint32_t bits;
        float value;
    } word = {bits};
    if (values == WEIR_BLOCK_FLOAT) {
        return num_bits == 32   ? word.value
               : num_bits == 16 ? weir_half_value((uint16_t)bits)
                                : weir_small_float_value(bits, (int)num_bits - 5);
    }
    if (values == WEIR_BLOCK_SNORM) { // two codes stand for -1
        const float value = (float)((int32_t)bits - (bits > half ? (int32_t)max + 1 : 0));
        return value < -(float)half ? -1 : value / (float)half;
    }
    return (float)bits / (float)max;
}

static void decode_texel(const struct weir_block_format *format, const uint8_t *bytes,
                         float texel[4])
{
    for (uint32_t i = 0; i < format->num_samples; i++) {
        const uint32_t first = weir_block_bit_offset(format, i), end = first + format->bits[i];
        uint64_t word = 0;
        for (uint32_t byte = first / 8; byte < (end + 7) / 8; byte++) {
            word |= (uint64_t)bytes[byte] << (8 * (byte - first / 8));
        }
        const uint64_t mask = ((uint64_t)1 << format->bits[i]) - 1;
        const uint32_t channel = format->channels[i] == A ? 3 : format->channels[i];
        texel[channel] = value_of(format->values, (uint32_t)(word >> first % 8 & mask),
                                  format->bits[i]);
    }
}

void weir_block_decode(const struct weir_block_format *format, const uint8_t *block,
                       float (*texels)[4])
{
    for (uint32_t t = 0; t < format->side * format->side; t++) {
        texels[t][0] = texels[t][1] = texels[t][2] = 0;
        texels[t][3] = 1;
    }
    if (format->format == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32) {
        decode_shared_exponent(block, texels[0]);
        return;
    }
    if (format->side == 1) {
        decode_texel(format, block, texels[0]);
        return;
    }
    for (uint32_t i = 0; i < format->num_samples && 8 * i < format->block_size; i++) {
        decode_word(format, i, block + (size_t)8 * i, texels);
    }
}
