// SPDX-License-Identifier: MIT
// DDS files: a header of fixed size, and the levels after it, the largest first.
// Source: Microsoft, "DDS_HEADER structure", "DDS_HEADER_DXT10 structure", "Programming Guide for
// DDS".
#ifndef WEIR_CAPTURE_FILES_TEXTURE_DDS_H
#define WEIR_CAPTURE_FILES_TEXTURE_DDS_H

#include "capture/files/texture/texture.h"

// The magic number and DDS_HEADER, and with DDS_HEADER_DXT10 behind them [bytes].
enum { WEIR_DDS_OLD_HEADER_SIZE = 128, WEIR_DDS_HEADER_SIZE = 148 };

// See struct weir_container. DXGI has numbers for BC1 to BC7, and none for ETC and EAC. It has one
// BC1, which is read as the one with alpha.
//
// Written with the older header, which every reader knows, where that says all of the texture: BC1
// to BC5, not sRGB, not premultiplied; else, and with `dx10`, with the header of DirectX 10. Read
// with either. ATI2 has green first, as Direct3D 9 and FFmpeg read it, where A2XY does not follow.
bool weir_dds_holds(VkFormat format);
enum weir_result weir_dds_write(const struct weir_texture *texture,
                                const struct weir_texture_write_params *params,
                                const struct weir_texture_sink *sink);
bool weir_dds_matches(const uint8_t *data, uint64_t size);
VkFormat weir_dds_peek(const uint8_t *data, uint64_t size);
enum weir_result weir_dds_read(const struct weir_texture_bytes *bytes,
                               struct weir_texture *texture);

#endif
