// SPDX-License-Identifier: MIT
// A texture that is read from a file, for weir texture.
#ifndef WEIR_CAPTURE_WEIR_TEXTURE_OPEN_H
#define WEIR_CAPTURE_WEIR_TEXTURE_OPEN_H

#include "capture/files/texture/container.h"

struct texture_file {
    struct weir_texture texture;
    uint8_t *data; // the whole file, in which the blocks lie that the texture does not own
};

// Read a texture of any of the file formats; BC5 has red first then. Folders and devices are
// refused. `max_memory`: of levels that are compressed once more, as --max-memory has it. Prints
// the reason of a failure. Close it in every case.
enum weir_result texture_file_open(struct texture_file *file, const char *path,
                                   uint64_t max_memory);
void texture_file_close(struct texture_file *file);

#endif
