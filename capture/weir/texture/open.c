// SPDX-License-Identifier: MIT
// A texture that is read from a file, for weir texture.
#include "capture/weir/texture/open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/weir/common/memory.h"
#include "capture/weir/common/report.h"

// Read a whole file. Folders and devices are refused, as they have no size.
static enum weir_result read_file(const char *path, uint8_t **data, uint64_t *size)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    *data = NULL;
    if (!file || fstat(fileno(file), &status) != 0) {
        cli_report_error("cannot read %s: %s; check its name and permissions", path,
                         strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        cli_report_error("cannot read %s: it is not a file", path);
    } else {
        *size = (uint64_t)status.st_size;
        *data = malloc(*size > 0 ? (size_t)*size : 1);
        if (!*data) {
            cli_report_error("no memory for the %llu bytes of %s", (unsigned long long)*size, path);
        } else if (fread(*data, 1, (size_t)*size, file) != *size) {
            cli_report_error("cannot read %s: it ended early", path);
            free(*data);
            *data = NULL;
        }
    }
    if (file) {
        fclose(file);
    }
    return *data ? WEIR_OK : WEIR_ERROR_IO;
}

// A block of BC5 has a half for each channel.
static void put_red_first(struct texture_file *file)
{
    enum { HALF = 8 };
    for (uint32_t i = 0; i < file->texture.num_levels; i++) {
        const struct weir_texture_level *level = &file->texture.levels[i];
        uint8_t *block = file->data + (level->blocks - file->data);
        for (const uint8_t *end = block + level->size; block != end; block += 2 * HALF) {
            uint8_t green[HALF];
            memcpy(green, block, HALF);
            memcpy(block, block + HALF, HALF);
            memcpy(block + HALF, green, HALF);
        }
    }
    file->texture.is_green_first = false;
}

enum weir_result texture_file_open(struct texture_file *file, const char *path, uint64_t max_memory)
{
    struct weir_texture_bytes bytes = {
        .name = path, .max_memory = cli_memory_use(max_memory, 0, 0).limit, .log = &cli_log};
    *file = (struct texture_file){0};
    enum weir_result result = read_file(path, &file->data, &bytes.size);
    bytes.data = file->data;
    if (result == WEIR_OK) {
        result = weir_texture_read(&bytes, &file->texture);
    }
    if (result == WEIR_OK && file->texture.is_green_first) {
        put_red_first(file);
    }
    return result;
}

void texture_file_close(struct texture_file *file)
{
    weir_texture_finish(&file->texture);
    free(file->data);
    *file = (struct texture_file){0};
}
