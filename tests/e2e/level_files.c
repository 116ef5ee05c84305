// SPDX-License-Identifier: MIT
// Reads the files of weir mips.
#include "tests/e2e/level_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/files/picture/picture.h"
#include "tests/expect.h"

void *level_memory(size_t size)
{
    void *memory = calloc(1, size);
    test_must(memory, "memory");
    return memory;
}

// The file PREFIX_levelNN.png or .pfm, with something before the ending. False: it is not there.
static bool read_file(const char *prefix, uint32_t number, const char *ending, struct level *level)
{
    const struct weir_log log = {.print = weir_log_print_stderr};
    struct weir_picture picture;
    char path[4096];
    snprintf(path, sizeof(path), "%s_level%02u%s", prefix, number, ending);
    if (access(path, F_OK) != 0) {
        return false;
    }
    test_must(weir_picture_read(path, NULL, NULL, &log, &picture) == WEIR_OK, path);
    *level = (struct level){picture.width, picture.height, NULL};
    level->texels = level_memory((size_t)picture.width * picture.height * sizeof(*level->texels));
    float *row = level_memory((size_t)picture.width * 4 * sizeof(*row));
    for (uint32_t y = 0; y < picture.height; y++) {
        weir_picture_row(&picture, y, row);
        for (size_t i = 0; i < (size_t)picture.width * 4; i++) {
            level->texels[(size_t)y * picture.width + i / 4][i % 4] = row[i];
        }
    }
    free(row);
    weir_picture_free(&picture);
    return true;
}

struct level level_read(const char *prefix, uint32_t number)
{
    struct level level = {0}, alpha;
    if (read_file(prefix, number, ".png", &level) || !read_file(prefix, number, ".pfm", &level) ||
        !read_file(prefix, number, "_alpha.pfm", &alpha)) {
        return level;
    }
    test_must(alpha.width == level.width && alpha.height == level.height,
              "alpha of the size of its level");
    for (size_t i = 0; i < (size_t)alpha.width * alpha.height; i++) {
        level.texels[i][3] = alpha.texels[i][0];
    }
    free(alpha.texels);
    return level;
}
