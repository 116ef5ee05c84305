// SPDX-License-Identifier: MIT
// What KTX files hold beside levels: the data format descriptor of version 2, with one basic block,
// and the keys and values of both versions.
#include "capture/files/texture/texture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "capture/base/little_endian.h"
#include "capture/base/size.h"
#include "capture/files/block/block.h"

// The names are Khronos'.
enum {
    KHR_DF_VERSIONNUMBER_1_3 = 2,
    KHR_DF_PRIMARIES_BT709 = 1,
    KHR_DF_TRANSFER_LINEAR = 1,
    KHR_DF_TRANSFER_SRGB = 2,
    KHR_DF_FLAG_ALPHA_PREMULTIPLIED = 1,
    KHR_DF_SAMPLE_DATATYPE_LINEAR = 0x10,
    KHR_DF_SAMPLE_DATATYPE_SIGNED = 0x40,
    KHR_DF_SAMPLE_DATATYPE_FLOAT = 0x80,
};
enum { BLOCK_SIZE = 24, SAMPLE_SIZE = 16, WORD_BITS = 64 };
enum { AT_VENDOR_AND_TYPE = 4, AT_FLAGS = 15 };

// The numbers that stand for the ends of -1 .. 1 or 0 .. 1: floats, or integers, of 32 bits in
// blocks and as long as they are in texels.
static void put_range(const struct weir_block_format *format, uint32_t index, bool is_signed,
                      uint8_t *at)
{
    const uint32_t one = 0x3f800000, minus_one = 0xbf800000;
    const bool is_float = format->values == WEIR_BLOCK_FLOAT, is_texel = format->side == 1;
    const uint32_t num_bits = is_texel ? format->bits[index] : 32;
    const uint32_t max = (uint32_t)(((uint64_t)1 << num_bits) - 1), half = max / 2;
    const uint32_t least = is_float ? minus_one : is_texel ? 0 - half : half + 1;
    weir_put_u32(at, is_signed ? least : 0);
    weir_put_u32(at + 4, is_float ? one : is_signed ? half : max);
}

static void put_sample(const struct weir_block_format *format, uint32_t index, uint8_t *at)
{
    const bool is_texel = format->side == 1;
    const bool in_words = format->num_samples * WORD_BITS / 8 == format->block_size;
    const bool is_signed = format->values == WEIR_BLOCK_SNORM ||
                           (format->values == WEIR_BLOCK_FLOAT &&
                            format->format != VK_FORMAT_BC6H_UFLOAT_BLOCK &&
                            format->format != VK_FORMAT_B10G11R11_UFLOAT_PACK32);
    const uint32_t offset = is_texel   ? weir_block_bit_offset(format, index)
                            : in_words ? index * WORD_BITS
                                       : 0;
    const uint32_t num_bits = is_texel   ? format->bits[index]
                              : in_words ? WORD_BITS
                                         : format->block_size * 8;
    uint32_t type = format->channels[index];
    if (type == WEIR_BLOCK_ALPHA && format->values == WEIR_BLOCK_SRGB) {
        type |= KHR_DF_SAMPLE_DATATYPE_LINEAR;
    }
    if (is_signed) {
        type |= KHR_DF_SAMPLE_DATATYPE_SIGNED;
    }
    if (format->values == WEIR_BLOCK_FLOAT) {
        type |= KHR_DF_SAMPLE_DATATYPE_FLOAT;
    }
    weir_put_u32(at, offset | (num_bits - 1) << 16 | type << 24);
    weir_put_u32(at + 4, 0); // it lies at the block's corner
    put_range(format, index, is_signed, at + 8);
}

uint32_t weir_ktx2_descriptor(VkFormat wanted, bool is_premultiplied,
                              uint8_t bytes[WEIR_KTX2_MAX_DESCRIPTOR_SIZE])
{
    const struct weir_block_format *format = weir_block_get_format(wanted);
    if (!format || wanted == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32) { // which nothing writes
        return 0;
    }
    const uint32_t transfer = format->values == WEIR_BLOCK_SRGB ? KHR_DF_TRANSFER_SRGB
                                                                : KHR_DF_TRANSFER_LINEAR;
    const uint32_t size = BLOCK_SIZE + format->num_samples * (uint32_t)SAMPLE_SIZE;
    weir_put_u32(bytes, 4 + size);
    weir_put_u32(bytes + AT_VENDOR_AND_TYPE, 0); // Khronos' basic block
    weir_put_u32(bytes + 8, KHR_DF_VERSIONNUMBER_1_3 | size << 16);
    weir_put_u32(bytes + 12,
                 (uint32_t)format->model | KHR_DF_PRIMARIES_BT709 << 8 | transfer << 16);
    bytes[AT_FLAGS] = is_premultiplied ? KHR_DF_FLAG_ALPHA_PREMULTIPLIED : 0;
    const uint32_t side = format->side - 1; // sides are written less one
    weir_put_u32(bytes + 16, side | side << 8);
    weir_put_u32(bytes + 20, format->block_size);
    weir_put_u32(bytes + 24, 0); // one plane
    for (uint32_t i = 0; i < format->num_samples; i++) {
        put_sample(format, i, bytes + 4 + BLOCK_SIZE + (size_t)i * SAMPLE_SIZE);
    }
    return 4 + size;
}

uint32_t weir_ktx2_descriptor_model(const uint8_t *bytes, uint32_t size)
{
    return size >= 4 + BLOCK_SIZE && weir_get_u32(bytes + AT_VENDOR_AND_TYPE) == 0 ? bytes[12] : 0;
}

