// SPDX-License-Identifier: MIT
// A texture of two dimensions in host memory: its format, its size, its levels and images.
#include "capture/files/texture/texture.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include <weir/pyramid.h>

#include "capture/base/little_endian.h"
#include "capture/base/path.h"
#include "capture/base/size.h"
#include "capture/files/block/block.h"

void weir_texture_finish(struct weir_texture *texture)
{
    free(texture->owned);
    *texture = (struct weir_texture){0};
}

uint64_t weir_texture_level_size(VkFormat format, uint32_t width, uint32_t height, uint32_t level)
{
    const struct weir_block_format *block = weir_block_get_format(format);
    const VkExtent2D extent = weir_pyramid_level_extent(width, height, level);
    return block ? weir_divide_up(extent.width, block->side) *
                       weir_divide_up(extent.height, block->side) * block->block_size
                 : 0;
}

uint32_t weir_texture_num_images(const struct weir_texture *texture)
{
    return weir_max(texture->num_layers, 1) * (texture->is_cube ? WEIR_TEXTURE_FACES : 1);
}

uint64_t weir_texture_size_of_all(const struct weir_texture *texture, uint32_t level)
{
    return texture->levels[level].size * weir_texture_num_images(texture);
}

const uint8_t *weir_texture_image(const struct weir_texture *texture, uint32_t level,
                                  uint32_t image)
{
    const struct weir_texture_level *first = &texture->levels[level];
    const uint64_t pitch = texture->image_pitch != 0 ? texture->image_pitch : first->size;
    return first->blocks + image * pitch;
}

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

void weir_texture_set_swizzle(struct weir_texture *texture, const char *text)
{
    const bool is_swizzle = strlen(text) == 4 && strspn(text, "rgba01") == 4 &&
                            strcmp(text, "rgba") != 0;
    snprintf(texture->swizzle, sizeof(texture->swizzle), "%s", is_swizzle ? text : "");
}

enum weir_result weir_texture_refuse(const struct weir_texture_bytes *bytes,
                                     enum weir_result result, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return weir_fail(bytes->log, result, WEIR_LOG_CODE_READ_FAILED, "%s: %s", bytes->name, text);
}

enum weir_result weir_texture_refuse_volume(const struct weir_texture_bytes *bytes, uint32_t depth)
{
    return weir_texture_refuse(bytes, WEIR_ERROR_UNSUPPORTED,
                               "it is a volume (a 3D texture) of %u slice%s, and only 2D textures, "
                               "arrays of them and cube maps can be read",
                               depth, depth == 1 ? "" : "s");
}

enum weir_result weir_texture_set_layers(const struct weir_texture_bytes *bytes, uint32_t num,
                                         struct weir_texture *texture)
{
    WEIR_TEXTURE_REFUSE_IF(num > WEIR_TEXTURE_MAX_LAYERS, bytes, WEIR_ERROR_UNSUPPORTED,
                           "its header says %u layers, and at most %u are read", num,
                           WEIR_TEXTURE_MAX_LAYERS);
    texture->num_layers = num;
    return WEIR_OK;
}

enum weir_result weir_texture_take_level(const struct weir_texture_bytes *bytes, uint64_t offset,
                                         uint64_t size, struct weir_texture *texture)
{
    const uint32_t level = texture->num_levels;
    const uint64_t image_size = weir_texture_level_size(texture->format, texture->width,
                                                        texture->height, level);
    const uint32_t num_images = texture->image_pitch == 0 ? weir_texture_num_images(texture) : 1;
    const uint64_t expected = image_size * num_images;
    WEIR_TEXTURE_REFUSE_IF(size != expected, bytes, WEIR_ERROR_DATA,
                           "its level %u has %" PRIu64 " bytes by its header, and %" PRIu64
                           " by its size; it is damaged",
                           level, size, expected);
    WEIR_TEXTURE_REFUSE_IF(
        offset > bytes->size || size > bytes->size - offset, bytes, WEIR_ERROR_DATA,
        "it ends after %" PRIu64 " bytes, before its level %u does; it is cut short", bytes->size,
        level);
    texture->levels[level] = (struct weir_texture_level){bytes->data + offset, image_size};
    texture->num_levels++;
    return WEIR_OK;
}

