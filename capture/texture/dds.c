// SPDX-License-Identifier: MIT
// DDS files with the DX10 header: what stands before the blocks of a texture.
#include "capture/texture/dds.h"

#include <string.h>

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
    DDS_DIMENSION_TEXTURE2D = 3,
};

static void put(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

void weir_dds_header(const struct weir_dds *dds, uint8_t header[WEIR_DDS_HEADER_SIZE])
{
    const uint32_t mip_caps = dds->num_levels > 1 ? DDSCAPS_COMPLEX | DDSCAPS_MIPMAP : 0;
    memset(header, 0, WEIR_DDS_HEADER_SIZE);
    memcpy(header, "DDS ", 4);

    uint8_t *fixed = header + 4; // DDS_HEADER
    put(fixed, 124);
    put(fixed + 4, DDSD_CAPS | DDSD_HEIGHT | DDSD_WIDTH | DDSD_PIXELFORMAT | DDSD_MIPMAPCOUNT |
                       DDSD_LINEARSIZE);
    put(fixed + 8, dds->height);
    put(fixed + 12, dds->width);
    put(fixed + 16, dds->level_size);
    put(fixed + 24, dds->num_levels);
    put(fixed + 72, 32); // its DDS_PIXELFORMAT
    put(fixed + 76, DDPF_FOURCC);
    memcpy(fixed + 80, "DX10", 4);
    put(fixed + 104, DDSCAPS_TEXTURE | mip_caps);

    uint8_t *more = header + 128; // DDS_HEADER_DXT10
    put(more, (uint32_t)dds->format);
    put(more + 4, DDS_DIMENSION_TEXTURE2D);
    put(more + 12, 1); // textures
    // miscFlags2, what alpha means, stays 0 (unknown): D3DX 10 and 11 load nothing else.
}
