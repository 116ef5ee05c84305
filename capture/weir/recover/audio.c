// SPDX-License-Identifier: MIT
// The audio of a damaged movie: where its samples belong, and silence where some are lost.
#include <stdlib.h>

#include "capture/base/size.h"
#include "capture/weir/recover/recover.h"

// A track while its pieces are put in place [samples].
struct track {
    uint32_t sample_rate, sample_size;
    uint64_t start;  // the position that becomes 0
    uint64_t end;    // of what has its place
    uint64_t length; // of its longest piece
};

static uint64_t end_of(const struct weir_movie *movie, const struct weir_piece *piece)
{
    return piece->time + weir_piece_num_samples(movie, piece);
}

// Mend the position of a piece that the pieces around it leave no room for: between the end of the
// one before and the begin of the one behind.
static void mend_between(const struct weir_movie *movie, struct weir_piece *piece, uint64_t before,
                         uint64_t behind)
{
    const uint32_t num = weir_piece_num_samples(movie, piece);
    const bool fits = piece->time >= before && piece->time <= behind && num <= behind - piece->time;
    if (!fits && before <= behind && num <= behind - before) {
        piece->time = behind - num;
    }
}

// Mend positions of a track that are damaged one by one. No piece begins later than `latest`.
static void mend_positions(struct weir_movie *movie, uint32_t track, uint64_t latest)
{
    struct weir_piece *piece = NULL;
    uint64_t before = 0;
    for (size_t i = 0; i < movie->num_pieces; i++) {
        struct weir_piece *next = &movie->pieces[i];
        if (next->track != track) {
            continue;
        }
        if (piece) {
            mend_between(movie, piece, before, next->time);
            before = end_of(movie, piece);
        }
        piece = next;
    }
    if (piece && (piece->time < before || piece->time > latest)) {
        piece->time = before;
    }
}

// Leave out the samples of a piece before a position. False: none is left.
static bool cut_before(struct weir_piece *piece, uint64_t position, uint32_t sample_size)
{
    if (piece->time >= position) {
        return true;
    }
    const uint64_t cut = position - piece->time;
    if (cut >= piece->size / sample_size) {
        return false;
    }
    piece->offset += cut * sample_size;
    piece->size -= (uint32_t)cut * sample_size;
    piece->time = position;
    return true;
}

// Add silence up to a piece, in pieces of a second, or of a megabyte where that is longer: what a
// damaged head says of the rate makes no list of one sample each.
static bool add_silence(struct recover_found *found, const struct track *track,
                        const struct weir_piece *piece)
{
    const uint64_t megabyte = (1u << 20) / track->sample_size;
    const uint64_t most = weir_max(weir_min(track->sample_rate, megabyte << 10), megabyte);
    found->num_silent += weir_max(piece->time, track->end) - track->end;
    return weir_movie_add_silence(&found->movie,
                                  (struct weir_piece){.time = track->end, .track = piece->track},
                                  piece->time, (uint32_t)most);
}

// Add samples behind those of the track before them. False: out of memory.
static bool place(struct recover_found *found, struct track *track, struct weir_piece piece,
                  uint64_t *num_fragments)
{
    if (!cut_before(&piece, track->start + track->end, track->sample_size)) {
        return true;
    }
    piece.time -= track->start;
    const uint64_t end = end_of(&found->movie, &piece);
    // A position that no movie of this program has is damaged.
    if (end > WEIR_AUDIO_MAX_SAMPLES) {
        return true;
    }
    if (piece.time > track->end) {
        *num_fragments += weir_divide_up(piece.time - track->end, track->length);
    }
    if (!add_silence(found, track, &piece) || !weir_movie_add(&found->movie, &piece)) {
        return false;
    }
    track->end = end;
    return true;
}

static void begin(struct recover_found *found, struct track tracks[])
{
    enum { SECONDS_BEHIND = 10 }; // of audio behind the last frame
    struct weir_movie *movie = &found->movie;
    const uint32_t ticks_per_second = movie->pictures.ticks_per_second;
    const uint64_t end = found->start + weir_movie_end(movie);
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        const uint32_t rate = movie->audio[i].sample_rate;
        tracks[i] = (struct track){.sample_rate = rate,
                                   .sample_size = movie->audio[i].sample_size,
                                   .start = weir_scale(found->start, rate, ticks_per_second)};
        mend_positions(movie, i + 1,
                       weir_scale(end, rate, ticks_per_second) + (uint64_t)SECONDS_BEHIND * rate);
    }
    for (size_t i = 0; i < movie->num_pieces; i++) {
        const struct weir_piece *piece = &movie->pieces[i];
        const uint32_t num = weir_piece_num_samples(movie, piece);
        if (piece->track > 0 && num > tracks[piece->track - 1].length) {
            tracks[piece->track - 1].length = num;
        }
    }
}

bool recover_repair_audio(struct recover_found *found, uint64_t *num_fragments)
{
    struct track tracks[WEIR_MOVIE_MAX_AUDIO];
    struct weir_movie *movie = &found->movie;
    struct weir_piece *pieces = movie->pieces;
    const uint32_t num = movie->num_pieces;
    bool has_memory = true;
    begin(found, tracks);
    *num_fragments = 0;
    weir_movie_clear(movie);
    movie->pieces = NULL; // silence makes the new list longer
    movie->room = 0;
    for (uint32_t i = 0; i < num && has_memory; i++) {
        const uint32_t track = pieces[i].track;
        has_memory = track == 0 ? weir_movie_add(movie, &pieces[i])
                                : place(found, &tracks[track - 1], pieces[i], num_fragments);
    }
    free(pieces);
    return has_memory;
}
