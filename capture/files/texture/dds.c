// SPDX-License-Identifier: MIT
// DDS files: a header of fixed size, and the levels after it, the largest first. DXGI has numbers
// for BC1 to BC7, and none for ETC and EAC. It has one BC1, which is read as the one with alpha.
//
// Written with the older header, which every reader knows, where that says all of the texture: BC1
// to BC5, not sRGB, not premultiplied; else, and with `dx10`, with the header of DirectX 10. Read
// with either. ATI2 has green first, as Direct3D 9 and FFmpeg read it, where A2XY does not follow.
//
// Source: Microsoft, "DDS_HEADER structure", "DDS_HEADER_DXT10 structure", "Programming Guide for
// DDS".
#include "capture/base/little_endian.h"
#include "capture/files/texture/texture.h"

#include <string.h>

#include "capture/files/block/block.h"

enum { OLD_HEADER_SIZE = 128 }; // the magic number and DDS_HEADER [bytes]

// The names are Microsoft's.
enum {
    DDSD_CAPS = 0x1,
    DDSD_HEIGHT = 0x2,
    DDSD_WIDTH = 0x4,
    DDSD_PIXELFORMAT = 0x1000,
    DDSD_MIPMAPCOUNT = 0x20000,
    DDSD_LINEARSIZE = 0x80000,
    DDPF_FOURCC = 0x4,
    DDSCAPS_COMPLEX = 0x8,
    DDSCAPS_TEXTURE = 0x1000,
    DDSCAPS_MIPMAP = 0x400000,
    DDSCAPS2_CUBEMAP = 0x200,
    DDSCAPS2_VOLUME = 0x200000,
    DDS_DIMENSION_TEXTURE2D = 3,
    DDS_RESOURCE_MISC_TEXTURECUBE = 0x4,
    DDS_MISC_FLAGS2_ALPHA_MODE_MASK = 0x7,
    DDS_ALPHA_MODE_UNKNOWN = 0,
    DDS_ALPHA_MODE_PREMULTIPLIED = 2,
};

// Places from the start of the file [bytes].
enum {
    AT_SIZE = 4,
    AT_FLAGS = 8,
    AT_HEIGHT = 12,
    AT_WIDTH = 16,
    AT_LINEAR_SIZE = 20,
    AT_NUM_LEVELS = 28,
    AT_PIXEL_FORMAT = 76, // a structure: its size, its flags
    AT_FOUR_CC = 84,
    AT_SWIZZLE = 88, // dwRGBBitCount; another four-character code in some files
    AT_CAPS = 108,
    AT_CAPS2 = 112,
    AT_DX10 = OLD_HEADER_SIZE, // DDS_HEADER_DXT10; where there is none, the levels
    AT_DXGI_FORMAT = AT_DX10,
    AT_DIMENSION = 132,
    AT_MISC_FLAGS = 136,
    AT_NUM_TEXTURES = 140,
    AT_MISC_FLAGS2 = 144,
};
enum { FIXED_SIZE = 124, PIXEL_FORMAT_SIZE = 32 };

// The formats of files without DDS_HEADER_DXT10, by their four-character codes. Of a format with
// several codes the first is written. ATI1 is the code of BC4 that most readers know. ATI2 is not
// written: it has green first, which many readers do not know, unless NVIDIA's tools have put A2XY
// behind it.
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
};
enum { NUM_OLD_FORMATS = sizeof(old_formats) / sizeof(old_formats[0]) };

static uint32_t dxgi_of(VkFormat format)
{
    const struct weir_block_format *block = weir_block_get_format(format);
    return block ? block->dxgi : 0;
}

