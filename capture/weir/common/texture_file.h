// SPDX-License-Identifier: MIT
// A file of a texture, as commands read it.
#pragma once

#include <stdint.h>

#include <weir/result.h>

#include "capture/files/texture/texture.h"

struct cli_texture_file {
    struct weir_texture texture;
    uint8_t *data; // the whole file, in which the blocks lie that the texture does not own
    uint64_t size;
};

// Read a texture of any of the file formats for `command`, such as "weir info"; BC5 has red first
// then. Folders and devices are refused. `max_memory`: of levels that are compressed once more, as
// --max-memory has it. Prints the reason of a failure. Close it in every case.
enum weir_result cli_texture_open(struct cli_texture_file *file, const char *command,
                                  const char *path, uint64_t max_memory);
void cli_texture_close(struct cli_texture_file *file);

// Write what its images are: "", or such as "cube map, ". Returns the text.
const char *cli_texture_describe_images(const struct weir_texture *texture, char text[64]);
