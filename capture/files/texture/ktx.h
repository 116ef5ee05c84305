// SPDX-License-Identifier: MIT
// KTX files of version 1: OpenGL's names of formats, and the levels, the largest first.
// Source: Khronos, "KTX File Format Specification" (version 1).
#ifndef WEIR_CAPTURE_FILES_TEXTURE_KTX_H
#define WEIR_CAPTURE_FILES_TEXTURE_KTX_H

#include "capture/files/texture/texture.h"

// See struct weir_container. All formats of weir_block_formats(), and ETC1 by its own name.
bool weir_ktx_holds(VkFormat format);
enum weir_result weir_ktx_write(const struct weir_texture *texture,
                                const struct weir_texture_write_params *params,
                                const struct weir_texture_sink *sink);
bool weir_ktx_matches(const uint8_t *data, uint64_t size);
VkFormat weir_ktx_peek(const uint8_t *data, uint64_t size);
enum weir_result weir_ktx_read(const struct weir_texture_bytes *bytes,
                               struct weir_texture *texture);

#endif
