// SPDX-License-Identifier: MIT
// What KTX files hold beside levels: the data format descriptor of version 2, with one basic block,
// and the keys and values of both versions.
#include "capture/files/texture/ktx_parts.h"

#include <string.h>

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
enum { BLOCK_SIZE = 24, SAMPLE_SIZE = 16, WORD_BITS = 64, ALPHA = 15 };
enum { AT_VENDOR_AND_TYPE = 4, AT_FLAGS = 15 };

// The numbers that stand for the ends of -1 .. 1 or 0 .. 1: integers of 32 bits, or floats.
static void put_range(const struct weir_block_format *format, bool is_signed, uint8_t *at)
{
    const uint32_t one = 0x3f800000, minus_one = 0xbf800000;
    if (format->values == WEIR_BLOCK_FLOAT) {
        weir_put_u32(at, is_signed ? minus_one : 0);
        weir_put_u32(at + 4, one);
    } else {
        weir_put_u32(at, is_signed ? 0x80000000 : 0);
        weir_put_u32(at + 4, is_signed ? 0x7fffffff : 0xffffffff);
    }
}

static void put_sample(const struct weir_block_format *format, uint32_t index, uint8_t *at)
{
    const bool in_words = format->num_samples * WORD_BITS / 8 == format->block_size;
    const bool is_signed = format->values == WEIR_BLOCK_SNORM ||
                           format->format == VK_FORMAT_BC6H_SFLOAT_BLOCK;
    const uint32_t offset = in_words ? index * WORD_BITS : 0;
    const uint32_t num_bits = in_words ? WORD_BITS : format->block_size * 8;
    uint32_t type = format->channels[index];
    if (type == ALPHA && format->values == WEIR_BLOCK_SRGB) {
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
    put_range(format, is_signed, at + 8);
}

uint32_t weir_ktx2_descriptor(VkFormat wanted, bool is_premultiplied,
                              uint8_t bytes[WEIR_KTX2_MAX_DESCRIPTOR_SIZE])
{
    const struct weir_block_format *format = weir_block_get_format(wanted);
    if (!format) {
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
    weir_put_u32(bytes + 16, 3 | 3 << 8); // 4x4x1x1 texels, each less one
    weir_put_u32(bytes + 20, format->block_size);
    weir_put_u32(bytes + 24, 0); // one plane
    for (uint32_t i = 0; i < format->num_samples; i++) {
        put_sample(format, i, bytes + 4 + BLOCK_SIZE + (size_t)i * SAMPLE_SIZE);
    }
    return 4 + size;
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