static const struct weir_container *const containers[] = {&weir_ktx2, &weir_dds, &weir_ktx};
enum { NUM_CONTAINERS = sizeof(containers) / sizeof(containers[0]) };

const struct weir_container *weir_container_at(int index)
{
    return index < NUM_CONTAINERS ? containers[index] : NULL;
}

const struct weir_container *weir_container_of_path(const char *path)
{
    const char *ending = weir_path_ending(path);
    for (int i = 0; i < NUM_CONTAINERS && ending[0] == '.'; i++) {
        if (strcasecmp(ending + 1, containers[i]->name) == 0) {
            return containers[i];
        }
    }
    return NULL;
}

static const struct weir_container *find_by_head(const uint8_t *data, uint64_t size)
{
    for (int i = 0; i < NUM_CONTAINERS; i++) {
        const struct weir_container_head *head = &containers[i]->head;
        if (size >= head->magic_size && memcmp(data, head->magic, head->magic_size) == 0) {
            return containers[i];
        }
    }
    return NULL;
}

// Read the sides and the number of levels. 0 levels count as one; such files leave the others to
// their reader.
static enum weir_result read_size(const struct weir_texture_bytes *bytes,
                                  const struct weir_container_head *head,
                                  struct weir_texture *texture, uint32_t *num_levels)
{
    const uint32_t width = weir_get_u32(bytes->data + head->at_width);
    const uint32_t height = weir_get_u32(bytes->data + head->at_height);
    const uint32_t num = weir_get_u32(bytes->data + head->at_num_levels);
    WEIR_TEXTURE_REFUSE_IF(
        width < 1 || height < 1 || width > WEIR_TEXTURE_MAX_SIDE || height > WEIR_TEXTURE_MAX_SIDE,
        bytes, WEIR_ERROR_DATA, "its header says %ux%u texels; it is damaged, or not a 2D texture",
        width, height);
    const uint32_t all = weir_pyramid_full_chain(width, height);
    WEIR_TEXTURE_REFUSE_IF(
        num > all, bytes, WEIR_ERROR_DATA,
        "its header says %u levels, but %ux%u texels have at most %u; it is damaged", num, width,
        height, all);
    texture->width = width;
    texture->height = height;
    *num_levels = num != 0 ? num : 1;
    return WEIR_OK;
}

enum weir_result weir_texture_read(const struct weir_texture_bytes *bytes,
                                   struct weir_texture *texture)
{
    const struct weir_container *container = find_by_head(bytes->data, bytes->size);
    uint32_t num_levels = 0;
    *texture = (struct weir_texture){0};
    WEIR_TEXTURE_REFUSE_IF(!container, bytes, WEIR_ERROR_DATA,
                           "it is not a DDS, KTX or KTX2 file; name a texture");
    WEIR_TEXTURE_REFUSE_IF(bytes->size < container->head.size, bytes, WEIR_ERROR_DATA,
                           "it is cut short in its header");
    WEIR_TRY(container->read_head(bytes, texture));
    WEIR_TRY(read_size(bytes, &container->head, texture, &num_levels));
    return container->read_levels(bytes, num_levels, texture);
}

const struct weir_container *weir_texture_identify(const char *path, VkFormat *format)
{
    static const struct weir_log silent;
    uint8_t head[WEIR_DDS_HEADER_SIZE];
    struct stat status;
    FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
    if (!file) {
        return NULL;
    }
    const size_t size = fread(head, 1, sizeof(head), file);
    fclose(file);
    const struct weir_container *container = find_by_head(head, size);
    struct weir_texture texture = {.format = VK_FORMAT_UNDEFINED};
    if (container && size >= container->head.size) {
        container->read_head(&(const struct weir_texture_bytes){"", head, size, &silent, 0},
                             &texture);
    }
    *format = texture.format;
    return container;
}
