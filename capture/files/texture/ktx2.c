// SPDX-License-Identifier: MIT
// KTX files of version 2: Vulkan's numbers of formats, an index of levels, the smallest level
// first. All formats of weir_block_formats(), without supercompression or with Zstandard's.
//
// Source: Khronos, "KTX File Format Specification" 2.0.
#include "capture/base/little_endian.h"
#include "capture/files/texture/texture.h"

#include <string.h>

#include "capture/base/size.h"
#include "capture/files/block/block.h"

static const uint8_t identifier[12] = {0xab, 'K',  'T',  'X',  ' ',  '2',
                                       '0',  0xbb, '\r', '\n', 0x1a, '\n'};

// Places from the start of the file [bytes].
enum {
    AT_FORMAT = 12,
    AT_TYPE_SIZE = 16,
    AT_WIDTH = 20,
    AT_HEIGHT = 24,
    AT_DEPTH = 28,
    AT_NUM_LAYERS = 32,
    AT_NUM_FACES = 36,
    AT_NUM_LEVELS = 40,
    AT_SUPERCOMPRESSION = 44,
    AT_DESCRIPTOR = 48, // offset and size
    AT_METADATA = 56,   // the same
    AT_LEVELS = 80,     // of each: offset, size, and size without supercompression
};
enum { LEVEL_ENTRY_SIZE = 24 };

// How levels are compressed once more.
enum { SCHEME_NONE = 0, SCHEME_ZSTANDARD = 2 };

static const char orientation_key[] = "KTXorientation"; // right or left, then down or up

enum {
    MAX_HEADER_SIZE = AT_LEVELS + WEIR_TEXTURE_MAX_LEVELS * LEVEL_ENTRY_SIZE +
                      WEIR_KTX2_MAX_DESCRIPTOR_SIZE + WEIR_KTX_MAX_METADATA_SIZE,
};

// Keys in their order. Rows that start at the top, where readers look for them, are not named.
static uint32_t put_metadata(uint8_t *at, bool is_bottom_up, const char *writer)
{
    const uint32_t size = is_bottom_up ? weir_ktx_metadata_put(at, orientation_key, "ru") : 0;
    return size + weir_ktx_metadata_put(at + size, "KTXwriter", writer);
}

// Write where the levels are, which lie behind `end`, and how large. Sets `offsets`.
static void put_levels(const struct weir_texture *texture, const struct weir_texture_level *stored,
                       uint64_t end, uint64_t alignment, uint8_t *header, uint64_t *offsets)
{
    for (uint32_t i = texture->num_levels; i-- > 0; end = offsets[i] + stored[i].size) {
        uint8_t *entry = header + AT_LEVELS + (size_t)i * LEVEL_ENTRY_SIZE;
        offsets[i] = weir_round_up(end, alignment);
        weir_put_u64(entry, offsets[i]);
        weir_put_u64(entry + 8, stored[i].size);
        weir_put_u64(entry + 16, texture->levels[i].size);
    }
}

