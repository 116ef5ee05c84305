// SPDX-License-Identifier: MIT
// A file of a texture, as commands read it.
#include "capture/weir/common/texture_file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/weir/common/file.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"

// Read a whole file. Folders and devices are refused, as they have no size.
static enum weir_result read_file(const char *command, const char *path, uint8_t **data,
                                  uint64_t *size)
{
    struct stat status;
    const int fd = cli_read_open(command, path, O_RDONLY, &status);
    if (fd < 0) {
        return WEIR_ERROR_IO;
    }
    *size = (uint64_t)status.st_size;
    *data = malloc(*size > 0 ? (size_t)*size : 1);
    if (!*data) {
        cli_report_error("no memory for the %" PRIu64 " bytes of %s", *size, path);
    } else if (!cli_read_at(fd, 0, *data, (size_t)*size)) {
        cli_report_error("cannot read %s: it ended early", path);
        free(*data);
        *data = NULL;
    }
    close(fd);
    return *data ? WEIR_OK : WEIR_ERROR_IO;
}

// A block of BC5 has a half for each channel.
static void put_red_first(struct cli_texture_file *file)
{
    enum { HALF = 8 };
    const uint32_t num_images = weir_texture_num_images(&file->texture);
    for (uint32_t i = 0; i < file->texture.num_levels * num_images; i++) {
        const uint32_t level = i / num_images;
        const uint8_t *start = weir_texture_image(&file->texture, level, i % num_images);
        uint8_t *block = file->data + (start - file->data);
        for (const uint8_t *end = start + file->texture.levels[level].size; block != end;
             block += 2 * HALF) {
            uint8_t green[HALF];
            memcpy(green, block, HALF);
            memcpy(block, block + HALF, HALF);
            memcpy(block + HALF, green, HALF);
        }
    }
    file->texture.is_green_first = false;
}

enum weir_result cli_texture_open(struct cli_texture_file *file, const char *command,
                                  const char *path, uint64_t max_memory)
{
    struct weir_texture_bytes bytes = {
        .name = path, .max_memory = cli_memory_use(max_memory, 0, 0).limit, .log = &cli_log};
    *file = (struct cli_texture_file){0};
    WEIR_TRY(read_file(command, path, &file->data, &bytes.size));
    bytes.data = file->data;
    file->size = bytes.size;
    WEIR_TRY(weir_texture_read(&bytes, &file->texture));
    if (file->texture.is_green_first) {
        put_red_first(file);
    }
    return WEIR_OK;
}

void cli_texture_close(struct cli_texture_file *file)
{
    weir_texture_finish(&file->texture);
    free(file->data);
    *file = (struct cli_texture_file){0};
}

const char *cli_texture_describe_images(const struct weir_texture *texture, char text[64])
{
    const uint32_t num = texture->num_layers;
    text[0] = 0;
    if (num > 0) {
        snprintf(text, 64, "array of %u %s%s, ", num, texture->is_cube ? "cube map" : "layer",
                 num == 1 ? "" : "s");
    } else if (texture->is_cube) {
        snprintf(text, 64, "cube map, ");
    }
    return text;
}
