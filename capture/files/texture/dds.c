// SPDX-License-Identifier: MIT
// DDS files: a header of fixed size, and the levels after it, the largest first, all those of an
// image before those of the next one. DXGI has numbers for BC1 to BC7 and for most texels, and none
// for ETC and EAC. It has one BC1, which is read as the one with alpha.
//
// Written with the older header, which every reader knows, where that says all of the texture: BC1
// to BC5 and texels of up to 32 bits, not sRGB, not premultiplied, no array; else, and with `dx10`,
// with the header of DirectX 10. Read with either.
//
// Source: Microsoft, "DDS_HEADER structure", "DDS_HEADER_DXT10 structure", "Programming Guide for
// DDS".
#include "capture/files/texture/dds.h"

#include <inttypes.h>
#include <string.h>

#include "capture/base/little_endian.h"
#include "capture/base/size.h"
#include "capture/files/block/block.h"

// The names are Microsoft's.
enum {
    DDSD_CAPS = 0x1,
    DDSD_HEIGHT = 0x2,
    DDSD_WIDTH = 0x4,
    DDSD_PIXELFORMAT = 0x1000,
    DDSD_PITCH = 0x8,
    DDSD_MIPMAPCOUNT = 0x20000,
    DDSD_LINEARSIZE = 0x80000,
    DDSCAPS_COMPLEX = 0x8,
    DDSCAPS_TEXTURE = 0x1000,
    DDSCAPS_MIPMAP = 0x400000,
    DDSCAPS2_CUBEMAP = 0x200,
    DDSCAPS2_CUBEMAP_ALLFACES = 0xfc00,
    DDSCAPS2_VOLUME = 0x200000,
    DDS_DIMENSION_TEXTURE1D = 2,
    DDS_DIMENSION_TEXTURE2D = 3,
    DDS_DIMENSION_TEXTURE3D = 4,
    DDS_RESOURCE_MISC_TEXTURECUBE = 0x4,
    DDS_MISC_FLAGS2_ALPHA_MODE_MASK = 0x7,
    DDS_ALPHA_MODE_UNKNOWN = 0,
    DDS_ALPHA_MODE_PREMULTIPLIED = 2,
};

static bool holds(VkFormat format, const char *swizzle)
{
    uint8_t pixel_format[PIXEL_FORMAT_SIZE];
    return weir_dds_number(format, swizzle) != 0 ||
           weir_dds_put_texels(format, swizzle, pixel_format);
}

// Write what texels or blocks are. False: only the header of DirectX 10 says it.
static bool put_pixel_format(const struct weir_texture *texture, bool dx10, uint8_t *header)
{
    const bool has_number = weir_dds_number(texture->format, texture->swizzle) != 0;
    const bool may_be_old = texture->num_layers <= 1 && !texture->is_premultiplied &&
                            !(dx10 && has_number);
    const char *four_cc = may_be_old ? weir_dds_code(texture->format) : NULL;
    weir_put_u32(header + AT_PIXEL_FORMAT, PIXEL_FORMAT_SIZE);
    if (may_be_old &&
        weir_dds_put_texels(texture->format, texture->swizzle, header + AT_PIXEL_FORMAT)) {
        return true;
    }
    weir_put_u32(header + AT_PIXEL_FORMAT + 4, DDPF_FOURCC);
    memcpy(header + AT_FOUR_CC, four_cc ? four_cc : "DX10", 4);
    return four_cc;
}

