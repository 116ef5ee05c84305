// SPDX-License-Identifier: MIT
// The data format descriptor of a KTX2 file, with one basic block: it describes the format of the
// texture beside its VkFormat.
#include "capture/files/texture/ktx2_descriptor.h"

#include <stddef.h>

#include "capture/base/little_endian.h"
#include "capture/files/block/block.h"

// The names are Khronos'.
enum {
    KHR_DF_MODEL_BC1A = 128,
    KHR_DF_MODEL_BC2,
    KHR_DF_MODEL_BC3,
    KHR_DF_MODEL_BC4,
    KHR_DF_MODEL_BC5,
    KHR_DF_MODEL_BC6H,
    KHR_DF_MODEL_BC7,
    KHR_DF_MODEL_ETC2 = 161,
};
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
// Channels; a model without others has one, 0.
enum {
    RED = 0,
    GREEN = 1,
    COLOR = 0,
    BC1_COLOR_WITH_ALPHA = 1,
    ETC2_COLOR = 2,
    ALPHA = 15,
};
enum { BLOCK_SIZE = 24, SAMPLE_SIZE = 16, WORD_BITS = 64 };
enum { AT_VENDOR_AND_TYPE = 4, AT_FLAGS = 15 };

// The samples that make up a block of a colour model: each of its 64-bit words in order, or the
// whole block. Punch-through alpha lies in the same bits as the colours.
struct layout {
    VkFormat first, last; // VkFormat numbers neighbours in a row
    uint8_t model, num_samples, channels[2];
};
static const struct layout layouts[] = {
    {VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_BC1_RGB_SRGB_BLOCK, KHR_DF_MODEL_BC1A, 1, {COLOR}},
    {VK_FORMAT_BC1_RGBA_UNORM_BLOCK,
     VK_FORMAT_BC1_RGBA_SRGB_BLOCK,
     KHR_DF_MODEL_BC1A,
     1,
     {BC1_COLOR_WITH_ALPHA}},
    {VK_FORMAT_BC2_UNORM_BLOCK, VK_FORMAT_BC2_SRGB_BLOCK, KHR_DF_MODEL_BC2, 2, {ALPHA, COLOR}},
    {VK_FORMAT_BC3_UNORM_BLOCK, VK_FORMAT_BC3_SRGB_BLOCK, KHR_DF_MODEL_BC3, 2, {ALPHA, COLOR}},
    {VK_FORMAT_BC4_UNORM_BLOCK, VK_FORMAT_BC4_SNORM_BLOCK, KHR_DF_MODEL_BC4, 1, {RED}},
    {VK_FORMAT_BC5_UNORM_BLOCK, VK_FORMAT_BC5_SNORM_BLOCK, KHR_DF_MODEL_BC5, 2, {RED, GREEN}},
    {VK_FORMAT_BC6H_UFLOAT_BLOCK, VK_FORMAT_BC6H_SFLOAT_BLOCK, KHR_DF_MODEL_BC6H, 1, {COLOR}},
    {VK_FORMAT_BC7_UNORM_BLOCK, VK_FORMAT_BC7_SRGB_BLOCK, KHR_DF_MODEL_BC7, 1, {COLOR}},
    {VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK,
     VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK,
     KHR_DF_MODEL_ETC2,
     1,
     {ETC2_COLOR}},
    {VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK,
     VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK,
     KHR_DF_MODEL_ETC2,
     2,
     {ETC2_COLOR, ALPHA}},
    {VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK,
     VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK,
     KHR_DF_MODEL_ETC2,
     2,
     {ALPHA, ETC2_COLOR}},
    {VK_FORMAT_EAC_R11_UNORM_BLOCK, VK_FORMAT_EAC_R11_SNORM_BLOCK, KHR_DF_MODEL_ETC2, 1, {RED}},
    {VK_FORMAT_EAC_R11G11_UNORM_BLOCK,
     VK_FORMAT_EAC_R11G11_SNORM_BLOCK,
     KHR_DF_MODEL_ETC2,
     2,
     {RED, GREEN}},
};

static const struct layout *find_layout(VkFormat format)
{
    for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
        if (layouts[i].first <= format && format <= layouts[i].last) {
            return &layouts[i];
        }
    }
    return NULL;
}

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

static void put_sample(const struct weir_block_format *format, const struct layout *layout,
                       uint32_t index, uint8_t *at)
{
    const bool in_words = layout->num_samples * WORD_BITS / 8 == format->block_size;
    const bool is_signed = format->values == WEIR_BLOCK_SNORM ||
                           format->format == VK_FORMAT_BC6H_SFLOAT_BLOCK;
    const uint32_t offset = in_words ? index * WORD_BITS : 0;
    const uint32_t num_bits = in_words ? WORD_BITS : format->block_size * 8;
    uint32_t type = layout->channels[index];
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
    const struct layout *layout = find_layout(wanted);
    if (!format || !layout) {
        return 0;
    }
    const uint32_t transfer = format->values == WEIR_BLOCK_SRGB ? KHR_DF_TRANSFER_SRGB
                                                                : KHR_DF_TRANSFER_LINEAR;
    const uint32_t size = BLOCK_SIZE + layout->num_samples * (uint32_t)SAMPLE_SIZE;
    weir_put_u32(bytes, 4 + size);
    weir_put_u32(bytes + AT_VENDOR_AND_TYPE, 0); // Khronos' basic block
    weir_put_u32(bytes + 8, KHR_DF_VERSIONNUMBER_1_3 | size << 16);
    weir_put_u32(bytes + 12, layout->model | KHR_DF_PRIMARIES_BT709 << 8 | transfer << 16);
    bytes[AT_FLAGS] = is_premultiplied ? KHR_DF_FLAG_ALPHA_PREMULTIPLIED : 0;
    weir_put_u32(bytes + 16, 3 | 3 << 8); // 4x4x1x1 texels, each less one
    weir_put_u32(bytes + 20, format->block_size);
    weir_put_u32(bytes + 24, 0); // one plane
    for (uint32_t i = 0; i < layout->num_samples; i++) {
        put_sample(format, layout, i, bytes + 4 + BLOCK_SIZE + (size_t)i * SAMPLE_SIZE);
    }
    return 4 + size;
}

bool weir_ktx2_descriptor_is_premultiplied(const uint8_t *bytes, uint32_t size)
{
    return size >= 4 + BLOCK_SIZE && weir_get_u32(bytes + AT_VENDOR_AND_TYPE) == 0 &&
           (bytes[AT_FLAGS] & KHR_DF_FLAG_ALPHA_PREMULTIPLIED) != 0;
}
