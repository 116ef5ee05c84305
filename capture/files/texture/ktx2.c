// SPDX-License-Identifier: MIT
// KTX files of version 2: Vulkan's numbers of formats, an index of levels, the smallest level
// first, each with all layers and their faces. All formats of weir_block_formats(), without
// supercompression or with Zstandard's.
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
enum { SCHEME_NONE = 0, SCHEME_BASISLZ = 1, SCHEME_ZSTANDARD = 2, SCHEME_ZLIB = 3 };

// Right or left, then down or up; and what R, G, B and A are.
static const char orientation_key[] = "KTXorientation", swizzle_key[] = "KTXswizzle";

enum {
    MAX_HEADER_SIZE = AT_LEVELS + WEIR_TEXTURE_MAX_LEVELS * LEVEL_ENTRY_SIZE +
                      WEIR_KTX2_MAX_DESCRIPTOR_SIZE + WEIR_KTX_MAX_METADATA_SIZE,
};

// Keys in their order. Rows that start at the top, where readers look for them, are not named.
static uint32_t put_metadata(uint8_t *at, const struct weir_texture *texture, const char *writer)
{
    uint32_t size = texture->is_bottom_up ? weir_ktx_metadata_put(at, orientation_key, "ru") : 0;
    if (texture->swizzle[0] != 0) {
        size += weir_ktx_metadata_put(at + size, swizzle_key, texture->swizzle);
    }
    return size + weir_ktx_metadata_put(at + size, "KTXwriter", writer);
}

// The size of the values in a texel, which readers of another byte order swap.
static uint32_t type_size(const struct weir_block_format *format)
{
    const bool is_packed = format->bits[0] % 8 != 0 || format->bits[0] != format->bits[1];
    return format->side > 1 ? 1 : is_packed ? format->block_size : format->bits[0] / 8;
}

// Levels lie at multiples of the blocks' size and of 4. Compressed ones lie anywhere.
static uint64_t alignment_of(const struct weir_block_format *format, bool zstd)
{
    const uint32_t size = format->block_size;
    return zstd            ? 1
           : size % 4 == 0 ? size
           : size % 2 == 0 ? 2 * (uint64_t)size
                           : 4 * (uint64_t)size;
}

// Write where the levels are, which lie behind `end`, and how large. Sets `offsets`.
static void put_levels(const struct weir_texture *texture, const struct weir_texture *stored,
                       uint64_t end, uint64_t alignment, uint8_t *header, uint64_t *offsets)
{
    for (uint32_t i = texture->num_levels; i-- > 0;
         end = offsets[i] + weir_texture_size_of_all(stored, i)) {
        uint8_t *entry = header + AT_LEVELS + (size_t)i * LEVEL_ENTRY_SIZE;
        offsets[i] = weir_round_up(end, alignment);
        weir_put_u64(entry, offsets[i]);
        weir_put_u64(entry + 8, weir_texture_size_of_all(stored, i));
        weir_put_u64(entry + 16, weir_texture_size_of_all(texture, i));
    }
}

// Write everything before the levels, which are those of `stored`. Returns its size [bytes];
// `offsets` become those of the levels.
static size_t make_header(const struct weir_texture *texture, const struct weir_texture *stored,
                          const struct weir_texture_write_params *params, uint8_t *header,
                          uint64_t *offsets)
{
    const uint32_t descriptor = AT_LEVELS + texture->num_levels * LEVEL_ENTRY_SIZE;
    const uint32_t descriptor_size = weir_ktx2_descriptor(
        texture->format, texture->is_premultiplied, header + descriptor);
    const uint32_t metadata = descriptor + descriptor_size;
    const uint32_t metadata_size = put_metadata(header + metadata, texture, params->writer);
    const struct weir_block_format *format = weir_block_get_format(texture->format);
    memcpy(header, identifier, sizeof(identifier));
    weir_put_u32(header + AT_FORMAT, (uint32_t)texture->format);
    weir_put_u32(header + AT_TYPE_SIZE, type_size(format));
    weir_put_u32(header + AT_WIDTH, texture->width);
    weir_put_u32(header + AT_HEIGHT, texture->height);
    weir_put_u32(header + AT_NUM_LAYERS, texture->num_layers);
    weir_put_u32(header + AT_NUM_FACES, texture->is_cube ? WEIR_TEXTURE_FACES : 1);
    weir_put_u32(header + AT_NUM_LEVELS, texture->num_levels);
    weir_put_u32(header + AT_SUPERCOMPRESSION, params->zstd ? SCHEME_ZSTANDARD : SCHEME_NONE);
    weir_put_u32(header + AT_DESCRIPTOR, descriptor);
    weir_put_u32(header + AT_DESCRIPTOR + 4, descriptor_size);
    weir_put_u32(header + AT_METADATA, metadata);
    weir_put_u32(header + AT_METADATA + 4, metadata_size);
    const uint64_t alignment = alignment_of(format, params->zstd);
    put_levels(texture, stored, metadata + metadata_size, alignment, header, offsets);
    return metadata + metadata_size;
}

