// SPDX-License-Identifier: MIT
// Texels of a pyramid's formats in host memory, from and to rows of RGBA floats.
#include "capture/files/picture/texel.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

uint32_t weir_texel_unorm(float value, uint32_t max)
{
    if (!(value > 0)) {
        return 0;
    }
    return value < 1 ? (uint32_t)lrint((double)value * max) : max;
}

// Floats of 5 exponent bits and no sign (Vulkan, "11-Bit and 10-Bit Floating-Point Numbers", and
// the magnitude of a 16-bit one): to nearest, ties to even, as the default rounding does.
enum { SMALL_BIAS = 15, SMALL_LEAST = 1 - SMALL_BIAS, SMALL_SPECIAL = 31 };

static uint32_t to_small(float value, int mantissa)
{
    const uint32_t infinity = (uint32_t)SMALL_SPECIAL << mantissa;
    if (isnan(value)) {
        return infinity | 1u << (mantissa - 1);
    }
    if (!(value > 0)) {
        return 0;
    }
    if (isinf(value)) {
        return infinity;
    }
    int exponent = ilogbf(value);
    if (exponent > SMALL_BIAS) {
        return infinity - 1;
    }
    exponent = exponent < SMALL_LEAST ? SMALL_LEAST : exponent;
    // The leading one of the mantissa carries into the exponent, and so does a mantissa rounded up.
    uint32_t bits = (uint32_t)lrint(ldexp((double)value, mantissa - exponent)) +
                    ((uint32_t)(exponent - SMALL_LEAST) << mantissa);
    return bits < infinity ? bits : infinity - 1;
}

static float from_small(uint32_t bits, int mantissa)
{
    const uint32_t fraction = bits & ((1u << mantissa) - 1);
    const int exponent = (int)(bits >> mantissa);
    if (exponent == SMALL_SPECIAL) {
        return fraction != 0 ? NAN : INFINITY;
    }
    const uint32_t one = exponent > 0 ? 1u << mantissa : 0;
    const int scale = (exponent > 0 ? exponent - SMALL_BIAS : SMALL_LEAST) - mantissa;
    return ldexpf((float)(one + fraction), scale);
}

static uint16_t to_half(float value)
{
    return (uint16_t)((signbit(value) ? 0x8000u : 0) | to_small(fabsf(value), 10));
}

static float from_half(uint16_t bits)
{
    const float value = from_small(bits & 0x7fffu, 10);
    return (bits & 0x8000u) != 0 ? -value : value;
}

// Pack a texel whose channels share a word. Returns false if the format has no such texels.
static bool pack_word(VkFormat format, const float *texel, uint32_t *word)
{
    if (format == VK_FORMAT_A2B10G10R10_UNORM_PACK32) {
        *word = weir_texel_unorm(texel[0], 1023) | weir_texel_unorm(texel[1], 1023) << 10 |
                weir_texel_unorm(texel[2], 1023) << 20 | weir_texel_unorm(texel[3], 3) << 30;
    } else if (format == VK_FORMAT_B10G11R11_UFLOAT_PACK32) {
        *word = to_small(texel[0], 6) | to_small(texel[1], 6) << 11 | to_small(texel[2], 5) << 22;
    } else {
        return false;
    }
    return true;
}

static bool unpack_word(VkFormat format, uint32_t word, float *texel)
{
    if (format == VK_FORMAT_A2B10G10R10_UNORM_PACK32) {
        for (int c = 0; c < 3; c++) {
            texel[c] = (float)(word >> (10 * c) & 1023) / 1023;
        }
        texel[3] = (float)(word >> 30) / 3;
    } else if (format == VK_FORMAT_B10G11R11_UFLOAT_PACK32) {
        texel[0] = from_small(word & 0x7ff, 6);
        texel[1] = from_small(word >> 11 & 0x7ff, 6);
        texel[2] = from_small(word >> 22, 5);
    } else {
        return false;
    }
    return true;
}

// Pack a channel, for formats whose channels lie one after the other in memory.
static void pack_channel(const struct weir_pyramid_format_info *format, float value,
                         uint32_t channel, uint8_t *texel)
{
    const uint32_t size = format->texel_size / format->num_channels;
    const uint16_t word = size != 2          ? 0
                          : format->is_float ? to_half(value)
                                             : (uint16_t)weir_texel_unorm(value, UINT16_MAX);
    if (size == 1) {
        texel[channel] = (uint8_t)weir_texel_unorm(value, UINT8_MAX);
    } else if (size == 2) {
        memcpy(texel + (size_t)2 * channel, &word, sizeof(word));
    } else {
        memcpy(texel + (size_t)4 * channel, &value, sizeof(value));
    }
}

static float unpack_channel(const struct weir_pyramid_format_info *format, const uint8_t *texel,
                            uint32_t channel)
{
    const uint32_t size = format->texel_size / format->num_channels;
    if (size == 1) {
        return (float)texel[channel] / UINT8_MAX;
    }
    if (size == 2) {
        uint16_t word;
        memcpy(&word, texel + (size_t)2 * channel, sizeof(word));
        return format->is_float ? from_half(word) : (float)word / UINT16_MAX;
    }
    float value;
    memcpy(&value, texel + (size_t)4 * channel, sizeof(value));
    return value;
}

// Get the position in the texel of channel `c` of RGBA.
static uint32_t place(const struct weir_pyramid_format_info *format, uint32_t c)
{
    const bool bgra = format->format == VK_FORMAT_B8G8R8A8_UNORM ||
                      format->format == VK_FORMAT_B8G8R8A8_SRGB;
    return bgra && c < 3 ? 2 - c : c;
}

void weir_texel_pack(const struct weir_pyramid_format_info *format, const float *row,
                     uint32_t width, uint8_t *texels)
{
    for (uint32_t x = 0; x < width; x++, row += 4, texels += format->texel_size) {
        uint32_t word;
        if (pack_word(format->format, row, &word)) {
            memcpy(texels, &word, sizeof(word));
            continue;
        }
        for (uint32_t c = 0; c < format->num_channels; c++) {
            pack_channel(format, row[c], place(format, c), texels);
        }
    }
}

void weir_texel_unpack(const struct weir_pyramid_format_info *format, const uint8_t *texels,
                       uint32_t width, float *row)
{
    for (uint32_t x = 0; x < width; x++, row += 4, texels += format->texel_size) {
        uint32_t word = 0;
        row[0] = row[1] = row[2] = 0;
        row[3] = 1;
        if (format->texel_size == sizeof(word)) {
            memcpy(&word, texels, sizeof(word));
        }
        if (unpack_word(format->format, word, row)) {
            continue;
        }
        for (uint32_t c = 0; c < format->num_channels; c++) {
            row[c] = unpack_channel(format, texels, place(format, c));
        }
    }
}
