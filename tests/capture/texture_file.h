// SPDX-License-Identifier: MIT
// Files of textures of random blocks, in memory.
#pragma once

#include "capture/files/texture/texture.h"

struct texture_file {
    struct weir_texture texture;
    uint8_t *data;
    size_t size;
};

// Write a texture, whose levels of all images become random blocks; the writer is "test". `form`: a
// container's name; "dx10": a DDS file with the header of DirectX 10; "zstd": a KTX2 file with
// levels that are compressed by Zstandard.
struct texture_file texture_file_make(const char *form, struct weir_texture texture);
// The same with the blocks that are there.
void texture_file_write(struct texture_file *file, const char *form);
void texture_file_free(struct texture_file *file);

// Read it.
enum weir_result texture_file_read(const struct texture_file *file, struct weir_texture *read);

// The 32 bits there, the least significant byte first; all words from there on are these.
uint32_t texture_file_word(const struct texture_file *file, size_t offset);
void texture_file_expect(const struct texture_file *file, size_t offset, const uint32_t *words,
                         size_t num_words);

const struct weir_container *texture_container(const char *name);
