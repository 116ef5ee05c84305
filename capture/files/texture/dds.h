// SPDX-License-Identifier: MIT
// DDS files: a header of fixed size, and the levels after it, the largest first.
// Source: Microsoft, "DDS_HEADER structure", "DDS_HEADER_DXT10 structure", "Programming Guide for
// DDS".
#ifndef WEIR_CAPTURE_FILES_TEXTURE_DDS_H
#define WEIR_CAPTURE_FILES_TEXTURE_DDS_H

#include "capture/files/texture/texture.h"

// The magic number, DDS_HEADER and DDS_HEADER_DXT10 [bytes].
enum { WEIR_DDS_HEADER_SIZE = 148 };

// See struct weir_container. Written with the header of DirectX 10; read with the older one, too.
// DXGI has numbers for BC1 to BC7, and none for ETC and EAC. It has one BC1, which is read as the
// one with alpha.
bool weir_dds_holds(VkFormat format);
enum weir_result weir_dds_write(const struct weir_texture *texture, const char *writer,
                                const struct weir_texture_sink *sink);
bool weir_dds_matches(const uint8_t *data, uint64_t size);
enum weir_result weir_dds_read(const struct weir_texture_bytes *bytes,
                               struct weir_texture *texture);

#endif
