// SPDX-License-Identifier: MIT
// What KTX files hold beside levels. Sources: Khronos Data Format Specification 1.3, "The basic
// descriptor block", and its examples of compressed formats; Khronos, "KTX File Format
// Specification" 1 and 2.0, "Key/Value Data". Levels of KTX2 files may be frames of Zstandard.
#ifndef WEIR_CAPTURE_FILES_TEXTURE_KTX_PARTS_H
#define WEIR_CAPTURE_FILES_TEXTURE_KTX_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "capture/files/texture/texture.h"

// The largest size of a descriptor: the size field, the block, and at most two samples [bytes].
enum { WEIR_KTX2_MAX_DESCRIPTOR_SIZE = 4 + 24 + 2 * 16 };

// Write the descriptor of one of weir_block_formats(). Returns its size [bytes], or 0 for another
// format.
uint32_t weir_ktx2_descriptor(VkFormat format, bool is_premultiplied,
                              uint8_t bytes[WEIR_KTX2_MAX_DESCRIPTOR_SIZE]);

// True if a descriptor says that colours are multiplied by alpha. The bytes may be of any origin.
bool weir_ktx2_descriptor_is_premultiplied(const uint8_t *bytes, uint32_t size);

// The largest size of the pairs that are written: an orientation, and a writer of 63 characters.
enum { WEIR_KTX_MAX_METADATA_SIZE = 128 };

// Write a pair, of which the value is text, padded to 4 bytes. Returns its size [bytes].
uint32_t weir_ktx_metadata_put(uint8_t *at, const char *key, const char *value);

// Find the value of a key, which is text, among pairs of any origin. NULL: there is none.
const char *weir_ktx_metadata_find(const uint8_t *pairs, uint64_t size, const char *key);

// The levels of a texture as a file holds them.
struct weir_zstd_levels {
    struct weir_texture_level levels[WEIR_TEXTURE_MAX_LEVELS]; // in `memory`
    uint8_t *memory;
};

// Compress all levels of a texture. Free `out` in every case.
// Errors: WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_zstd_compress(const struct weir_texture *texture,
                                    struct weir_zstd_levels *out);
void weir_zstd_levels_free(struct weir_zstd_levels *levels);

// Decompress `num` levels of a file into texture->owned, and make them the levels of the texture,
// whose format and size are set. Logs the reason of a failure.
// Errors: WEIR_ERROR_DATA (no frames of Zstandard, damaged, other sizes than the texture's levels
// have), WEIR_ERROR_UNSUPPORTED (more than bytes->max_memory), WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_zstd_decompress(const struct weir_texture_bytes *bytes,
                                      const struct weir_texture_level *levels, uint32_t num,
                                      struct weir_texture *texture);

#endif
