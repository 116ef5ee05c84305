// SPDX-License-Identifier: MIT
// Texels of a pyramid's formats in host memory, from and to rows of RGBA floats.
#include "capture/files/picture/picture.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "capture/base/small_float.h"

uint32_t weir_texel_unorm(float value, uint32_t max)
{
    if (!(value > 0)) {
        return 0;
    }
    return value < 1 ? (uint32_t)lrint((double)value * max) : max;
}

// Pack a texel whose channels share a word. Returns false if the format has no such texels.
static bool pack_word(VkFormat format, const float *texel, uint32_t *word)
{
    if (format == VK_FORMAT_A2B10G10R10_UNORM_PACK32) {
        *word = weir_texel_unorm(texel[0], 1023) | weir_texel_unorm(texel[1], 1023) << 10 |
                weir_texel_unorm(texel[2], 1023) << 20 | weir_texel_unorm(texel[3], 3) << 30;
    } else if (format == VK_FORMAT_B10G11R11_UFLOAT_PACK32) {
        *word = weir_small_float_from(texel[0], 6) | weir_small_float_from(texel[1], 6) << 11 |
                weir_small_float_from(texel[2], 5) << 22;
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
        texel[0] = weir_small_float_value(word & 0x7ff, 6);
        texel[1] = weir_small_float_value(word >> 11 & 0x7ff, 6);
        texel[2] = weir_small_float_value(word >> 22, 5);
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
                          : format->is_float ? weir_half_from(value)
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
        return format->is_float ? weir_half_value(word) : (float)word / UINT16_MAX;
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

// IEC 61966-2-1.
static float decode(float code)
{
    return code <= 0.04045f ? code / 12.92f : powf((code + 0.055f) / 1.055f, 2.4f);
}

static float encode(float light)
{
    if (!(light > 0)) {
        return 0;
    }
    if (light >= 1) {
        return 1;
    }
    return light <= 0.0031308f ? 12.92f * light : 1.055f * powf(light, 1 / 2.4f) - 0.055f;
}

void weir_values_convert(float *row, uint32_t width, enum weir_values from, enum weir_values to)
{
    if (from == to || from == WEIR_VALUES_DATA || to == WEIR_VALUES_DATA) {
        return;
    }
    for (size_t i = 0; i < 4 * (size_t)width; i++) {
        if (i % 4 != 3) {
            row[i] = to == WEIR_VALUES_LINEAR ? decode(row[i]) : encode(row[i]);
        }
    }
}
