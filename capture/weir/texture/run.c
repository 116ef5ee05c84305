// SPDX-License-Identifier: MIT
// Encodes a picture on the device: uploads it, makes its mip levels, encodes them, and reads the
// blocks back.
#include "capture/weir/texture/texture.h"

#include <string.h>

#include <weir/pyramid.h>

#include "capture/base/size.h"
#include "capture/files/block/block.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"

// A tile takes 64 or 128 MiB of staging memory, and no dispatch takes so long that a driver gives
// up on it.
static const uint32_t max_tile_texels = 1 << 24, max_tile_side = 1 << 16;
// Tiles have sides of whole blocks, and of whole tiles of an optimiser, of which 128 is a multiple.
// So they do not change the blocks: but where a level is wider than an image of the device may be,
// an optimiser takes copies to be as near as they are in the tile.
enum { BLOCK_SIDE = 4, TILE_SIDE = 128 };

// Get the format of the images that are encoded. Half floats have signs, and pyramids can make
// levels of them.
static VkFormat choose_format(const struct cli_gpu *gpu, const struct weir_codec_info *codec)
{
    if (texture_codec_is_float(codec) || codec->is_signed) {
        return VK_FORMAT_R16G16B16A16_SFLOAT;
    }
    const bool is_deep = codec->codec == WEIR_CODEC_EAC_R11 || codec->codec == WEIR_CODEC_EAC_RG11;
    return is_deep && cli_gpu_has_format(gpu, VK_FORMAT_R16G16B16A16_UNORM)
               ? VK_FORMAT_R16G16B16A16_UNORM
               : VK_FORMAT_R8G8B8A8_UNORM;
}

enum weir_result texture_open(struct texture *texture)
{
    const struct texture_options *chosen = texture->options;
    WEIR_TRY(cli_gpu_open(&texture->gpu, weir_device_params(.index = (uint32_t)chosen->device,
                                                            .validation = chosen->validation)));
    const VkFormat format = choose_format(&texture->gpu, texture->codec);
    texture->format = weir_pyramid_format_get_info(format);
    if (texture_codec_is_texels(texture->codec)) {
        return WEIR_OK;
    }
    return cli_coder_init(
        &texture->gpu, format,
        weir_encoder_params(.codec = texture->codec->codec, .effort = texture->effort,
                            .decoder = (enum weir_decoder_model)chosen->decoder,
                            .bc1_black = chosen->bc1_black, .bc1_dither = chosen->bc1_dither,
                            .bc6h_log = chosen->metric == 1, // "log"
                            .bc7_alpha_unread = texture->alpha == TEXTURE_ALPHA_UNREAD),
        (uint32_t)chosen->quality, true, &texture->coder);
}

enum weir_result texture_close(struct texture *texture, enum weir_result result)
{
    if (texture->gpu.device) {
        cli_pyramid_finish(&texture->mips);
        cli_tile_finish(&texture->tile);
        cli_coder_finish(&texture->coder);
    }
    return cli_gpu_close_behind(&texture->gpu, result);
}

// Multiply colours by alpha as a sampler will read them: sRGB codes are multiplied in linear light.
static void multiply_by_alpha(float *row, uint32_t width, bool srgb)
{
    const enum weir_values values = srgb ? WEIR_VALUES_SRGB : WEIR_VALUES_LINEAR;
    for (const float *end = row + 4 * (size_t)width; row != end; row += 4) {
        if (row[3] >= 1) {
            continue;
        }
        weir_values_convert(row, 1, values, WEIR_VALUES_LINEAR);
        for (int c = 0; c < 3; c++) {
            row[c] *= row[3];
        }
        weir_values_convert(row, 1, WEIR_VALUES_LINEAR, values);
    }
}

// What is transparent keeps its colours, which nothing shows how to divide.
static void divide_by_alpha(float *row, uint32_t width)
{
    for (const float *end = row + 4 * (size_t)width; row != end; row += 4) {
        for (int c = 0; c < 3 && row[3] > 0; c++) {
            row[c] /= row[3];
        }
    }
}

static void remove_alpha(float *row, uint32_t width)
{
    for (size_t x = 0; x < width; x++) {
        row[4 * x + 3] = 1;
    }
}

static void make_signed(float *row, uint32_t width)
{
    for (size_t i = 0; i < 4 * (size_t)width; i++) {
        if (i % 4 != 3) {
            row[i] = 2 * row[i] - 1;
        }
    }
}

