// SPDX-License-Identifier: MIT
// The file formats that hold textures: KTX2, DDS and KTX.
#ifndef WEIR_CAPTURE_FILES_TEXTURE_CONTAINER_H
#define WEIR_CAPTURE_FILES_TEXTURE_CONTAINER_H

#include "capture/files/texture/texture.h"

struct weir_container {
    const char *name; // such as "ktx2"; also the ending of file names

    // The file format can say that colours are premultiplied by alpha.
    bool says_alpha;

    // The file format can say that rows start at the bottom.
    bool says_bottom_up;

    // The file format can have its levels compressed once more, by Zstandard.
    bool has_zstd;

    // True if the file format has a number for the texture format.
    bool (*holds)(VkFormat format);

    // Write a file. Errors: those of the sink; WEIR_ERROR_UNSUPPORTED (a texture format that it
    // does not hold, a level that is too large for it), WEIR_ERROR_OUT_OF_MEMORY (with `zstd`).
    enum weir_result (*write)(const struct weir_texture *texture,
                              const struct weir_texture_write_params *params,
                              const struct weir_texture_sink *sink);

    // True if a file begins with the magic number of this file format.
    bool (*matches)(const uint8_t *data, uint64_t size);

    // Get the texture format that the head of such a file names. VK_FORMAT_UNDEFINED: one without a
    // decoder, or the head is cut short.
    VkFormat (*peek)(const uint8_t *data, uint64_t size);

    // Read a file, with checks of every number in it. Finish the texture in every case. Errors:
    // WEIR_ERROR_DATA (damaged, cut short), WEIR_ERROR_UNSUPPORTED (an array, a cube map, a volume,
    // a compression that is not Zstandard, a format without a decoder, more than `max_memory`),
    // WEIR_ERROR_OUT_OF_MEMORY. The log has the reason.
    enum weir_result (*read)(const struct weir_texture_bytes *bytes, struct weir_texture *texture);
};

// The file formats, each in a file of its name.
extern const struct weir_container weir_ktx2, weir_dds, weir_ktx;

// Both headers of a DDS file, the longest head of a file [bytes].
enum { WEIR_DDS_HEADER_SIZE = 148 };

// Get the file format number `index`, from 0; NULL after the last.
const struct weir_container *weir_container_at(int index);

// Find the file format by the ending of a file's name, in letters of either case; NULL for another
// ending.
const struct weir_container *weir_container_of_path(const char *path);

// Read a file of any of the formats. Finish the texture in every case.
// Errors: those of `read`; WEIR_ERROR_DATA (an unknown format).
enum weir_result weir_texture_read(const struct weir_texture_bytes *bytes,
                                   struct weir_texture *texture);

// A file as its head describes it.
struct weir_texture_kind {
    const struct weir_container *container; // NULL: it holds no texture in blocks
    const char *format;                     // such as "bc7_unorm"; NULL: one without a decoder
    bool is_picture;                        // FFmpeg decodes it too
};

// Look at the head of a file. DDS files whose texels are not in blocks are pictures, and so is
// whatever cannot be opened, or is no file: to read them says more.
struct weir_texture_kind weir_texture_identify(const char *path);

#endif
