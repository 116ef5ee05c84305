// SPDX-License-Identifier: MIT
// Files of textures of random blocks, in memory.
#include "texture_file.h"

#include <stdlib.h>
#include <string.h>

#include "capture/base/little_endian.h"
#include "testing.h"

static void fill(struct weir_texture *texture)
{
    for (uint32_t i = 0; i < texture->num_levels; i++) {
        const uint64_t size = weir_texture_level_size(texture->format, texture->width,
                                                      texture->height, i);
        const size_t all = (size_t)size * weir_texture_num_images(texture);
        uint8_t *blocks = malloc(all);
        test_must(blocks, "memory");
        test_random_bytes(blocks, all);
        texture->levels[i] = (struct weir_texture_level){blocks, size};
    }
}

static enum weir_result append(void *user, const uint8_t *data, size_t size)
{
    struct texture_file *file = user;
    file->data = realloc(file->data, file->size + size);
    test_must(file->data, "memory");
    memcpy(file->data + file->size, data, size);
    file->size += size;
    return WEIR_OK;
}

void texture_file_write(struct texture_file *file, const char *form)
{
    const struct weir_texture_write_params params = {
        .writer = "test", .dx10 = strcmp(form, "dx10") == 0, .zstd = strcmp(form, "zstd") == 0};
    const struct weir_container *container = texture_container(params.dx10   ? "dds"
                                                               : params.zstd ? "ktx2"
                                                                             : form);
    const struct weir_texture_sink sink = {append, file};
    file->size = 0;
    test_expect(container->write(&file->texture, &params, &sink) == WEIR_OK,
                "a %s file of the format %d", form, (int)file->texture.format);
}

struct texture_file texture_file_make(const char *form, struct weir_texture texture)
{
    struct texture_file file = {.texture = texture};
    fill(&file.texture);
    texture_file_write(&file, form);
    return file;
}

void texture_file_free(struct texture_file *file)
{
    for (uint32_t i = 0; i < file->texture.num_levels; i++) {
        free((void *)(uintptr_t)file->texture.levels[i].blocks);
    }
    free(file->data);
}

enum weir_result texture_file_read(const struct texture_file *file, struct weir_texture *read)
{
    const struct weir_texture_bytes bytes = {"file", file->data, file->size, &test_log, 0};
    return weir_texture_read(&bytes, read);
}

uint32_t texture_file_word(const struct texture_file *file, size_t offset)
{
    return weir_get_u32(file->data + offset);
}

void texture_file_expect(const struct texture_file *file, size_t offset, const uint32_t *words,
                         size_t num_words)
{
    for (size_t i = 0; i < num_words; i++) {
        const uint32_t got = texture_file_word(file, offset + 4 * i);
        test_expect(got == words[i], "the word at %zu is %#x and should be %#x", offset + 4 * i,
                    got, words[i]);
    }
}

const struct weir_container *texture_container(const char *name)
{
    for (int i = 0; weir_container_at(i); i++) {
        if (strcmp(weir_container_at(i)->name, name) == 0) {
            return weir_container_at(i);
        }
    }
    return NULL;
}