// Of two Vulkan formats with one number the last is read: BC1 with alpha. Typeless numbers, each
// before the first one of its family, are read as UNORM or UF16.
static VkFormat format_of_dxgi(uint32_t dxgi)
{
    size_t num_formats;
    const struct weir_block_format *formats = weir_block_formats(&num_formats);
    VkFormat found = VK_FORMAT_UNDEFINED;
    for (size_t i = 0; i < num_formats; i++) {
        const bool is_first = formats[i].values == WEIR_BLOCK_UNORM ||
                              formats[i].format == VK_FORMAT_BC6H_UFLOAT_BLOCK;
        const bool is_typeless = is_first && formats[i].dxgi == dxgi + 1;
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

// The code of a texture that the older header says all of. NULL: sRGB, BC6H and BC7 have none, and
// those for premultiplied colours have hardly a reader.
static const char *four_cc_of(const struct weir_texture *texture)
{
    for (int i = 0; i < NUM_OLD_FORMATS && !texture->is_premultiplied; i++) {
        if (old_formats[i].format == texture->format && !old_formats[i].is_premultiplied) {
            return old_formats[i].four_cc;
        }
    }
    return NULL;
}

static bool holds(VkFormat format)
{
    return dxgi_of(format) != 0;
}

static void put_old_header(const struct weir_texture *texture, const char *four_cc, uint8_t *header)
{
    const uint64_t size = texture->levels[0].size;
    const uint32_t mip_caps = texture->num_levels > 1 ? DDSCAPS_COMPLEX | DDSCAPS_MIPMAP : 0;
    memcpy(header, "DDS ", 4);
    weir_put_u32(header + AT_SIZE, FIXED_SIZE);
    weir_put_u32(header + AT_FLAGS, DDSD_CAPS | DDSD_HEIGHT | DDSD_WIDTH | DDSD_PIXELFORMAT |
                                        DDSD_MIPMAPCOUNT | DDSD_LINEARSIZE);
    weir_put_u32(header + AT_HEIGHT, texture->height);
    weir_put_u32(header + AT_WIDTH, texture->width);
    // The specification asks readers to compute this size themselves; 4 GiB do not fit into it.
    weir_put_u32(header + AT_LINEAR_SIZE, size <= UINT32_MAX ? (uint32_t)size : 0);
    weir_put_u32(header + AT_NUM_LEVELS, texture->num_levels);
    weir_put_u32(header + AT_PIXEL_FORMAT, PIXEL_FORMAT_SIZE);
    weir_put_u32(header + AT_PIXEL_FORMAT + 4, DDPF_FOURCC);
    memcpy(header + AT_FOUR_CC, four_cc, 4);
    weir_put_u32(header + AT_CAPS, DDSCAPS_TEXTURE | mip_caps);
}

static void put_dx10_header(const struct weir_texture *texture, uint8_t *header)
{
    weir_put_u32(header + AT_DXGI_FORMAT, dxgi_of(texture->format));
    weir_put_u32(header + AT_DIMENSION, DDS_DIMENSION_TEXTURE2D);
    weir_put_u32(header + AT_NUM_TEXTURES, 1);
    // Only premultiplied alpha is noted in the file: D3DX 10 and 11 load no other value than
    // UNKNOWN.
    weir_put_u32(header + AT_MISC_FLAGS2,
                 texture->is_premultiplied ? DDS_ALPHA_MODE_PREMULTIPLIED : DDS_ALPHA_MODE_UNKNOWN);
}

static enum weir_result write_dds(const struct weir_texture *texture,
                                  const struct weir_texture_write_params *params,
                                  const struct weir_texture_sink *sink)
{
    if (!holds(texture->format)) {
        return WEIR_ERROR_UNSUPPORTED;
    }
    const char *four_cc = params->dx10 ? NULL : four_cc_of(texture);
    uint8_t header[WEIR_DDS_HEADER_SIZE] = {0};
    put_old_header(texture, four_cc ? four_cc : "DX10", header);
    if (!four_cc) {
        put_dx10_header(texture, header);
    }
    WEIR_TRY(sink->write(sink->user, header, four_cc ? OLD_HEADER_SIZE : WEIR_DDS_HEADER_SIZE));
    for (uint32_t i = 0; i < texture->num_levels; i++) {
        const struct weir_texture_level *level = &texture->levels[i];
        WEIR_TRY(sink->write(sink->user, level->blocks, (size_t)level->size));
    }
    return WEIR_OK;
}

static bool is_dx10(const uint8_t *data)
{
    return memcmp(data + AT_FOUR_CC, "DX10", 4) == 0;
}

static VkFormat peek(const uint8_t *data, uint64_t size)
{
    if (size < OLD_HEADER_SIZE || (weir_get_u32(data + AT_PIXEL_FORMAT + 4) & DDPF_FOURCC) == 0) {
        return VK_FORMAT_UNDEFINED;
    }
    if (is_dx10(data)) {
        return size >= WEIR_DDS_HEADER_SIZE ? format_of_dxgi(weir_get_u32(data + AT_DXGI_FORMAT))
                                            : VK_FORMAT_UNDEFINED;
    }
    const struct old_format *old = find_old_format(data + AT_FOUR_CC);
    return old ? old->format : VK_FORMAT_UNDEFINED;
}

static enum weir_result refuse_format(const struct weir_texture_bytes *bytes)
{
    const uint8_t *data = bytes->data;
    if ((weir_get_u32(data + AT_PIXEL_FORMAT + 4) & DDPF_FOURCC) == 0) {
        return weir_texture_refuse(bytes, WEIR_ERROR_UNSUPPORTED,
                                   "its texels are not compressed in blocks: use weir texture "
                                   "without --decode, which reads it as a picture");
    }
    if (!is_dx10(data)) {
        return weir_texture_refuse(bytes, WEIR_ERROR_UNSUPPORTED, "no decoder for its FourCC %#x",
                                   weir_get_u32(data + AT_FOUR_CC));
    }
    if (bytes->size < WEIR_DDS_HEADER_SIZE) {
        return weir_texture_refuse(bytes, WEIR_ERROR_DATA, "it is cut short in its header");
    }
    return weir_texture_refuse(bytes, WEIR_ERROR_UNSUPPORTED, "no decoder for its DXGI format %u",
                               weir_get_u32(data + AT_DXGI_FORMAT));
}

static enum weir_result read_head(const struct weir_texture_bytes *bytes,
                                  struct weir_texture *texture)
{
    const uint8_t *data = bytes->data;
    if (weir_get_u32(data + AT_SIZE) != FIXED_SIZE ||
        weir_get_u32(data + AT_PIXEL_FORMAT) != PIXEL_FORMAT_SIZE) {
        return weir_texture_refuse(
            bytes, WEIR_ERROR_DATA,
            "its header does not have the size of a DDS header; it is damaged");
    }
    if ((weir_get_u32(data + AT_CAPS2) & (DDSCAPS2_CUBEMAP | DDSCAPS2_VOLUME)) != 0) {
        return weir_texture_refuse(
            bytes, WEIR_ERROR_UNSUPPORTED,
            "it is a cube map or a volume, and only single 2D textures can be read");
    }
    texture->format = peek(data, bytes->size);
    if (texture->format == VK_FORMAT_UNDEFINED) {
        return refuse_format(bytes);
    }
    if (!is_dx10(data)) {
        texture->is_premultiplied = find_old_format(data + AT_FOUR_CC)->is_premultiplied;
        texture->is_green_first = memcmp(data + AT_FOUR_CC, "ATI2", 4) == 0 &&
                                  memcmp(data + AT_SWIZZLE, "A2XY", 4) != 0;
        return WEIR_OK;
    }
    // Some writers leave the number of textures out.
    if (weir_get_u32(data + AT_DIMENSION) != DDS_DIMENSION_TEXTURE2D ||
        weir_get_u32(data + AT_NUM_TEXTURES) > 1 ||
        (weir_get_u32(data + AT_MISC_FLAGS) & DDS_RESOURCE_MISC_TEXTURECUBE) != 0) {
        return weir_texture_refuse_layers(bytes);
    }
    const uint32_t alpha_mode = weir_get_u32(data + AT_MISC_FLAGS2) &
                                DDS_MISC_FLAGS2_ALPHA_MODE_MASK;
    texture->is_premultiplied = alpha_mode == DDS_ALPHA_MODE_PREMULTIPLIED;
    return WEIR_OK;
}

// Some writers leave the flag for a number of levels out, others the number.
static enum weir_result read_levels(const struct weir_texture_bytes *bytes, uint32_t num_levels,
                                    struct weir_texture *texture)
{
    uint64_t offset = is_dx10(bytes->data) ? WEIR_DDS_HEADER_SIZE : OLD_HEADER_SIZE;
    for (uint32_t i = 0; i < num_levels; i++) {
        const uint64_t size = weir_texture_level_size(texture->format, texture->width,
                                                      texture->height, i);
        WEIR_TRY(weir_texture_take_level(bytes, offset, size, texture));
        offset += size;
    }
    return WEIR_OK;
}

const struct weir_container weir_dds = {
    .name = "dds",
    .says_alpha = true,
    .holds = holds,
    .write = write_dds,
    .peek = peek,
    .read_head = read_head,
    .read_levels = read_levels,
    .head = {"DDS ", 4, OLD_HEADER_SIZE, AT_WIDTH, AT_HEIGHT, AT_NUM_LEVELS},
};
