// SPDX-License-Identifier: MIT
// The formats of DDS files: by a number of DXGI's; in the older header by a code of four
// characters, or by masks, which say what bits are a channel's.
//
// Source: Microsoft, "DDS_PIXELFORMAT structure", "DDS_HEADER_DXT10 structure".
#include "capture/files/texture/dds.h"

#include <string.h>

#include "capture/base/little_endian.h"
#include "capture/files/block/block.h"

// The formats of files without DDS_HEADER_DXT10, by their four-character codes. Of a format with
// several codes the first is written. ATI1 is the code of BC4 that most readers know. ATI2 is not
// written: it has green first, which many readers do not know, unless NVIDIA's tools have put A2XY
// behind it. The last ones are numbers (D3DFORMAT) of texels, which are written by DXGI's.
static const struct old_format {
    char four_cc[5];
    VkFormat format;
    bool is_premultiplied;
} old_formats[] = {
    {"DXT1", VK_FORMAT_BC1_RGBA_UNORM_BLOCK, false}, {"DXT1", VK_FORMAT_BC1_RGB_UNORM_BLOCK, false},
    {"DXT3", VK_FORMAT_BC2_UNORM_BLOCK, false},      {"DXT2", VK_FORMAT_BC2_UNORM_BLOCK, true},
    {"DXT5", VK_FORMAT_BC3_UNORM_BLOCK, false},      {"DXT4", VK_FORMAT_BC3_UNORM_BLOCK, true},
    {"ATI1", VK_FORMAT_BC4_UNORM_BLOCK, false},      {"BC4U", VK_FORMAT_BC4_UNORM_BLOCK, false},
    {"BC4S", VK_FORMAT_BC4_SNORM_BLOCK, false},      {"BC5U", VK_FORMAT_BC5_UNORM_BLOCK, false},
    {"ATI2", VK_FORMAT_BC5_UNORM_BLOCK, false},      {"BC5S", VK_FORMAT_BC5_SNORM_BLOCK, false},
    {"\x24", VK_FORMAT_R16G16B16A16_UNORM, false},   {"\x6e", VK_FORMAT_R16G16B16A16_SNORM, false},
    {"\x6f", VK_FORMAT_R16_SFLOAT, false},           {"\x70", VK_FORMAT_R16G16_SFLOAT, false},
    {"\x71", VK_FORMAT_R16G16B16A16_SFLOAT, false},  {"\x72", VK_FORMAT_R32_SFLOAT, false},
    {"\x73", VK_FORMAT_R32G32_SFLOAT, false},        {"\x74", VK_FORMAT_R32G32B32A32_SFLOAT, false},
};
enum { NUM_OLD_FORMATS = sizeof(old_formats) / sizeof(old_formats[0]) };

// DXGI's formats that are one of the table read otherwise, and its typeless texels.
static const struct dxgi_alias {
    uint32_t dxgi;
    VkFormat format;
    char swizzle[5];
} dxgi_aliases[] = {
    {65, VK_FORMAT_R8_UNORM, "000r"},       {88, VK_FORMAT_B8G8R8A8_UNORM, "rgb1"},
    {93, VK_FORMAT_B8G8R8A8_SRGB, "rgb1"},  {92, VK_FORMAT_B8G8R8A8_UNORM, "rgb1"},
    {27, VK_FORMAT_R8G8B8A8_UNORM, ""},     {90, VK_FORMAT_B8G8R8A8_UNORM, ""},
    {1, VK_FORMAT_R32G32B32A32_SFLOAT, ""}, {9, VK_FORMAT_R16G16B16A16_SFLOAT, ""},
};
enum { NUM_DXGI_ALIASES = sizeof(dxgi_aliases) / sizeof(dxgi_aliases[0]) };

uint32_t weir_dds_number(VkFormat format, const char *swizzle)
{
    const struct weir_block_format *block = weir_block_get_format(format);
    for (int i = 0; i < NUM_DXGI_ALIASES && swizzle[0] != 0; i++) {
        if (dxgi_aliases[i].format == format && strcmp(dxgi_aliases[i].swizzle, swizzle) == 0) {
            return dxgi_aliases[i].dxgi;
        }
    }
    return block && swizzle[0] == 0 ? block->dxgi : 0;
}

static const struct dxgi_alias *find_alias(uint32_t dxgi)
{
    for (int i = 0; i < NUM_DXGI_ALIASES; i++) {
        if (dxgi_aliases[i].dxgi == dxgi) {
            return &dxgi_aliases[i];
        }
    }
    return NULL;
}