// Write everything before the levels, which are `stored`. Returns its size [bytes]; `offsets`
// become those of the levels.
static size_t make_header(const struct weir_texture *texture,
                          const struct weir_texture_level *stored,
                          const struct weir_texture_write_params *params, uint8_t *header,
                          uint64_t *offsets)
{
    const uint32_t descriptor = AT_LEVELS + texture->num_levels * LEVEL_ENTRY_SIZE;
    const uint32_t descriptor_size = weir_ktx2_descriptor(
        texture->format, texture->is_premultiplied, header + descriptor);
    const uint32_t metadata = descriptor + descriptor_size;
    const uint32_t metadata_size = put_metadata(header + metadata, texture->is_bottom_up,
                                                params->writer);
    memcpy(header, identifier, sizeof(identifier));
    weir_put_u32(header + AT_FORMAT, (uint32_t)texture->format);
    weir_put_u32(header + AT_TYPE_SIZE, 1);
    weir_put_u32(header + AT_WIDTH, texture->width);
    weir_put_u32(header + AT_HEIGHT, texture->height);
    weir_put_u32(header + AT_NUM_FACES, 1);
    weir_put_u32(header + AT_NUM_LEVELS, texture->num_levels);
    weir_put_u32(header + AT_SUPERCOMPRESSION, params->zstd ? SCHEME_ZSTANDARD : SCHEME_NONE);
    weir_put_u32(header + AT_DESCRIPTOR, descriptor);
    weir_put_u32(header + AT_DESCRIPTOR + 4, descriptor_size);
    weir_put_u32(header + AT_METADATA, metadata);
    weir_put_u32(header + AT_METADATA + 4, metadata_size);
    // Levels lie at multiples of the blocks' size and of 4; 8 and 16 are multiples of 4. Compressed
    // ones lie anywhere.
    const uint64_t alignment = params->zstd ? 1
                                            : weir_block_get_format(texture->format)->block_size;
    put_levels(texture, stored, metadata + metadata_size, alignment, header, offsets);
    return metadata + metadata_size;
}

static enum weir_result write_file(const struct weir_texture *texture,
                                   const struct weir_texture_level *stored,
                                   const struct weir_texture_write_params *params,
                                   const struct weir_texture_sink *sink)
{
    static const uint8_t padding[16];
    uint8_t header[MAX_HEADER_SIZE] = {0};
    uint64_t offsets[WEIR_TEXTURE_MAX_LEVELS];
    uint64_t end = make_header(texture, stored, params, header, offsets);
    WEIR_TRY(sink->write(sink->user, header, (size_t)end));
    for (uint32_t i = texture->num_levels; i-- > 0;) {
        const struct weir_texture_level *level = &stored[i];
        if (offsets[i] > end) {
            WEIR_TRY(sink->write(sink->user, padding, (size_t)(offsets[i] - end)));
        }
        WEIR_TRY(sink->write(sink->user, level->blocks, (size_t)level->size));
        end = offsets[i] + level->size;
    }
    return WEIR_OK;
}

static enum weir_result write_ktx2(const struct weir_texture *texture,
                                   const struct weir_texture_write_params *params,
                                   const struct weir_texture_sink *sink)
{
    if (!weir_ktx_holds(texture->format)) {
        return WEIR_ERROR_UNSUPPORTED;
    }
    if (!params->zstd) {
        return write_file(texture, texture->levels, params, sink);
    }
    struct weir_zstd_levels compressed;
    enum weir_result result = weir_zstd_compress(texture, &compressed);
    if (result == WEIR_OK) {
        result = write_file(texture, compressed.levels, params, sink);
    }
    weir_zstd_levels_free(&compressed);
    return result;
}

static VkFormat peek(const uint8_t *data, uint64_t size)
{
    const VkFormat format = size >= AT_FORMAT + 4 ? (VkFormat)weir_get_u32(data + AT_FORMAT)
                                                  : VK_FORMAT_UNDEFINED;
    return weir_ktx_holds(format) ? format : VK_FORMAT_UNDEFINED;
}

static enum weir_result read_head(const struct weir_texture_bytes *bytes,
                                  struct weir_texture *texture)
{
    const uint8_t *data = bytes->data;
    const VkFormat format = peek(data, bytes->size);
    const uint32_t scheme = weir_get_u32(data + AT_SUPERCOMPRESSION);
    if (scheme != SCHEME_NONE && scheme != SCHEME_ZSTANDARD) {
        return weir_texture_refuse(bytes, WEIR_ERROR_UNSUPPORTED,
                                   "its supercompression scheme is %u, and only 2 (Zstandard) is "
                                   "read; convert it with ktx transcode of Khronos' tools",
                                   scheme);
    }
    if (format == VK_FORMAT_UNDEFINED) {
        return weir_texture_refuse(bytes, WEIR_ERROR_UNSUPPORTED, "no decoder for its VkFormat %u",
                                   weir_get_u32(data + AT_FORMAT));
    }
    if (weir_get_u32(data + AT_DEPTH) != 0 || weir_get_u32(data + AT_NUM_LAYERS) != 0 ||
        weir_get_u32(data + AT_NUM_FACES) != 1) {
        return weir_texture_refuse_layers(bytes);
    }
    texture->format = format;
    return WEIR_OK;
}

