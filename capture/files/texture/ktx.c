// SPDX-License-Identifier: MIT
// KTX files of version 1: OpenGL's names of formats, and the levels, the largest first. All formats
// of blocks, and ETC1 by its own name.
//
// Source: Khronos, "KTX File Format Specification" (version 1).
#include "capture/base/little_endian.h"
#include "capture/files/texture/texture.h"

#include <string.h>

#include "capture/base/size.h"
#include "capture/files/block/block.h"

static const uint8_t identifier[12] = {0xab, 'K',  'T',  'X',  ' ',  '1',
                                       '1',  0xbb, '\r', '\n', 0x1a, '\n'};

// Places from the start of the file [bytes].
enum {
    AT_ENDIANNESS = 12,
    AT_TYPE = 16, // 0 of what is compressed; so is glFormat
    AT_TYPE_SIZE = 20,
    AT_FORMAT = 24,
    AT_INTERNAL_FORMAT = 28,
    AT_BASE_FORMAT = 32,
    AT_WIDTH = 36,
    AT_HEIGHT = 40,
    AT_DEPTH = 44,
    AT_NUM_ELEMENTS = 48,
    AT_NUM_FACES = 52,
    AT_NUM_LEVELS = 56,
    AT_METADATA_SIZE = 60,
    HEADER_SIZE = 64,
};
static const uint32_t native_endianness = 0x04030201;

// States where rows start. Without it some readers assume OpenGL's order, from the bottom; Khronos'
// assume the top.
static const char orientation_key[] = "KTXorientation", top_down[] = "S=r,T=d",
                  bottom_up[] = "S=r,T=u";

static const uint32_t etc1_rgb8 =
    0x8d64; // ETC1_RGB8_OES, which Vulkan has no format of its own for

// GL_RED, GL_RG, GL_RGB, GL_RGBA.
static uint32_t base_format_of(VkFormat format)
{
    static const uint32_t base_formats[] = {0, 0x1903, 0x8227, 0x1907, 0x1908};
    return base_formats[weir_block_get_format(format)->num_channels];
}

static uint32_t put_metadata(uint8_t *at, bool is_bottom_up, const char *writer)
{
    const uint32_t size = weir_ktx_metadata_put(at, orientation_key,
                                                is_bottom_up ? bottom_up : top_down);
    return size + weir_ktx_metadata_put(at + size, "KTXwriter", writer);
}

static uint32_t make_header(const struct weir_texture *texture, const char *writer, uint8_t *header)
{
    const bool is_etc1 = texture->is_etc1 && texture->format == VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK;
    const uint32_t metadata_size = put_metadata(header + HEADER_SIZE, texture->is_bottom_up,
                                                writer);
    memcpy(header, identifier, sizeof(identifier));
    weir_put_u32(header + AT_ENDIANNESS, native_endianness);
    weir_put_u32(header + AT_TYPE_SIZE, 1);
    weir_put_u32(header + AT_INTERNAL_FORMAT,
                 is_etc1 ? etc1_rgb8 : weir_block_get_format(texture->format)->gl);
    weir_put_u32(header + AT_BASE_FORMAT, base_format_of(texture->format));
    weir_put_u32(header + AT_WIDTH, texture->width);
    weir_put_u32(header + AT_HEIGHT, texture->height);
    weir_put_u32(header + AT_NUM_FACES, 1);
    weir_put_u32(header + AT_NUM_LEVELS, texture->num_levels);
    weir_put_u32(header + AT_METADATA_SIZE, metadata_size);
    return HEADER_SIZE + metadata_size;
}

static bool holds(VkFormat format, const char *swizzle)
{
    const struct weir_block_format *block = weir_block_get_format(format);
    return block && block->gl != 0 && swizzle[0] == 0;
}

// Blocks are 8 or 16 bytes: a level's size, and so its place, needs no padding to 4.
static enum weir_result write_ktx(const struct weir_texture *texture,
                                  const struct weir_texture_write_params *params,
                                  const struct weir_texture_sink *sink)
{
    if (!holds(texture->format, texture->swizzle) || texture->levels[0].size > UINT32_MAX ||
        texture->num_layers != 0 || texture->is_cube) {
        return WEIR_ERROR_UNSUPPORTED;
    }
    uint8_t header[HEADER_SIZE + WEIR_KTX_MAX_METADATA_SIZE] = {0};
    const uint32_t size = make_header(texture, params->writer, header);
    WEIR_TRY(sink->write(sink->user, header, size));
    for (uint32_t i = 0; i < texture->num_levels; i++) {
        const struct weir_texture_level *level = &texture->levels[i];
        uint8_t level_size[4];
        weir_put_u32(level_size, (uint32_t)level->size);
        WEIR_TRY(sink->write(sink->user, level_size, sizeof(level_size)));
        WEIR_TRY(sink->write(sink->user, level->blocks, (size_t)level->size));
    }
    return WEIR_OK;
}