// Of two Vulkan formats with one number the last is read: BC1 with alpha. Typeless numbers, each
// before the first one of its family, are read as UNORM or UF16.
static VkFormat format_of_dxgi(uint32_t dxgi)
{
    size_t num_formats;
    const struct weir_block_format *formats = weir_block_formats(&num_formats);
    VkFormat found = find_alias(dxgi) ? find_alias(dxgi)->format : VK_FORMAT_UNDEFINED;
    for (size_t i = 0; i < num_formats; i++) {
        const bool is_first = formats[i].values == WEIR_BLOCK_UNORM ||
                              formats[i].format == VK_FORMAT_BC6H_UFLOAT_BLOCK;
        const bool is_typeless = is_first && formats[i].side > 1 && formats[i].dxgi == dxgi + 1;
        if (dxgi != 0 && (formats[i].dxgi == dxgi || is_typeless)) {
            found = formats[i].format;
        }
    }
    return found;
}

static const struct old_format *find_old_format(const uint8_t *four_cc)
{
    for (int i = 0; i < NUM_OLD_FORMATS; i++) {
        if (memcmp(old_formats[i].four_cc, four_cc, 4) == 0) {
            return &old_formats[i];
        }
    }
    return NULL;
}

const char *weir_dds_code(VkFormat format)
{
    const bool is_block = weir_block_get_format(format)->side > 1;
    for (int i = 0; i < NUM_OLD_FORMATS && is_block; i++) {
        if (old_formats[i].format == format && !old_formats[i].is_premultiplied) {
            return old_formats[i].four_cc;
        }
    }
    return NULL;
}

// The names are Microsoft's.
enum {
    DDPF_ALPHAPIXELS = 0x1,
    DDPF_ALPHA = 0x2,
    DDPF_RGB = 0x40,
    DDPF_LUMINANCE = 0x20000,
    DDPF_BUMPDUDV = 0x80000,
    KNOWN_FLAGS = DDPF_ALPHAPIXELS | DDPF_ALPHA | DDPF_RGB | DDPF_LUMINANCE | DDPF_BUMPDUDV,
};
// Places in the structure [bytes].
enum { IN_FLAGS = 4, IN_BITS = 12, IN_MASKS = 16, NUM_MASKS = 4 };

// By the flags: how channels of a format are read, and whose masks in the file are theirs.
static const struct form {
    uint32_t flags;
    enum weir_block_values values;
    char swizzle[5];
    char masks[5]; // of each channel of the format; '-': the file has none for it
} forms[] = {
    {DDPF_RGB | DDPF_ALPHAPIXELS, WEIR_BLOCK_UNORM, "", "rgba"},
    {DDPF_RGB, WEIR_BLOCK_UNORM, "", "rgb"},
    {DDPF_RGB, WEIR_BLOCK_UNORM, "rgb1", "rgb-"},
    {DDPF_LUMINANCE | DDPF_ALPHAPIXELS, WEIR_BLOCK_UNORM, "rrrg", "ra"},
    {DDPF_LUMINANCE, WEIR_BLOCK_UNORM, "rrr1", "r"},
    {DDPF_ALPHA, WEIR_BLOCK_UNORM, "000r", "a"},
    {DDPF_BUMPDUDV, WEIR_BLOCK_SNORM, "", "rg"},
    {DDPF_BUMPDUDV, WEIR_BLOCK_SNORM, "", "rgba"},
};
enum { NUM_FORMS = sizeof(forms) / sizeof(forms[0]) };

// Get the masks that a file of this form has for a format. False: it has none for it.
static bool get_masks(const struct form *form, const struct weir_block_format *format,
                      uint32_t masks[NUM_MASKS])
{
    static const char channels[] = "rgba";
    memset(masks, 0, NUM_MASKS * sizeof(*masks));
    if (format->side != 1 || format->block_size > 4 || format->values != form->values ||
        format->num_channels != strlen(form->masks)) {
        return false;
    }
    for (uint32_t i = 0; i < format->num_samples; i++) {
        const uint32_t c = format->channels[i] == WEIR_BLOCK_ALPHA ? 3 : format->channels[i];
        const char *mask = strchr(channels, form->masks[c]);
        if (mask) {
            masks[mask - channels] = (uint32_t)((((uint64_t)1 << format->bits[i]) - 1)
                                                << weir_block_bit_offset(format, i));
        }
    }
    return true;
}

// Writers leave masks there that their flags do not name, and name an alpha without bits.
static bool matches(const struct form *form, const struct weir_block_format *format,
                    const uint8_t *pixel_format)
{
    uint32_t masks[NUM_MASKS], flags = weir_get_u32(pixel_format + IN_FLAGS) & KNOWN_FLAGS;
    if (weir_get_u32(pixel_format + IN_MASKS + 4 * 3) == 0) {
        flags &= ~(uint32_t)DDPF_ALPHAPIXELS;
    }
    if (flags != form->flags || weir_get_u32(pixel_format + IN_BITS) != 8 * format->block_size ||
        !get_masks(form, format, masks)) {
        return false;
    }
    bool same = true;
    for (uint32_t c = 0; c < NUM_MASKS; c++) {
        same = same &&
               (masks[c] == 0 || masks[c] == weir_get_u32(pixel_format + IN_MASKS + (size_t)4 * c));
    }
    return same;
}

