// SPDX-License-Identifier: MIT
// The plain form of a movie: the moov box that lists every frame and all samples, and the bytes
// that hide the fragments before it.
#include "capture/movie/plain.h"

#include <stdlib.h>

#include "capture/movie/head.h"
#include "capture/movie/tables.h"

uint64_t weir_plain_room(const struct weir_movie *movie, size_t head_size)
{
    return head_size + (1 + movie->num_audio) * (uint64_t)WEIR_TABLES_FIXED_SIZE +
           (uint64_t)movie->num_pieces * WEIR_TABLES_PIECE_SIZE +
           weir_chapters_size(&movie->chapters);
}

uint8_t *weir_plain_make_moov(const struct weir_movie *movie, size_t *size)
{
    const uint64_t room = weir_plain_room(movie, weir_head_room(movie));
    if (movie->is_incomplete || movie->pictures.num_frames == 0 || room > UINT32_MAX) {
        return NULL;
    }
    struct weir_boxes boxes = {.bytes = malloc((size_t)room), .room = (size_t)room};
    if (boxes.bytes) {
        weir_head_write_moov(movie, true, &boxes);
        *size = boxes.size;
    }
    if (boxes.overflow) {
        free(boxes.bytes);
        return NULL;
    }
    return boxes.bytes;
}

void weir_plain_write_patch(uint64_t mdat_size, uint8_t patch[WEIR_PLAIN_PATCH_SIZE])
{
    struct weir_boxes boxes = {.bytes = patch, .room = WEIR_PLAIN_PATCH_SIZE};
    weir_boxes_u32(&boxes, 1); // the size follows in 64 bits
    weir_boxes_u32(&boxes, WEIR_BOX('m', 'd', 'a', 't'));
    weir_boxes_u64(&boxes, mdat_size);
}
