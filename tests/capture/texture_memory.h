// SPDX-License-Identifier: MIT
// Helpers for the tests of texture files: textures of random blocks, and files in memory.
#ifndef WEIR_TESTS_CAPTURE_TEXTURE_MEMORY_H
#define WEIR_TESTS_CAPTURE_TEXTURE_MEMORY_H

#include "capture/files/texture/container.h"

// Fill `texture`, of which format, size and number of levels are set, with random blocks.
void texture_memory_fill(struct weir_texture *texture);
void texture_memory_free(struct weir_texture *texture);

// A file that was written.
struct texture_memory {
    uint8_t *data;
    size_t size;
};

// Write it; the writer is "test". The test fails where that fails. Free the data.
struct texture_memory texture_memory_write(const struct weir_texture *texture,
                                           const struct weir_container *container);
// The same as a DDS file with the header of DirectX 10.
struct texture_memory texture_memory_write_dx10(const struct weir_texture *texture);
// The same as a KTX2 file with its levels compressed by Zstandard.
struct texture_memory texture_memory_write_zstd(const struct weir_texture *texture);

// The 32 bits there, the least significant byte first.
uint32_t texture_memory_u32(const uint8_t *bytes);
// The words from there on are these.
void texture_memory_expect(const uint8_t *bytes, const uint32_t *words, size_t num_words);

const struct weir_container *texture_memory_container(const char *name);

#endif