static VkFormat find_texels(const uint8_t *pixel_format, char swizzle[5])
{
    size_t num_formats;
    const struct weir_block_format *formats = weir_block_formats(&num_formats);
    for (int f = 0; f < NUM_FORMS; f++) {
        for (size_t i = 0; i < num_formats; i++) {
            if (matches(&forms[f], &formats[i], pixel_format)) {
                memcpy(swizzle, forms[f].swizzle, sizeof(forms[f].swizzle));
                return formats[i].format;
            }
        }
    }
    return VK_FORMAT_UNDEFINED;
}

bool weir_dds_put_texels(VkFormat wanted, const char *swizzle, uint8_t *pixel_format)
{
    const struct weir_block_format *format = weir_block_get_format(wanted);
    for (int f = 0; format && f < NUM_FORMS; f++) {
        uint32_t masks[NUM_MASKS];
        if (strcmp(forms[f].swizzle, swizzle) == 0 && get_masks(&forms[f], format, masks)) {
            weir_put_u32(pixel_format + IN_FLAGS, forms[f].flags);
            weir_put_u32(pixel_format + IN_BITS, 8 * format->block_size);
            for (uint32_t c = 0; c < NUM_MASKS; c++) {
                weir_put_u32(pixel_format + IN_MASKS + (size_t)4 * c, masks[c]);
            }
            return true;
        }
    }
    return false;
}

static bool has_code(const uint8_t *data)
{
    return (weir_get_u32(data + AT_PIXEL_FORMAT + 4) & DDPF_FOURCC) != 0;
}

bool weir_dds_is_dx10(const uint8_t *data)
{
    return has_code(data) && memcmp(data + AT_FOUR_CC, "DX10", 4) == 0;
}

struct weir_dds_format weir_dds_find_format(const uint8_t *data, uint64_t size)
{
    struct weir_dds_format found = {.format = VK_FORMAT_UNDEFINED};
    if (size < OLD_HEADER_SIZE) {
        return found;
    }
    const uint32_t number = size >= WEIR_DDS_HEADER_SIZE ? weir_get_u32(data + AT_DXGI_FORMAT) : 0;
    const struct dxgi_alias *alias = find_alias(number);
    const struct old_format *old = find_old_format(data + AT_FOUR_CC);
    if (!has_code(data)) {
        found.format = find_texels(data + AT_PIXEL_FORMAT, found.swizzle);
    } else if (weir_dds_is_dx10(data)) {
        found.format = format_of_dxgi(number);
        memcpy(found.swizzle, alias ? alias->swizzle : "", alias ? sizeof(alias->swizzle) : 1);
    } else if (old) {
        found.format = old->format;
        found.is_premultiplied = old->is_premultiplied;
        found.is_green_first = memcmp(data + AT_FOUR_CC, "ATI2", 4) == 0 &&
                               memcmp(data + AT_SWIZZLE, "A2XY", 4) != 0;
    }
    return found;
}

enum weir_result weir_dds_refuse_format(const struct weir_texture_bytes *bytes)
{
    const uint8_t *data = bytes->data;
    WEIR_TEXTURE_REFUSE_IF(
        !has_code(data), bytes, WEIR_ERROR_UNSUPPORTED,
        "its texels have %u bits by masks (%#x, %#x, %#x, %#x) that are not read",
        weir_get_u32(data + AT_SWIZZLE), weir_get_u32(data + AT_SWIZZLE + 4),
        weir_get_u32(data + AT_SWIZZLE + 8), weir_get_u32(data + AT_SWIZZLE + 12),
        weir_get_u32(data + AT_SWIZZLE + 16));
    WEIR_TEXTURE_REFUSE_IF(!weir_dds_is_dx10(data), bytes, WEIR_ERROR_UNSUPPORTED,
                           "no decoder for its FourCC %.4s", (const char *)data + AT_FOUR_CC);
    WEIR_TEXTURE_REFUSE_IF(bytes->size < WEIR_DDS_HEADER_SIZE, bytes, WEIR_ERROR_DATA,
                           "it is cut short in its header");
    return weir_texture_refuse(bytes, WEIR_ERROR_UNSUPPORTED,
                               "no decoder for its DXGI format %u, as dxgiformat.h numbers them",
                               weir_get_u32(data + AT_DXGI_FORMAT));
}
