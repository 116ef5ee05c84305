// SPDX-License-Identifier: MIT
// A movie that is put together of frames and samples which lie in files already.
#include "capture/weir/remux/movie.h"

#include <stdlib.h>

#include "capture/base/grow.h"
#include "capture/movie/boxes.h"
#include "capture/movie/fragment.h"
#include "capture/movie/index.h"

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

uint64_t remux_piece_size(const struct remux_movie *movie, const struct remux_piece *piece)
{
    return piece->num_samples > 0
               ? (uint64_t)piece->num_samples * movie->audio[piece->track].sample_size
               : piece->size;
}

void remux_write_patch(uint64_t mdat_size, uint8_t patch[16])
{
    struct weir_boxes boxes = {.bytes = patch, .room = 16};
    weir_boxes_u32(&boxes, 1); // the size follows in 64 bits
    weir_boxes_u32(&boxes, WEIR_BOX('m', 'd', 'a', 't'));
    weir_boxes_u64(&boxes, mdat_size);
}

struct indices {
    struct weir_index frames;
    struct weir_audio_index audio[WEIR_MOOV_MAX_AUDIO];
};

static bool init_indices(const struct remux_movie *movie, struct indices *indices)
{
    bool has_memory = weir_index_init(&indices->frames);
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        has_memory = weir_audio_index_init(&indices->audio[i], movie->audio[i].sample_rate,
                                           movie->audio[i].sample_size) &&
                     has_memory;
    }
    return has_memory;
}

static void finish_indices(const struct remux_movie *movie, struct indices *indices)
{
    weir_index_finish(&indices->frames);
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        weir_audio_index_finish(&indices->audio[i]);
    }
}

static void fill_indices(const struct remux_movie *movie, uint64_t offset, struct indices *indices)
{
    const bool is_placed = offset > 0;
    for (size_t i = 0; i < movie->num_pieces; i++) {
        const struct remux_piece *piece = &movie->pieces[i];
        offset += is_placed ? WEIR_FRAGMENT_HEADER_SIZE : 0;
        const uint64_t at = is_placed ? offset : piece->offset;
        if (piece->num_samples == 0) {
            weir_index_add(&indices->frames, at, piece->size, piece->time);
        } else {
            weir_audio_index_add(&indices->audio[piece->track], at, piece->num_samples);
        }
        offset += is_placed ? remux_piece_size(movie, piece) : 0;
    }
}

uint8_t *remux_make_moov(const struct remux_movie *movie, uint64_t offset, size_t *size)
{
    struct indices indices;
    uint8_t *moov = NULL;
    if (init_indices(movie, &indices)) {
        fill_indices(movie, offset, &indices);
        const struct weir_index_head head = {
            .moov = movie->head + movie->moov,
            .size = movie->head_size - movie->moov,
            .ticks_per_second = movie->ticks_per_second,
            .ticks_per_frame = movie->ticks_per_frame,
            .audio = indices.audio,
            .num_audio = movie->num_audio,
            .has_timecode = movie->has_timecode,
            .chapters = movie->chapters,
        };
        moov = weir_index_make_moov(&indices.frames, &head, size);
    }
    finish_indices(movie, &indices);
    return moov;
}
