// SPDX-License-Identifier: MIT
// Decodes a level of a texture into rows of RGBA, as a sampler reads them.
#include <stdlib.h>
#include <string.h>

#include <weir/pyramid.h>

#include "capture/base/size.h"
#include "capture/files/block/block.h"
#include "capture/files/texture/texture.h"

void weir_swizzle_texel(const char *swizzle, float texel[4])
{
    static const char letters[] = "rgba01";
    const float old[] = {texel[0], texel[1], texel[2], texel[3], 0, 1};
    const size_t length = strlen(swizzle);
    for (size_t c = 0; c < 4; c++) {
        const char letter = c < length ? swizzle[c] : c == 3 ? '1' : '0';
        texel[c] = old[strchr(letters, letter) - letters];
    }
}

// Decode a row of blocks into `rows`, each `pitch` floats long.
static void decode_blocks(const struct weir_block_format *format, const uint8_t *blocks,
                          uint32_t width, float *rows, size_t pitch)
{
    float texels[16][4];
    for (uint32_t left = 0; left < width; left += format->side) {
        weir_block_decode(format, blocks, texels);
        blocks += format->block_size;
        for (size_t i = 0; i < format->side; i++) {
            memcpy(rows + i * pitch + (size_t)left * 4, texels[i * format->side],
                   sizeof(texels[0]) * format->side);
        }
    }
}

bool weir_texture_has_alpha(const struct weir_texture *texture)
{
    return texture->swizzle[0] != 0 ? texture->swizzle[3] != '1'
                                    : weir_block_get_format(texture->format)->num_channels == 4;
}

enum weir_result weir_texture_decode(const struct weir_texture *texture, uint32_t level,
                                     uint32_t image,
                                     void (*put)(void *user, uint32_t y, float *row), void *user)
{
    const struct weir_block_format *format = weir_block_get_format(texture->format);
    const VkExtent2D extent = weir_pyramid_level_extent(texture->width, texture->height, level);
    const size_t columns = weir_divide_up(extent.width, format->side);
    const size_t pitch = columns * format->side * 4;
    const uint8_t *blocks = weir_texture_image(texture, level, image);
    float *rows = malloc(pitch * format->side * sizeof(*rows));
    for (uint32_t top = 0; rows && top < extent.height; top += format->side) {
        decode_blocks(format, blocks, extent.width, rows, pitch);
        blocks += columns * format->block_size;
        for (uint32_t y = top; y < top + format->side && y < extent.height; y++) {
            float *row = rows + (y - top) * pitch;
            for (size_t x = 0; texture->swizzle[0] != 0 && x < extent.width; x++) {
                weir_swizzle_texel(texture->swizzle, row + 4 * x);
            }
            put(user, texture->is_bottom_up ? extent.height - 1 - y : y, row);
        }
    }
    free(rows);
    return rows ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}
