// SPDX-License-Identifier: MIT
// A movie that is put together of frames and samples which lie in files already.
#include "capture/weir/remux/movie.h"

#include <stdlib.h>

#include "capture/base/grow.h"
#include "capture/movie/boxes.h"
#include "capture/movie/fragment.h"
#include "capture/movie/plain_copy.h"

void remux_movie_finish(struct remux_movie *movie)
{
    free(movie->pieces);
    *movie = (struct remux_movie){.head = NULL};
}

bool remux_movie_add(struct remux_movie *movie, const struct remux_piece *piece)
{
    struct remux_piece *pieces = weir_grow(movie->pieces, movie->num_pieces, &movie->room,
                                           sizeof(pieces[0]));
    if (pieces) {
        movie->pieces = pieces;
        movie->pieces[movie->num_pieces++] = *piece;
    }
    return pieces;
}

uint32_t remux_piece_samples(const struct remux_movie *movie, const struct remux_piece *piece)
{
    return piece->track > 0 ? piece->size / movie->audio[piece->track - 1].sample_size : 0;
}

uint64_t remux_movie_length(const struct remux_movie *movie, uint32_t track)
{
    uint64_t length = 0;
    for (size_t i = 0; i < movie->num_pieces; i++) {
        const struct remux_piece *piece = &movie->pieces[i];
        if (piece->track == track) {
            length += track > 0 ? remux_piece_samples(movie, piece) : 1;
        }
    }
    return length;
}

void remux_write_patch(uint64_t mdat_size, uint8_t patch[16])
{
    struct weir_boxes boxes = {.bytes = patch, .room = 16};
    weir_boxes_u32(&boxes, 1); // the size follows in 64 bits
    weir_boxes_u32(&boxes, WEIR_BOX('m', 'd', 'a', 't'));
    weir_boxes_u64(&boxes, mdat_size);
}

// Add the pieces as they lie in the movie at `offset` and behind it, or where they lie now.
static bool add_pieces(const struct remux_movie *movie, uint64_t offset, struct weir_movie *made)
{
    const bool is_placed = offset > 0;
    bool has_memory = true;
    for (size_t i = 0; has_memory && i < movie->num_pieces; i++) {
        const struct remux_piece *piece = &movie->pieces[i];
        offset += is_placed ? WEIR_FRAGMENT_HEADER_SIZE : 0;
        has_memory = weir_movie_add(
            made, &(const struct weir_piece){.offset = is_placed ? offset : piece->offset,
                                             .time = piece->time,
                                             .size = piece->size,
                                             .track = piece->track});
        offset += is_placed ? piece->size : 0;
    }
    return has_memory;
}

uint8_t *remux_make_moov(const struct remux_movie *movie, uint64_t offset, size_t *size)
{
    struct weir_movie made = {
        .pictures = {.ticks_per_second = movie->ticks_per_second,
                     .ticks_per_frame = movie->ticks_per_frame},
        .num_audio = movie->num_audio,
        .timecode.first.frames_per_second = movie->has_timecode,
    };
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        made.audio[i] = (struct weir_movie_audio){.sample_rate = movie->audio[i].sample_rate,
                                                  .sample_size = movie->audio[i].sample_size};
    }
    if (movie->chapters) {
        made.chapters = *movie->chapters;
    }
    const struct weir_plain_head head = {.moov = movie->head + movie->moov,
                                         .size = movie->head_size - movie->moov};
    uint8_t *moov = add_pieces(movie, offset, &made) ? weir_plain_copy_moov(&made, &head, size)
                                                     : NULL;
    made.chapters = (struct weir_chapters){.items = NULL}; // borrowed
    weir_movie_finish(&made);
    return moov;
}
