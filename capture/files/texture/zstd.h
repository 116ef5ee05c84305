// SPDX-License-Identifier: MIT
// Levels of textures compressed once more, by Zstandard (RFC 8878), each a frame of its own.
#ifndef WEIR_CAPTURE_FILES_TEXTURE_ZSTD_H
#define WEIR_CAPTURE_FILES_TEXTURE_ZSTD_H

#include "capture/files/texture/texture.h"

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