// Convert a row to the values that are uploaded: linear light, signed values, or the picture's own
// values, by the codec.
static void pack_row(struct texture *texture, uint32_t y, uint32_t first, uint32_t width,
                     uint8_t *texels)
{
    const struct weir_picture *picture = texture->picture;
    const enum texture_alpha alpha = picture->has_alpha ? texture->alpha : TEXTURE_ALPHA_DATA;
    float *row = texture->row + 4 * (size_t)first;
    const uint8_t *bytes = weir_picture_bytes(picture, y);
    const bool is_unchanged = alpha == TEXTURE_ALPHA_STRAIGHT || alpha == TEXTURE_ALPHA_DATA;
    if (bytes && texture->format->red_bits == 8 && is_unchanged) {
        memcpy(texels, bytes + 4 * (size_t)first, 4 * (size_t)width);
        return;
    }
    weir_picture_row(picture, y, texture->row);
    if (texture->codec->is_signed) {
        make_signed(row, width);
    } else if (texture->format->is_float && !picture->is_linear) {
        weir_values_convert(row, width, WEIR_VALUES_SRGB, WEIR_VALUES_LINEAR);
    }
    if (alpha == TEXTURE_ALPHA_STRAIGHT && picture->is_premultiplied) {
        divide_by_alpha(row, width);
    } else if (alpha == TEXTURE_ALPHA_MULTIPLY && !picture->is_premultiplied) {
        multiply_by_alpha(row, width, texture->srgb);
    } else if (alpha == TEXTURE_ALPHA_IGNORE || alpha == TEXTURE_ALPHA_UNREAD) {
        remove_alpha(row, width);
    }
    weir_texel_pack(texture->format, row, width, texels);
}

static void fill_row(void *user, uint32_t y, uint8_t *texels)
{
    struct texture *texture = user;
    pack_row(texture, y, 0, texture->picture->width, texels);
}

static enum weir_pyramid_reduction choose_reduction(const struct texture *texture)
{
    const bool is_weighted = texture->alpha == TEXTURE_ALPHA_STRAIGHT &&
                             texture->picture->has_alpha &&
                             texture_codec_has_alpha(texture->codec) &&
                             !texture->options->level.changes.normals;
    return is_weighted ? WEIR_PYRAMID_ALPHA_MEAN : WEIR_PYRAMID_MEAN;
}

// One pyramid serves pictures of one size and kind.
static bool fits(const struct cli_pyramid *mips, const struct cli_pyramid_params *params)
{
    return mips->params.width == params->width && mips->params.height == params->height &&
           mips->params.reduction == params->reduction;
}

enum weir_result texture_make_levels(struct texture *texture, const char *name, uint32_t num)
{
    const struct weir_picture *picture = texture->picture;
    const struct cli_pyramid_params params = {
        .reduction = choose_reduction(texture),
        .format = texture->srgb ? weir_pyramid_format_get_info(VK_FORMAT_R8G8B8A8_SRGB)
                                : texture->format,
        .width = picture->width,
        .height = picture->height,
        .levels = num,
        .by_host = cli_levels_by_host(&texture->options->level),
    };
    WEIR_TRY(cli_gpu_check_side(&texture->gpu, name, picture->width, picture->height));
    enum weir_result result = WEIR_OK;
    if (!fits(&texture->mips, &params)) {
        cli_pyramid_finish(&texture->mips);
        result = cli_pyramid_init(&texture->mips, &texture->gpu, &params);
    }
    if (result == WEIR_OK) {
        result = cli_pyramid_upload(&texture->mips, 0, fill_row, texture);
    }
    if (result == WEIR_OK) {
        result = cli_levels_make(&texture->mips, &texture->options->level,
                                 texture->codec->is_signed);
    }
    if (result != WEIR_OK) {
        cli_pyramid_finish(&texture->mips); // the next picture may have the same size
    }
    return result;
}

// A part of a level, in texels.
struct part {
    uint32_t level, x, y, width, height;
};