static void put_old_header(const struct weir_texture *texture, uint8_t *header)
{
    const bool is_block = weir_block_get_format(texture->format)->side > 1;
    const uint64_t size = is_block ? texture->levels[0].size
                                   : texture->levels[0].size / texture->height;
    const bool has_images = weir_texture_num_images(texture) > 1;
    weir_put_u32(header + AT_FLAGS, DDSD_CAPS | DDSD_HEIGHT | DDSD_WIDTH | DDSD_PIXELFORMAT |
                                        DDSD_MIPMAPCOUNT |
                                        (is_block ? DDSD_LINEARSIZE : DDSD_PITCH));
    memcpy(header, "DDS ", 4);
    weir_put_u32(header + AT_SIZE, FIXED_SIZE);
    weir_put_u32(header + AT_HEIGHT, texture->height);
    weir_put_u32(header + AT_WIDTH, texture->width);
    // The specification asks readers to compute this size themselves; 4 GiB do not fit into it.
    weir_put_u32(header + AT_LINEAR_SIZE, size <= UINT32_MAX ? (uint32_t)size : 0);
    weir_put_u32(header + AT_NUM_LEVELS, texture->num_levels);
    weir_put_u32(header + AT_CAPS,
                 DDSCAPS_TEXTURE | (texture->num_levels > 1 || has_images ? DDSCAPS_COMPLEX : 0) |
                     (texture->num_levels > 1 ? DDSCAPS_MIPMAP : 0));
    weir_put_u32(header + AT_CAPS2,
                 texture->is_cube ? DDSCAPS2_CUBEMAP | DDSCAPS2_CUBEMAP_ALLFACES : 0);
}

static void put_dx10_header(const struct weir_texture *texture, uint8_t *header)
{
    weir_put_u32(header + AT_DXGI_FORMAT, weir_dds_number(texture->format, texture->swizzle));
    weir_put_u32(header + AT_DIMENSION, DDS_DIMENSION_TEXTURE2D);
    weir_put_u32(header + AT_MISC_FLAGS, texture->is_cube ? DDS_RESOURCE_MISC_TEXTURECUBE : 0);
    weir_put_u32(header + AT_NUM_TEXTURES, (uint32_t)weir_max(texture->num_layers, 1));
    // Only premultiplied alpha is noted in the file: D3DX 10 and 11 load no other value than
    // UNKNOWN.
    weir_put_u32(header + AT_MISC_FLAGS2,
                 texture->is_premultiplied ? DDS_ALPHA_MODE_PREMULTIPLIED : DDS_ALPHA_MODE_UNKNOWN);
}

static enum weir_result write_dds(const struct weir_texture *texture,
                                  const struct weir_texture_write_params *params,
                                  const struct weir_texture_sink *sink)
{
    uint8_t header[WEIR_DDS_HEADER_SIZE] = {0};
    if (!holds(texture->format, texture->swizzle)) {
        return WEIR_ERROR_UNSUPPORTED;
    }
    put_old_header(texture, header);
    const bool is_old = put_pixel_format(texture, params->dx10, header);
    if (!is_old && weir_dds_number(texture->format, texture->swizzle) == 0) {
        return WEIR_ERROR_UNSUPPORTED; // an array of what only masks describe
    }
    if (!is_old) {
        put_dx10_header(texture, header);
    }
    WEIR_TRY(sink->write(sink->user, header, is_old ? OLD_HEADER_SIZE : WEIR_DDS_HEADER_SIZE));
    for (uint32_t image = 0; image < weir_texture_num_images(texture); image++) {
        for (uint32_t i = 0; i < texture->num_levels; i++) {
            WEIR_TRY(sink->write(sink->user, weir_texture_image(texture, i, image),
                                 (size_t)texture->levels[i].size));
        }
    }
    return WEIR_OK;
}