// Check that the parts which are not read here lie within the file.
static bool lies_in_file(const struct weir_texture_bytes *bytes, uint32_t at)
{
    const uint64_t offset = weir_get_u32(bytes->data + at),
                   size = weir_get_u32(bytes->data + at + 4);
    return offset <= bytes->size && size <= bytes->size - offset;
}

// Read the levels that are compressed once more.
static enum weir_result read_zstd(const struct weir_texture_bytes *bytes, uint32_t num_levels,
                                  struct weir_texture *texture)
{
    struct weir_texture_level stored[WEIR_TEXTURE_MAX_LEVELS];
    for (uint32_t i = 0; i < num_levels; i++) {
        const uint8_t *entry = bytes->data + AT_LEVELS + (size_t)i * LEVEL_ENTRY_SIZE;
        const uint64_t offset = weir_get_u64(entry), size = weir_get_u64(entry + 8);
        if (offset > bytes->size || size > bytes->size - offset) {
            return weir_texture_refuse(bytes, WEIR_ERROR_DATA,
                                       "it ends before its level %u does; it is cut short", i);
        }
        stored[i] = (struct weir_texture_level){bytes->data + offset, size};
    }
    return weir_zstd_decompress(bytes, stored, num_levels, texture);
}

static enum weir_result read_levels(const struct weir_texture_bytes *bytes, uint32_t num_levels,
                                    struct weir_texture *texture)
{
    const uint8_t *data = bytes->data;
    if (bytes->size - AT_LEVELS < (uint64_t)num_levels * LEVEL_ENTRY_SIZE ||
        !lies_in_file(bytes, AT_DESCRIPTOR) || !lies_in_file(bytes, AT_METADATA)) {
        return weir_texture_refuse(
            bytes, WEIR_ERROR_DATA,
            "it ends before the data that its header refers to; it is cut short");
    }
    texture->is_premultiplied = weir_ktx2_descriptor_is_premultiplied(
        data + weir_get_u32(data + AT_DESCRIPTOR), weir_get_u32(data + AT_DESCRIPTOR + 4));
    const char *orientation = weir_ktx_metadata_find(data + weir_get_u32(data + AT_METADATA),
                                                     weir_get_u32(data + AT_METADATA + 4),
                                                     orientation_key);
    texture->is_bottom_up = orientation && strlen(orientation) > 1 && orientation[1] == 'u';
    if (weir_get_u32(data + AT_SUPERCOMPRESSION) == SCHEME_ZSTANDARD) {
        return read_zstd(bytes, num_levels, texture);
    }
    for (uint32_t i = 0; i < num_levels; i++) {
        const uint8_t *entry = data + AT_LEVELS + (size_t)i * LEVEL_ENTRY_SIZE;
        WEIR_TRY(
            weir_texture_take_level(bytes, weir_get_u64(entry), weir_get_u64(entry + 8), texture));
    }
    return WEIR_OK;
}

const struct weir_container weir_ktx2 = {
    .name = "ktx2",
    .says_alpha = true,
    .says_bottom_up = true,
    .has_zstd = true,
    .holds = weir_ktx_holds,
    .write = write_ktx2,
    .peek = peek,
    .read_head = read_head,
    .read_levels = read_levels,
    .head = {identifier, sizeof(identifier), AT_LEVELS, AT_WIDTH, AT_HEIGHT, AT_NUM_LEVELS},
};
