// SPDX-License-Identifier: MIT
// Levels of textures compressed once more, by Zstandard, each a frame of its own.
#include "capture/files/texture/zstd.h"

#include <inttypes.h>
#include <stdlib.h>

#include <zstd.h>

// The highest one whose readers need no more than 8 MiB for themselves; those above gain little.
enum { COMPRESSION_LEVEL = 19 };

static uint64_t room_of(const struct weir_texture *texture)
{
    uint64_t room = 0;
    for (uint32_t i = 0; i < texture->num_levels; i++) {
        room += ZSTD_compressBound((size_t)texture->levels[i].size);
    }
    return room;
}

enum weir_result weir_zstd_compress(const struct weir_texture *texture,
                                    struct weir_zstd_levels *out)
{
    const uint64_t room = room_of(texture);
    *out = (struct weir_zstd_levels){.memory = malloc((size_t)room)};
    uint8_t *at = out->memory;
    for (uint32_t i = 0; at && i < texture->num_levels; i++) {
        const struct weir_texture_level *level = &texture->levels[i];
        const size_t size = ZSTD_compress(at, (size_t)(room - (uint64_t)(at - out->memory)),
                                          level->blocks, (size_t)level->size, COMPRESSION_LEVEL);
        if (ZSTD_isError(size)) { // there is room: it had no memory
            return WEIR_ERROR_OUT_OF_MEMORY;
        }
        out->levels[i] = (struct weir_texture_level){at, size};
        at += size;
    }
    return at ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

void weir_zstd_levels_free(struct weir_zstd_levels *levels)
{
    free(levels->memory);
    *levels = (struct weir_zstd_levels){0};
}

// Get the sizes of the levels from those of the texture. They must be what the frames say.
static enum weir_result plan(const struct weir_texture_bytes *bytes,
                             const struct weir_texture_level *levels, uint32_t num,
                             struct weir_texture *texture, uint64_t *total)
{
    *total = 0;
    for (uint32_t i = 0; i < num; i++) {
        const uint64_t size = weir_texture_level_size(texture->format, texture->width,
                                                      texture->height, i);
        const unsigned long long said = ZSTD_getFrameContentSize(levels[i].blocks,
                                                                 (size_t)levels[i].size);
        if (said == ZSTD_CONTENTSIZE_ERROR || (said != ZSTD_CONTENTSIZE_UNKNOWN && said != size)) {
            return weir_texture_refuse(
                bytes, WEIR_ERROR_DATA,
                "its level %u is no Zstandard frame of %" PRIu64 " bytes; it is damaged", i, size);
        }
        texture->levels[i].size = size;
        *total += size;
    }
    if (bytes->max_memory > 0 && *total > bytes->max_memory) {
        return weir_texture_refuse(bytes, WEIR_ERROR_UNSUPPORTED,
                                   "its levels would take %" PRIu64 " MiB of memory, and %" PRIu64
                                   " MiB are allowed; allow more by --max-memory",
                                   *total >> 20, bytes->max_memory >> 20);
    }
    return WEIR_OK;
}

enum weir_result weir_zstd_decompress(const struct weir_texture_bytes *bytes,
                                      const struct weir_texture_level *levels, uint32_t num,
                                      struct weir_texture *texture)
{
    uint64_t total;
    WEIR_TRY(plan(bytes, levels, num, texture, &total));
    uint8_t *at = texture->owned = malloc((size_t)total);
    if (!at) {
        return weir_texture_refuse(bytes, WEIR_ERROR_OUT_OF_MEMORY,
                                   "no memory for the %" PRIu64 " bytes of its levels", total);
    }
    for (uint32_t i = 0; i < num; i++) {
        struct weir_texture_level *level = &texture->levels[i];
        const size_t size = ZSTD_decompress(at, (size_t)level->size, levels[i].blocks,
                                            (size_t)levels[i].size);
        if (size != level->size) {
            return weir_texture_refuse(
                bytes, WEIR_ERROR_DATA, "its level %u does not decompress: %s", i,
                ZSTD_isError(size) ? ZSTD_getErrorName(size) : "it is too short");
        }
        level->blocks = at;
        at += size;
    }
    texture->num_levels = num;
    return WEIR_OK;
}