// Read whether it is an array or a cube map, by either header.
static enum weir_result read_images(const struct weir_texture_bytes *bytes,
                                    struct weir_texture *texture)
{
    const uint8_t *data = bytes->data;
    const bool has_dx10 = weir_dds_is_dx10(data) && bytes->size >= WEIR_DDS_HEADER_SIZE;
    const uint32_t caps2 = weir_get_u32(data + AT_CAPS2);
    const uint32_t dimension = has_dx10 ? weir_get_u32(data + AT_DIMENSION) : 0;
    if ((caps2 & DDSCAPS2_VOLUME) != 0 || dimension == DDS_DIMENSION_TEXTURE3D) {
        return weir_texture_refuse_volume(bytes, weir_get_u32(data + AT_DEPTH));
    }
    WEIR_TEXTURE_REFUSE_IF(dimension == DDS_DIMENSION_TEXTURE1D, bytes, WEIR_ERROR_UNSUPPORTED,
                           "it is a 1D texture, and only 2D textures are read");
    WEIR_TEXTURE_REFUSE_IF(has_dx10 && dimension != DDS_DIMENSION_TEXTURE2D, bytes, WEIR_ERROR_DATA,
                           "its header does not say that it is a 2D texture; it is damaged");
    if (has_dx10) {
        // Some writers leave the number of textures out.
        const uint32_t num = weir_get_u32(data + AT_NUM_TEXTURES);
        texture->is_cube = (weir_get_u32(data + AT_MISC_FLAGS) & DDS_RESOURCE_MISC_TEXTURECUBE) !=
                           0;
        return weir_texture_set_layers(bytes, num > 1 ? num : 0, texture);
    }
    texture->is_cube = (caps2 & DDSCAPS2_CUBEMAP) != 0;
    WEIR_TEXTURE_REFUSE_IF(
        texture->is_cube && (caps2 & DDSCAPS2_CUBEMAP_ALLFACES) != DDSCAPS2_CUBEMAP_ALLFACES, bytes,
        WEIR_ERROR_UNSUPPORTED, "it is a cube map without all of its six faces");
    return WEIR_OK;
}

static enum weir_result read_head(const struct weir_texture_bytes *bytes,
                                  struct weir_texture *texture)
{
    const uint8_t *data = bytes->data;
    WEIR_TEXTURE_REFUSE_IF(weir_get_u32(data + AT_SIZE) != FIXED_SIZE ||
                               weir_get_u32(data + AT_PIXEL_FORMAT) != PIXEL_FORMAT_SIZE,
                           bytes, WEIR_ERROR_DATA,
                           "its header does not have the size of a DDS header; it is damaged");
    const struct weir_dds_format found = weir_dds_find_format(data, bytes->size);
    if (found.format == VK_FORMAT_UNDEFINED) {
        return weir_dds_refuse_format(bytes);
    }
    texture->format = found.format;
    memcpy(texture->swizzle, found.swizzle, sizeof(found.swizzle));
    texture->is_premultiplied = found.is_premultiplied;
    texture->is_green_first = found.is_green_first;
    if (weir_dds_is_dx10(data)) {
        const uint32_t alpha_mode = weir_get_u32(data + AT_MISC_FLAGS2) &
                                    DDS_MISC_FLAGS2_ALPHA_MODE_MASK;
        texture->is_premultiplied = alpha_mode == DDS_ALPHA_MODE_PREMULTIPLIED;
    }
    return read_images(bytes, texture);
}

// Some writers leave the flag for a number of levels out, others the number.
static enum weir_result read_levels(const struct weir_texture_bytes *bytes, uint32_t num_levels,
                                    struct weir_texture *texture)
{
    const uint64_t start = weir_dds_is_dx10(bytes->data) ? WEIR_DDS_HEADER_SIZE : OLD_HEADER_SIZE;
    const uint32_t num_images = weir_texture_num_images(texture);
    uint64_t chain = 0, offset = start;
    for (uint32_t i = 0; i < num_levels; i++) {
        chain += weir_texture_level_size(texture->format, texture->width, texture->height, i);
    }
    texture->image_pitch = num_images > 1 ? chain : 0;
    for (uint32_t i = 0; i < num_levels; i++) {
        const uint64_t size = weir_texture_level_size(texture->format, texture->width,
                                                      texture->height, i);
        WEIR_TRY(weir_texture_take_level(bytes, offset, size, texture));
        offset += size;
    }
    WEIR_TEXTURE_REFUSE_IF(chain * num_images > bytes->size - start, bytes, WEIR_ERROR_DATA,
                           "it ends after %" PRIu64
                           " bytes, before the last of its %u images does; it is cut short",
                           bytes->size, num_images);
    return WEIR_OK;
}

const struct weir_container weir_dds = {
    .name = "dds",
    .says_alpha = true,
    .has_images = true,
    .holds = holds,
    .write = write_dds,
    .read_head = read_head,
    .read_levels = read_levels,
    .head = {"DDS ", 4, OLD_HEADER_SIZE, AT_WIDTH, AT_HEIGHT, AT_NUM_LEVELS},
};