static bool is_native(const uint8_t *data)
{
    return weir_get_u32(data + AT_ENDIANNESS) == native_endianness;
}

static VkFormat format_of(const uint8_t *data)
{
    const uint32_t wanted = weir_get_u32(data + AT_INTERNAL_FORMAT);
    if (wanted == etc1_rgb8) {
        return VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK;
    }
    size_t num_formats;
    const struct weir_block_format *formats = weir_block_formats(&num_formats);
    for (size_t i = 0; i < num_formats; i++) {
        if (formats[i].gl == wanted && formats[i].side > 1) {
            return formats[i].format;
        }
    }
    return VK_FORMAT_UNDEFINED;
}

static enum weir_result read_head(const struct weir_texture_bytes *bytes,
                                  struct weir_texture *texture)
{
    const uint8_t *data = bytes->data;
    const uint32_t internal_format = weir_get_u32(data + AT_INTERNAL_FORMAT);
    WEIR_TEXTURE_REFUSE_IF(!is_native(data), bytes, WEIR_ERROR_UNSUPPORTED,
                           "it is big-endian, which is not read");
    const char *foreign = weir_get_u32(data + AT_TYPE) != 0           ? "not compressed"
                          : weir_get_u32(data + AT_NUM_FACES) != 1    ? "a cube map"
                          : weir_get_u32(data + AT_NUM_ELEMENTS) != 0 ? "an array"
                                                                      : NULL;
    texture->format = format_of(data);
    texture->is_etc1 = internal_format == etc1_rgb8;
    if (weir_get_u32(data + AT_DEPTH) != 0) {
        return weir_texture_refuse_volume(bytes, weir_get_u32(data + AT_DEPTH));
    }
    WEIR_TEXTURE_REFUSE_IF(foreign, bytes, WEIR_ERROR_UNSUPPORTED,
                           "it is %s, which is read of KTX2 and DDS files; make a KTX2 of it with "
                           "ktx2ktx2 of Khronos' tools",
                           foreign);
    WEIR_TEXTURE_REFUSE_IF(texture->format == VK_FORMAT_UNDEFINED, bytes, WEIR_ERROR_UNSUPPORTED,
                           "no decoder for its OpenGL format %#x", internal_format);
    return WEIR_OK;
}

static enum weir_result read_levels(const struct weir_texture_bytes *bytes, uint32_t num_levels,
                                    struct weir_texture *texture)
{
    const uint8_t *data = bytes->data;
    const uint64_t metadata_size = weir_get_u32(data + AT_METADATA_SIZE);
    WEIR_TEXTURE_REFUSE_IF(metadata_size > bytes->size - HEADER_SIZE, bytes, WEIR_ERROR_DATA,
                           "it ends before its level 0");
    const char *orientation = weir_ktx_metadata_find(data + HEADER_SIZE, metadata_size,
                                                     orientation_key);
    texture->is_bottom_up = orientation && strstr(orientation, "T=u");
    uint64_t offset = HEADER_SIZE + metadata_size;
    for (uint32_t i = 0; i < num_levels; i++) {
        WEIR_TEXTURE_REFUSE_IF(offset > bytes->size || bytes->size - offset < 4, bytes,
                               WEIR_ERROR_DATA, "it ends before its level %u", i);
        const uint32_t size = weir_get_u32(data + offset);
        WEIR_TRY(weir_texture_take_level(bytes, offset + 4, size, texture));
        offset += 4 + weir_round_up(size, 4);
    }
    return WEIR_OK;
}

const struct weir_container weir_ktx = {
    .name = "ktx",
    .says_bottom_up = true,
    .holds = holds,
    .write = write_ktx,
    .read_head = read_head,
    .read_levels = read_levels,
    .head = {identifier, sizeof(identifier), HEADER_SIZE, AT_WIDTH, AT_HEIGHT, AT_NUM_LEVELS},
};
