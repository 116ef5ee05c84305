// SPDX-License-Identifier: MIT
// Checks that a frame is one of a movie, and whole.
#include "capture/weir/recover/check.h"

#include "capture/movie/hap_reader.h"
#include "capture/movie/snappy_reader.h"

// Two blocks. No block of scaled YCoCg is all zeros: there is no colour whose Co and Cg are both at
// their least. Nor has Snappy such a row of zeros where the texture has none. A hole that a power
// cut left has.
#define ZEROS_OF_A_HOLE 32

struct check {
    struct weir_view *view;
    bool zeros_are_holes;
    enum recover_depth depth;
    uint64_t size; // of the texture so far [bytes]
};

static bool has_hole(struct weir_view *view, uint64_t at, uint64_t size)
{
    uint32_t num_zeros = 0;
    while (size > 0) {
        const size_t part = size < view->room ? (size_t)size : view->room;
        const uint8_t *bytes = weir_view_at(view, at, part);
        if (!bytes) {
            return true;
        }
        for (size_t i = 0; i < part; i++) {
            num_zeros = bytes[i] == 0 ? num_zeros + 1 : 0;
            if (num_zeros == ZEROS_OF_A_HOLE) {
                return true;
            }
        }
        at += part;
        size -= part;
    }
    return false;
}

static bool can_read(struct weir_view *view, uint64_t at, uint64_t size)
{
    for (uint64_t done = 0; done < size; done += view->room) {
        const uint64_t left = size - done;
        if (!weir_view_at(view, at + done, left < view->room ? (size_t)left : view->room)) {
            return false;
        }
    }
    return true;
}

static bool check_bytes(const struct check *check, const struct weir_hap_piece *piece)
{
    if (check->zeros_are_holes ? has_hole(check->view, piece->at, piece->size)
                               : !can_read(check->view, piece->at, piece->size)) {
        return false;
    }
    return !piece->is_snappy || weir_snappy_is_whole(check->view, piece->at, piece->size);
}

static bool check_piece(void *user, const struct weir_hap_piece *piece)
{
    struct check *check = user;
    uint32_t length = (uint32_t)piece->size;
    if (piece->is_snappy &&
        weir_snappy_read_length(check->view, piece->at, piece->size, &length) == 0) {
        return false;
    }
    check->size += length;
    return check->depth == RECOVER_HEADERS || check_bytes(check, piece);
}

static bool check_texture(struct weir_view *view, const struct recover_kind *kind,
                          const struct weir_hap_section_found *texture, enum recover_depth depth)
{
    const enum weir_hap_texture format = (enum weir_hap_texture)(texture->type & 0x0f);
    const bool is_complex = (texture->type & 0xf0) == WEIR_HAP_COMPLEX;
    struct check check = {.view = view,
                          .zeros_are_holes = format == WEIR_HAP_YCOCG_BC3 ||
                                             format == WEIR_HAP_RGBA_BC7,
                          .depth = depth};
    // The chunks of a frame lie far apart: their headers are read with the rest of them only.
    if (depth == RECOVER_HEADERS && is_complex) {
        return weir_hap_pieces_read(view, texture, NULL, NULL);
    }
    return weir_hap_pieces_read(view, texture, check_piece, &check) &&
           check.size == weir_hap_texture_size(format, kind->width, kind->height);
}

bool recover_check(struct weir_view *view, const struct recover_kind *kind, uint64_t at,
                   uint64_t limit, enum recover_depth depth, uint64_t *end)
{
    struct weir_hap_frame frame;
    if (!weir_hap_frame_read(view, at, limit, &frame)) {
        return false;
    }
    const struct weir_movie_codec_info *codec = kind->codec ? kind->codec
                                                            : weir_hap_codec_of_type(frame.type);
    if (weir_hap_codec_of_type(frame.type) != codec) {
        return false;
    }
    for (uint32_t i = 0; i < frame.num_textures; i++) {
        if (!weir_hap_codec_has(codec, frame.textures[i].type) ||
            !check_texture(view, kind, &frame.textures[i], depth)) {
            return false;
        }
    }
    *end = frame.end;
    return true;
}
