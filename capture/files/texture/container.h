// SPDX-License-Identifier: MIT
// The kinds of files that hold textures.
#ifndef WEIR_CAPTURE_FILES_TEXTURE_CONTAINER_H
#define WEIR_CAPTURE_FILES_TEXTURE_CONTAINER_H

#include "capture/files/texture/texture.h"

struct weir_container {
    const char *name; // "ktx2": what file names end in, too

    // Whether it has a place for what alpha means.
    bool says_alpha;

    // Whether it has a number for the format.
    bool (*holds)(VkFormat format);

    // Write a file. `writer` is what made it, at most 63 characters. Errors: those of the sink;
    // WEIR_ERROR_UNSUPPORTED (a format that it does not hold, a level that is too large for it).
    enum weir_result (*write)(const struct weir_texture *texture, const char *writer,
                              const struct weir_texture_sink *sink);

    // Whether a file begins as such a one does.
    bool (*matches)(const uint8_t *data, uint64_t size);

    // Read one, without believing it. Errors: WEIR_ERROR_DATA (damaged, cut short),
    // WEIR_ERROR_UNSUPPORTED (an array, a cube map, a volume, a compressed file, a format without a
    // decoder). The log has the reason.
    enum weir_result (*read)(const struct weir_texture_bytes *bytes, struct weir_texture *texture);
};

// That of an index; NULL after the last.
const struct weir_container *weir_container_at(int index);

// By the ending of a file's name, in any case; NULL where there is none.
const struct weir_container *weir_container_of_path(const char *path);

// Read a file of any kind. Errors: as its reader; WEIR_ERROR_DATA (none that is known).
enum weir_result weir_texture_read(const struct weir_texture_bytes *bytes,
                                   struct weir_texture *texture);

#endif
