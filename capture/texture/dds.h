// SPDX-License-Identifier: MIT
// DDS files with the DX10 header: what stands before the blocks of a texture.
#ifndef WEIR_CAPTURE_TEXTURE_DDS_H
#define WEIR_CAPTURE_TEXTURE_DDS_H

#include <stdint.h>

// Values of DXGI_FORMAT.
enum weir_dxgi_format {
    WEIR_DXGI_NONE = 0,
    WEIR_DXGI_BC1_UNORM = 71,
    WEIR_DXGI_BC1_UNORM_SRGB = 72,
    WEIR_DXGI_BC3_UNORM = 77,
    WEIR_DXGI_BC3_UNORM_SRGB = 78,
    WEIR_DXGI_BC4_UNORM = 80,
    WEIR_DXGI_BC5_UNORM = 83,
};

// The magic number, DDS_HEADER and DDS_HEADER_DXT10 [bytes].
enum { WEIR_DDS_HEADER_SIZE = 148 };

struct weir_dds {
    enum weir_dxgi_format format;
    uint32_t width, height; // of level 0 [texels]
    uint32_t num_levels;    // 1 or more, the first being level 0
    uint32_t level_size;    // of level 0, edges padded to whole blocks [bytes]
};

// What such a file of one 2D texture begins with. The levels follow it, the largest first, without
// padding. Pure. Source: Microsoft, "DDS_HEADER structure" and "DDS_HEADER_DXT10 structure".
void weir_dds_header(const struct weir_dds *dds, uint8_t header[WEIR_DDS_HEADER_SIZE]);

#endif
