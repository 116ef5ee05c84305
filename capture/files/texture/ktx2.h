// SPDX-License-Identifier: MIT
// KTX files of version 2: Vulkan's numbers of formats, an index of levels, the smallest level
// first. Source: Khronos, "KTX File Format Specification" 2.0.
#ifndef WEIR_CAPTURE_FILES_TEXTURE_KTX2_H
#define WEIR_CAPTURE_FILES_TEXTURE_KTX2_H

#include "capture/files/texture/texture.h"

// See struct weir_container. All formats of weir_block_formats(), without supercompression or with
// Zstandard's.
bool weir_ktx2_holds(VkFormat format);
enum weir_result weir_ktx2_write(const struct weir_texture *texture,
                                 const struct weir_texture_write_params *params,
                                 const struct weir_texture_sink *sink);
bool weir_ktx2_matches(const uint8_t *data, uint64_t size);
VkFormat weir_ktx2_peek(const uint8_t *data, uint64_t size);
enum weir_result weir_ktx2_read(const struct weir_texture_bytes *bytes,
                                struct weir_texture *texture);

#endif
