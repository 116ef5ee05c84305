// SPDX-License-Identifier: MIT
// HAP frames, read from a file that may be damaged: their sections, and the pieces of their
// textures.
#ifndef WEIR_CAPTURE_MOVIE_HAP_READER_H
#define WEIR_CAPTURE_MOVIE_HAP_READER_H

#include "capture/movie/section.h"
#include "capture/movie/view.h"

struct weir_hap_section_found {
    uint8_t type;
    uint64_t payload, end; // in the file
};

// Read the header of the section at `at`, in either of its lengths. False: it does not end before
// `limit`.
bool weir_hap_section_read(struct weir_view *view, uint64_t at, uint64_t limit,
                           struct weir_hap_section_found *section);

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

#endif