// `stored`: the texture, or its levels compressed once more.
static enum weir_result write_file(const struct weir_texture *texture,
                                   const struct weir_texture *stored,
                                   const struct weir_texture_write_params *params,
                                   const struct weir_texture_sink *sink)
{
    static const uint8_t padding[16];
    uint8_t header[MAX_HEADER_SIZE] = {0};
    uint64_t offsets[WEIR_TEXTURE_MAX_LEVELS];
    uint64_t end = make_header(texture, stored, params, header, offsets);
    WEIR_TRY(sink->write(sink->user, header, (size_t)end));
    for (uint32_t i = texture->num_levels; i-- > 0;) {
        if (offsets[i] > end) {
            WEIR_TRY(sink->write(sink->user, padding, (size_t)(offsets[i] - end)));
        }
        for (uint32_t image = 0; image < weir_texture_num_images(stored); image++) {
            WEIR_TRY(sink->write(sink->user, weir_texture_image(stored, i, image),
                                 (size_t)stored->levels[i].size));
        }
        end = offsets[i] + weir_texture_size_of_all(stored, i);
    }
    return WEIR_OK;
}

static bool holds(VkFormat format, const char *swizzle)
{
    uint8_t descriptor[WEIR_KTX2_MAX_DESCRIPTOR_SIZE];
    (void)swizzle; // any can be said
    return weir_ktx2_descriptor(format, false, descriptor) > 0;
}

static enum weir_result write_ktx2(const struct weir_texture *texture,
                                   const struct weir_texture_write_params *params,
                                   const struct weir_texture_sink *sink)
{
    struct weir_texture packed = {.owned = NULL};
    if (!holds(texture->format, texture->swizzle)) {
        return WEIR_ERROR_UNSUPPORTED;
    }
    enum weir_result result = params->zstd ? weir_zstd_compress(texture, &packed) : WEIR_OK;
    if (result == WEIR_OK) {
        result = write_file(texture, params->zstd ? &packed : texture, params, sink);
    }
    weir_texture_finish(&packed);
    return result;
}

static VkFormat format_of(const uint8_t *data)
{
    const VkFormat format = (VkFormat)weir_get_u32(data + AT_FORMAT);
    return weir_block_get_format(format) ? format : VK_FORMAT_UNDEFINED;
}

// Check that the parts which are not read here lie within the file.
static bool lies_in_file(const struct weir_texture_bytes *bytes, uint32_t at)
{
    const uint64_t offset = weir_get_u32(bytes->data + at),
                   size = weir_get_u32(bytes->data + at + 4);
    return offset <= bytes->size && size <= bytes->size - offset;
}

// Basis Universal's formats have no number: only the descriptor names them.
static enum weir_result refuse_format(const struct weir_texture_bytes *bytes)
{
    const uint8_t *data = bytes->data;
    const uint32_t format = weir_get_u32(data + AT_FORMAT);
    const bool has_descriptor = lies_in_file(bytes, AT_DESCRIPTOR);
    const uint32_t model = has_descriptor ? weir_ktx2_descriptor_model(
                                                data + weir_get_u32(data + AT_DESCRIPTOR),
                                                weir_get_u32(data + AT_DESCRIPTOR + 4))
                                          : 0;
    enum { MODEL_ETC1S = 163, MODEL_UASTC = 166 };
    WEIR_TEXTURE_REFUSE_IF(
        format == VK_FORMAT_UNDEFINED && (model == MODEL_ETC1S || model == MODEL_UASTC), bytes,
        WEIR_ERROR_UNSUPPORTED,
        "it holds %s of Basis Universal, which has no decoder here; make BC7 or ETC2 of it "
        "with ktx transcode of Khronos' tools",
        model == MODEL_UASTC ? "UASTC" : "ETC1S");
    return weir_texture_refuse(bytes, WEIR_ERROR_UNSUPPORTED,
                               "no decoder for its VkFormat %u, as vulkan_core.h numbers them",
                               format);
}

