// SPDX-License-Identifier: MIT
// Texels of a pyramid's formats in host memory, from and to rows of RGBA floats. All are formats of
// weir_block_formats() that are not compressed.
#include "capture/files/picture/picture.h"

#include <math.h>
#include <string.h>

#include "capture/base/small_float.h"
#include "capture/files/block/block.h"

uint32_t weir_texel_unorm(float value, uint32_t max)
{
    if (!(value > 0)) {
        return 0;
    }
    return value < 1 ? (uint32_t)lrint((double)value * max) : max;
}

static uint32_t bits_from(const struct weir_block_format *format, float value, uint32_t num_bits)
{
    uint32_t word;
    memcpy(&word, &value, sizeof(word));
    return format->values != WEIR_BLOCK_FLOAT ? weir_texel_unorm(value, (1u << num_bits) - 1)
           : num_bits == 32                   ? word
           : num_bits == 16                   ? weir_half_from(value)
                                              : weir_small_float_from(value, (int)num_bits - 5);
}

static void pack(const struct weir_block_format *format, const float texel[4], uint8_t *bytes)
{
    uint32_t first = 0; // bit of the sample
    memset(bytes, 0, format->block_size);
    for (uint32_t i = 0; i < format->num_samples; first += format->bits[i++]) {
        const uint32_t channel = format->channels[i] == WEIR_BLOCK_ALPHA ? 3 : format->channels[i];
        uint64_t word = (uint64_t)bits_from(format, texel[channel], format->bits[i]) << first % 8;
        for (uint8_t *at = bytes + first / 8; word > 0; word >>= 8) {
            *at++ |= (uint8_t)word;
        }
    }
}

void weir_texel_pack(const struct weir_pyramid_format_info *format, const float *row,
                     uint32_t width, uint8_t *texels)
{
    const struct weir_block_format *texel = weir_block_get_format(format->format);
    for (uint32_t x = 0; x < width; x++) {
        pack(texel, row + 4 * (size_t)x, texels + texel->block_size * (size_t)x);
    }
}

void weir_texel_unpack(const struct weir_pyramid_format_info *format, const uint8_t *texels,
                       uint32_t width, float *row)
{
    const struct weir_block_format *texel = weir_block_get_format(format->format);
    for (uint32_t x = 0; x < width; x++) {
        weir_block_decode(texel, texels + texel->block_size * (size_t)x,
                          (float(*)[4])(void *)(row + 4 * (size_t)x));
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