bool weir_ktx2_descriptor_is_premultiplied(const uint8_t *bytes, uint32_t size)
{
    return size >= 4 + BLOCK_SIZE && weir_get_u32(bytes + AT_VENDOR_AND_TYPE) == 0 &&
           (bytes[AT_FLAGS] & KHR_DF_FLAG_ALPHA_PREMULTIPLIED) != 0;
}

// A pair: its size, the key, a zero byte, the value, padding to 4 bytes.
uint32_t weir_ktx_metadata_put(uint8_t *at, const char *key, const char *value)
{
    const uint32_t key_size = (uint32_t)strlen(key) + 1, value_size = (uint32_t)strlen(value) + 1;
    const uint32_t size = key_size + value_size;
    weir_put_u32(at, size);
    memcpy(at + 4, key, key_size);
    memcpy(at + 4 + key_size, value, value_size);
    return 4 + (uint32_t)weir_round_up(size, 4);
}

const char *weir_ktx_metadata_find(const uint8_t *pairs, uint64_t size, const char *key)
{
    const uint64_t key_size = strlen(key) + 1;
    uint64_t at = 0;
    while (at < size && size - at >= 4) {
        const uint64_t pair_size = weir_get_u32(pairs + at);
        if (pair_size > size - at - 4) {
            return NULL;
        }
        const char *pair = (const char *)pairs + at + 4;
        if (pair_size > key_size && memcmp(pair, key, (size_t)key_size) == 0 &&
            memchr(pair + key_size, 0, (size_t)(pair_size - key_size))) {
            return pair + key_size;
        }
        at += 4 + weir_round_up(pair_size, 4);
    }
    return NULL;
}

// Levels that are frames of Zstandard (RFC 8878).

// The highest one whose readers need no more than 8 MiB for themselves; those above gain little.
enum { COMPRESSION_LEVEL = 19 };

static uint64_t room_of(const struct weir_texture *texture)
{
    uint64_t room = 0;
    for (uint32_t i = 0; i < texture->num_levels; i++) {
        room += ZSTD_compressBound((size_t)weir_texture_size_of_all(texture, i));
    }
    return room;
}

// Bring the images of a level together.
static void gather(const struct weir_texture *texture, uint32_t level, uint8_t *to)
{
    const size_t size = (size_t)texture->levels[level].size;
    for (uint32_t i = 0; i < weir_texture_num_images(texture); i++) {
        memcpy(to + i * size, weir_texture_image(texture, level, i), size);
    }
}

enum weir_result weir_zstd_compress(const struct weir_texture *texture, struct weir_texture *out)
{
    const uint64_t room = room_of(texture);
    *out = (struct weir_texture){.num_levels = texture->num_levels, .owned = malloc((size_t)room)};
    uint8_t *at = out->owned, *level = malloc((size_t)weir_texture_size_of_all(texture, 0));
    bool done = at && level;
    for (uint32_t i = 0; done && i < texture->num_levels; i++) {
        gather(texture, i, level);
        const size_t size = ZSTD_compress(at, (size_t)(room - (uint64_t)(at - out->owned)), level,
                                          (size_t)weir_texture_size_of_all(texture, i),
                                          COMPRESSION_LEVEL);
        done = !ZSTD_isError(size); // there is room: it had no memory
        out->levels[i] = (struct weir_texture_level){at, size};
        at += done ? size : 0;
    }
    free(level);
    return done ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

// Get the sizes of the levels from those of the texture.
static enum weir_result plan(const struct weir_texture_bytes *bytes, uint32_t num,
                             struct weir_texture *texture, uint64_t *total)
{
    *total = 0;
    for (uint32_t i = 0; i < num; i++) {
        texture->levels[i].size = weir_texture_level_size(texture->format, texture->width,
                                                          texture->height, i);
        *total += weir_texture_size_of_all(texture, i);
    }
    WEIR_TEXTURE_REFUSE_IF(bytes->max_memory > 0 && *total > bytes->max_memory, bytes,
                           WEIR_ERROR_UNSUPPORTED,
                           "its levels would take %" PRIu64 " MiB of memory, and %" PRIu64
                           " MiB are allowed; allow more by --max-memory",
                           *total >> 20, bytes->max_memory >> 20);
    return WEIR_OK;
}

enum weir_result weir_zstd_decompress(const struct weir_texture_bytes *bytes,
                                      const struct weir_texture_level *levels, uint32_t num,
                                      struct weir_texture *texture)
{
    uint64_t total;
    WEIR_TRY(plan(bytes, num, texture, &total));
    uint8_t *at = texture->owned = malloc((size_t)total);
    WEIR_TEXTURE_REFUSE_IF(!at, bytes, WEIR_ERROR_OUT_OF_MEMORY,
                           "no memory for the %" PRIu64 " bytes of its levels", total);
    for (uint32_t i = 0; i < num; i++) {
        struct weir_texture_level *level = &texture->levels[i];
        const size_t room = (size_t)weir_texture_size_of_all(texture, i);
        const size_t size = ZSTD_decompress(at, room, levels[i].blocks, (size_t)levels[i].size);
        WEIR_TEXTURE_REFUSE_IF(size != room, bytes, WEIR_ERROR_DATA,
                               "its level %u does not decompress (%s); it is damaged", i,
                               ZSTD_isError(size) ? ZSTD_getErrorName(size) : "it is too short");
        level->blocks = at;
        at += size;
    }
    texture->num_levels = num;
    return WEIR_OK;
}
