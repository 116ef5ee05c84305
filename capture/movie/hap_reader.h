// SPDX-License-Identifier: MIT
// HAP frames, read from a file that may be damaged: their sections, the pieces of their textures,
// and whether they are whole.
#ifndef WEIR_CAPTURE_MOVIE_HAP_READER_H
#define WEIR_CAPTURE_MOVIE_HAP_READER_H

#include "capture/movie/codec.h"
#include "capture/movie/view.h"

struct weir_hap_section_found {
    uint8_t type;
    uint64_t payload, end; // in the file
};

struct weir_hap_frame {
    uint8_t type; // of the outer section
    uint32_t num_textures;
    struct weir_hap_section_found textures[2];
    uint64_t end;
};

// Read the sections of the frame at `at`: one with a texture, or one with two such. False: no frame
// of a known type begins there, or it does not end before `limit`.
bool weir_hap_frame_read(struct weir_view *view, uint64_t at, uint64_t limit,
                         struct weir_hap_frame *frame);

// A part of a texture that is compressed on its own, or stored.
struct weir_hap_piece {
    bool is_snappy;
    uint64_t at, size; // in the file
};

// Call `piece` for all of a texture's, in their order; NULL: only read the tables. False: the
// tables are damaged, or `piece` answered false.
bool weir_hap_pieces_read(struct weir_view *view, const struct weir_hap_section_found *texture,
                          bool (*piece)(void *user, const struct weir_hap_piece *piece),
                          void *user);

// What the frames of a movie are.
struct weir_hap_format {
    const struct weir_movie_codec_info *codec; // NULL: any
    uint32_t width, height;
};

enum weir_hap_depth {
    WEIR_HAP_HEADERS, // the headers and tables of the frame agree with each other and its format
    WEIR_HAP_WHOLE,   // and so does every byte of it
};

// Check the frame at `at`, which ends at `limit` at the latest. `end` gets where it ends.
bool weir_hap_check(struct weir_view *view, const struct weir_hap_format *format, uint64_t at,
                    uint64_t limit, enum weir_hap_depth depth, uint64_t *end);

#endif
