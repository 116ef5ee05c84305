// SPDX-License-Identifier: MIT
// Encodes the images of a texture, one after the other: reads each, and encodes its levels.
#include "capture/weir/texture/texture.h"

#include <stdlib.h>

#include <weir/pyramid.h>

#include "capture/weir/common/report.h"

// Get the number of levels, of pictures of this size.
static enum weir_result count_levels(const struct texture *texture,
                                     const struct texture_source *source, uint32_t width,
                                     uint32_t height, uint32_t *num)
{
    const uint32_t all = weir_pyramid_full_chain(width, height);
    *num = texture->levels == TEXTURE_LEVELS_FULL  ? all
           : texture->levels != TEXTURE_LEVELS_OWN ? texture->levels
           : source->texels                        ? source->texels->num_levels
                                                   : 1;
    return cli_levels_check_num(*num, source->input, width, height);
}

// Make room for the blocks of pictures like the first one.
static enum weir_result prepare(struct texture *texture, const struct texture_source *source,
                                struct texture_blocks *blocks)
{
    const struct weir_codec_info *codec = texture->codec;
    const uint32_t width = texture->picture->width, height = texture->picture->height;
    struct weir_texture *levels = &blocks->texture;
    *levels = (struct weir_texture){
        .format = texture->srgb ? codec->srgb_format : codec->format,
        .is_etc1 = codec->codec == WEIR_CODEC_ETC1,
        .is_premultiplied = texture->alpha == TEXTURE_ALPHA_MULTIPLY,
        .width = width,
        .height = height,
        .num_layers = source->num_layers,
        .is_cube = source->is_cube,
    };
    WEIR_TRY(count_levels(texture, source, width, height, &levels->num_levels));
    uint64_t size = 0;
    for (uint32_t i = 0; i < levels->num_levels; i++) {
        levels->levels[i].size = weir_texture_level_size(levels->format, width, height, i);
        size += levels->levels[i].size * source->num_images;
    }
    blocks->memory = malloc((size_t)size);
    texture->row = malloc((size_t)width * 4 * sizeof(*texture->row));
    CLI_FAIL_IF(!blocks->memory || !texture->row, WEIR_ERROR_OUT_OF_MEMORY,
                "no memory for the blocks of %ux%u texels", width, height);
    const uint8_t *place = blocks->memory;
    for (uint32_t i = 0; i < levels->num_levels; i++) {
        levels->levels[i].blocks = place;
        place += levels->levels[i].size * source->num_images;
    }
    return WEIR_OK;
}

// Encode the levels from `first` to `last` of an image, of which the picture is the first one.
static enum weir_result encode_image(struct texture *texture, const char *name, uint32_t image,
                                     uint32_t first, uint32_t last, struct texture_blocks *blocks)
{
    const struct weir_texture *levels = &blocks->texture;
    if (texture->makes_levels) {
        WEIR_TRY(texture_make_levels(texture, name, levels->num_levels));
    }
    for (uint32_t i = first; i <= last; i++) {
        const uint8_t *place = weir_texture_image(levels, i, image);
        WEIR_TRY(
            texture_encode_level(texture, levels, i, blocks->memory + (place - blocks->memory)));
        blocks->squared_error += i == 0 ? texture->sum.squared_error : 0;
    }
    return WEIR_OK;
}

// Encode what is read of an image at a time: a level of its own, or all that are made of it.
static enum weir_result encode_picture(struct texture *texture, const struct texture_source *source,
                                       uint32_t image, uint32_t level,
                                       const struct weir_picture *picture,
                                       struct texture_blocks *blocks)
{
    const struct weir_texture *levels = &blocks->texture;
    texture->picture = picture;
    if (!blocks->memory) {
        WEIR_TRY(prepare(texture, source, blocks));
    }
    CLI_FAIL_IF(
        level == 0 && (picture->width != levels->width || picture->height != levels->height),
        WEIR_ERROR_INVALID, "%s is %ux%u, and the first image is %ux%u; all must have one size",
        source->list->files[image].path, picture->width, picture->height, levels->width,
        levels->height);
    CLI_FAIL_IF(source->is_cube && source->list && picture->width != picture->height,
                WEIR_ERROR_INVALID, "--cube: %s is %ux%u, and the faces of a cube map are squares",
                source->list->files[image].path, picture->width, picture->height);
    texture->makes_levels = levels->num_levels > 1 &&
                            (!source->texels || texture->levels != TEXTURE_LEVELS_OWN);
    return encode_image(texture, source->input, image, level,
                        texture->makes_levels ? levels->num_levels - 1 : level, blocks);
}

enum weir_result texture_encode(struct texture *texture, const struct texture_source *source,
                                struct texture_blocks *blocks)
{
    *blocks = (struct texture_blocks){0};
    const struct weir_texture *levels = &blocks->texture;
    const uint32_t num_own = source->texels && texture->levels == TEXTURE_LEVELS_OWN
                                 ? source->texels->num_levels
                                 : 1;
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; result == WEIR_OK && i < source->num_images * num_own; i++) {
        struct weir_picture picture;
        result = texture_source_read(texture, source, i / num_own, i % num_own, &picture);
        if (result == WEIR_OK) {
            result = encode_picture(texture, source, i / num_own, i % num_own, &picture, blocks);
        }
        weir_picture_free(&picture);
    }
    if (result == WEIR_OK && texture->coder.rdo) {
        const struct weir_rdo_result sum = {.squared_error = blocks->squared_error};
        blocks->psnr = weir_rdo_psnr(&sum, (uint64_t)levels->width * levels->height *
                                               source->num_images * texture->codec->num_channels);
    }
    free(texture->row);
    texture->row = NULL;
    texture->picture = NULL;
    return result;
}

void texture_blocks_free(struct texture_blocks *blocks)
{
    free(blocks->memory);
    *blocks = (struct texture_blocks){0};
}