// Encode a tile, of the pyramid where that holds it; else its texels are uploaded.
static enum weir_result execute(struct texture *texture, const struct part *part)
{
    const bool has_pyramid = texture->makes_levels;
    const struct cli_tile_source source = {
        .image = has_pyramid ? texture->mips.image.params.image : VK_NULL_HANDLE,
        .level = part->level,
        .x = part->x,
        .y = part->y,
    };
    const size_t pitch = (size_t)part->width * texture->format->texel_size;
    for (uint32_t y = 0; y < part->height && !has_pyramid; y++) {
        pack_row(texture, part->y + y, part->x, part->width,
                 texture->tile.staging.mapped + y * pitch);
    }
    return cli_tile_encode(&texture->tile, &source);
}

static VkExtent2D extent_of(const struct weir_texture *levels, uint32_t level)
{
    return weir_pyramid_level_extent(levels->width, levels->height, level);
}

// Copy the rows of blocks of a tile to their places in the level.
static void take_blocks(const struct texture *texture, const struct weir_texture *levels,
                        const struct part *part, uint8_t *blocks)
{
    const size_t block_size = weir_block_get_format(levels->format)->block_size;
    const uint32_t width = extent_of(levels, part->level).width;
    const size_t pitch = weir_divide_up(width, BLOCK_SIDE) * block_size;
    const size_t row = weir_divide_up(part->width, BLOCK_SIDE) * block_size;
    const uint64_t num_rows = weir_divide_up(part->height, BLOCK_SIDE);
    uint8_t *place = blocks + part->y / BLOCK_SIDE * pitch + part->x / BLOCK_SIDE * block_size;
    for (uint64_t i = 0; i < num_rows; i++) {
        memcpy(place + i * pitch, texture->tile.staging.mapped + i * row, row);
    }
}

static enum weir_result encode_part(struct texture *texture, const struct weir_texture *levels,
                                    const struct part *part, uint8_t *blocks)
{
    CLI_FAIL_IF(cli_interrupted(), WEIR_ERROR_IO, "interrupted");
    WEIR_TRY(cli_tile_prepare(&texture->tile, &texture->coder, part->width, part->height));
    WEIR_TRY(execute(texture, part));
    take_blocks(texture, levels, part, blocks);
    texture->sum.squared_error += cli_tile_result(&texture->tile).squared_error;
    return WEIR_OK;
}

// In tiles. They consist of whole blocks, so the blocks are the same as without tiles.
static enum weir_result encode_tiles(struct texture *texture, const struct weir_texture *levels,
                                     uint32_t level, uint8_t *blocks)
{
    const uint32_t width = extent_of(levels, level).width;
    const uint32_t height = extent_of(levels, level).height;
    const uint32_t limit = weir_min(texture->gpu.properties.limits.maxImageDimension2D,
                                    max_tile_side) /
                           TILE_SIDE * TILE_SIDE;
    const uint32_t columns = weir_min(width, limit);
    const uint32_t rows = weir_min(limit, max_tile_texels / columns / TILE_SIDE * TILE_SIDE);
    enum weir_result result = WEIR_OK;
    for (uint32_t y = 0; result == WEIR_OK && y < height; y += rows) {
        for (uint32_t x = 0; result == WEIR_OK && x < width; x += columns) {
            const struct part part = {level, x, y, weir_min(columns, width - x),
                                      weir_min(rows, height - y)};
            result = encode_part(texture, levels, &part, blocks);
        }
    }
    return result;
}

// The place of the rows of a level.
struct rows {
    uint8_t *texels;
    size_t size;
};

static void take_row(void *user, uint32_t y, uint8_t *texels)
{
    const struct rows *rows = user;
    memcpy(rows->texels + y * rows->size, texels, rows->size);
}

// Store a level as it is.
static enum weir_result copy_level(struct texture *texture, const struct weir_texture *levels,
                                   uint32_t level, uint8_t *texels)
{
    const VkExtent2D extent = extent_of(levels, level);
    struct rows rows = {texels, (size_t)extent.width * texture->format->texel_size};
    if (texture->makes_levels) {
        return cli_pyramid_download(&texture->mips, level, take_row, &rows);
    }
    for (uint32_t y = 0; y < extent.height; y++) {
        pack_row(texture, y, 0, extent.width, texels + y * rows.size);
    }
    return WEIR_OK;
}

enum weir_result texture_encode_level(struct texture *texture, const struct weir_texture *levels,
                                      uint32_t level, uint8_t *blocks)
{
    texture->sum = (struct weir_rdo_result){0};
    return texture_codec_is_texels(texture->codec) ? copy_level(texture, levels, level, blocks)
                                                   : encode_tiles(texture, levels, level, blocks);
}