static enum weir_result read_head(const struct weir_texture_bytes *bytes,
                                  struct weir_texture *texture)
{
    static const char *const schemes[] = {"none", "BasisLZ", "Zstandard", "ZLIB"};
    const uint8_t *data = bytes->data;
    const uint32_t scheme = weir_get_u32(data + AT_SUPERCOMPRESSION);
    const uint32_t depth = weir_get_u32(data + AT_DEPTH), faces = weir_get_u32(data + AT_NUM_FACES);
    texture->format = format_of(data);
    if (depth != 0) {
        return weir_texture_refuse_volume(bytes, depth);
    }
    if (texture->format == VK_FORMAT_UNDEFINED) {
        return refuse_format(bytes);
    }
    WEIR_TEXTURE_REFUSE_IF(scheme != SCHEME_NONE && scheme != SCHEME_ZSTANDARD, bytes,
                           WEIR_ERROR_UNSUPPORTED,
                           "its levels are compressed by %s, and only Zstandard is read; "
                           "convert it with ktx deflate --zstd of Khronos' tools",
                           scheme <= SCHEME_ZLIB ? schemes[scheme] : "a scheme of a vendor");
    WEIR_TEXTURE_REFUSE_IF(faces != 1 && faces != WEIR_TEXTURE_FACES, bytes, WEIR_ERROR_DATA,
                           "its header says %u faces, and a cube map has 6; it is damaged", faces);
    texture->is_cube = faces == WEIR_TEXTURE_FACES;
    return weir_texture_set_layers(bytes, weir_get_u32(data + AT_NUM_LAYERS), texture);
}

// Read the levels that are compressed once more.
static enum weir_result read_zstd(const struct weir_texture_bytes *bytes, uint32_t num_levels,
                                  struct weir_texture *texture)
{
    struct weir_texture_level stored[WEIR_TEXTURE_MAX_LEVELS];
    for (uint32_t i = 0; i < num_levels; i++) {
        const uint8_t *entry = bytes->data + AT_LEVELS + (size_t)i * LEVEL_ENTRY_SIZE;
        const uint64_t offset = weir_get_u64(entry), size = weir_get_u64(entry + 8);
        WEIR_TEXTURE_REFUSE_IF(offset > bytes->size || size > bytes->size - offset, bytes,
                               WEIR_ERROR_DATA, "it ends before its level %u does; it is cut short",
                               i);
        stored[i] = (struct weir_texture_level){bytes->data + offset, size};
    }
    return weir_zstd_decompress(bytes, stored, num_levels, texture);
}

static enum weir_result read_levels(const struct weir_texture_bytes *bytes, uint32_t num_levels,
                                    struct weir_texture *texture)
{
    const uint8_t *data = bytes->data;
    WEIR_TEXTURE_REFUSE_IF(bytes->size - AT_LEVELS < (uint64_t)num_levels * LEVEL_ENTRY_SIZE ||
                               !lies_in_file(bytes, AT_DESCRIPTOR) ||
                               !lies_in_file(bytes, AT_METADATA),
                           bytes, WEIR_ERROR_DATA,
                           "it ends before the data that its header refers to; it is cut short");
    texture->is_premultiplied = weir_ktx2_descriptor_is_premultiplied(
        data + weir_get_u32(data + AT_DESCRIPTOR), weir_get_u32(data + AT_DESCRIPTOR + 4));
    const uint8_t *pairs = data + weir_get_u32(data + AT_METADATA);
    const uint32_t pairs_size = weir_get_u32(data + AT_METADATA + 4);
    const char *orientation = weir_ktx_metadata_find(pairs, pairs_size, orientation_key);
    const char *swizzle = weir_ktx_metadata_find(pairs, pairs_size, swizzle_key);
    texture->is_bottom_up = orientation && strlen(orientation) > 1 && orientation[1] == 'u';
    weir_texture_set_swizzle(texture, swizzle ? swizzle : "");
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
    .has_images = true,
    .has_zstd = true,
    .holds = holds,
    .write = write_ktx2,
    .read_head = read_head,
    .read_levels = read_levels,
    .head = {identifier, sizeof(identifier), AT_LEVELS, AT_WIDTH, AT_HEIGHT, AT_NUM_LEVELS},
};
