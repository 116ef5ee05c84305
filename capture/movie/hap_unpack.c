// SPDX-License-Identifier: MIT
// The blocks of a texture, from the pieces that a frame has of it.
#include "capture/movie/hap.h"

#include <stdlib.h>

#include "capture/movie/snappy.h"

struct work {
    struct weir_hap_unpacker *unpacker;
    uint8_t *out;
    uint64_t left; // room behind it [bytes]
    enum weir_result result;
};

// Read a piece that is packed. More than Snappy makes of so few bytes no program writes.
static enum weir_result read_packed(struct weir_hap_unpacker *unpacker,
                                    const struct weir_hap_piece *piece, uint32_t length)
{
    const struct weir_view_source *source = &unpacker->view->source;
    if (piece->size > weir_snappy_room(length)) {
        return WEIR_ERROR_DATA;
    }
    if (piece->size > unpacker->room) {
        free(unpacker->packed);
        unpacker->room = (size_t)(piece->size + piece->size / 4);
        unpacker->packed = malloc(unpacker->room);
    }
    if (!unpacker->packed) {
        unpacker->room = 0;
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    return source->read(source->user, piece->at, unpacker->packed, (size_t)piece->size)
               ? WEIR_OK
               : WEIR_ERROR_IO;
}

static bool take(void *user, const struct weir_hap_piece *piece)
{
    struct work *work = user;
    const struct weir_view_source *source = &work->unpacker->view->source;
    uint32_t length = (uint32_t)piece->size;
    if ((piece->is_snappy &&
         weir_snappy_read_length(work->unpacker->view, piece->at, piece->size, &length) == 0) ||
        length > work->left) {
        return false;
    }
    if (piece->is_snappy) {
        work->result = read_packed(work->unpacker, piece, length);
        if (work->result == WEIR_OK &&
            !weir_snappy_unpack(work->unpacker->packed, (size_t)piece->size, work->out, length)) {
            work->result = WEIR_ERROR_DATA;
        }
    } else if (!source->read(source->user, piece->at, work->out, length)) {
        work->result = WEIR_ERROR_IO;
    }
    work->out += length;
    work->left -= length;
    return work->result == WEIR_OK;
}

enum weir_result weir_hap_unpack(struct weir_hap_unpacker *unpacker,
                                 const struct weir_hap_section_found *texture, uint8_t *out,
                                 uint64_t size)
{
    struct work work = {.unpacker = unpacker, .out = out, .left = size};
    const bool is_read = weir_hap_pieces_read(unpacker->view, texture, take, &work);
    return work.result != WEIR_OK      ? work.result
           : is_read && work.left == 0 ? WEIR_OK
           : unpacker->view->failed    ? WEIR_ERROR_IO
                                       : WEIR_ERROR_DATA;
}
