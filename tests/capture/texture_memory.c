// SPDX-License-Identifier: MIT
// Helpers for the tests of texture files: textures of random blocks, and files in memory.
#include "texture_memory.h"

#include <stdlib.h>
#include <string.h>

#include "testing.h"

void texture_memory_fill(struct weir_texture *texture)
{
    for (uint32_t i = 0; i < texture->num_levels; i++) {
        const uint64_t size = weir_texture_level_size(texture->format, texture->width,
                                                      texture->height, i);
        uint8_t *blocks = malloc((size_t)size);
        if (!blocks) {
            abort();
        }
        test_random_bytes(blocks, (size_t)size);
        texture->levels[i] = (struct weir_texture_level){blocks, size};
    }
}

void texture_memory_free(struct weir_texture *texture)
{
    for (uint32_t i = 0; i < texture->num_levels; i++) {
        free((void *)(uintptr_t)texture->levels[i].blocks);
    }
    *texture = (struct weir_texture){0};
}

static enum weir_result append(void *user, const uint8_t *data, size_t size)
{
    struct texture_memory *file = user;
    uint8_t *longer = realloc(file->data, file->size + size);
    if (!longer) {
        abort();
    }
    memcpy(longer + file->size, data, size);
    *file = (struct texture_memory){longer, file->size + size};
    return WEIR_OK;
}

static struct texture_memory write_with(const struct weir_texture *texture,
                                        const struct weir_container *container,
                                        const struct weir_texture_write_params *params)
{
    struct texture_memory file = {0};
    const struct weir_texture_sink sink = {append, &file};
    test_expect(container->write(texture, params, &sink) == WEIR_OK, "a %s file of the format %d",
                container->name, (int)texture->format);
    return file;
}

struct texture_memory texture_memory_write(const struct weir_texture *texture,
                                           const struct weir_container *container)
{
    return write_with(texture, container, &(struct weir_texture_write_params){.writer = "test"});
}

struct texture_memory texture_memory_write_dx10(const struct weir_texture *texture)
{
    return write_with(texture, texture_memory_container("dds"),
                      &(struct weir_texture_write_params){.writer = "test", .dx10 = true});
}

struct texture_memory texture_memory_write_zstd(const struct weir_texture *texture)
{
    return write_with(texture, texture_memory_container("ktx2"),
                      &(struct weir_texture_write_params){.writer = "test", .zstd = true});
}

uint32_t texture_memory_u32(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void texture_memory_expect(const uint8_t *bytes, const uint32_t *words, size_t num_words)
{
    for (size_t i = 0; i < num_words; i++) {
        const uint32_t got = texture_memory_u32(bytes + 4 * i);
        test_expect(got == words[i], "word %zu is %u and should be %u", i, got, words[i]);
    }
}

const struct weir_container *texture_memory_container(const char *name)
{
    for (int i = 0; weir_container_at(i); i++) {
        if (strcmp(weir_container_at(i)->name, name) == 0) {
            return weir_container_at(i);
        }
    }
    return NULL;
}
