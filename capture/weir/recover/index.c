// SPDX-License-Identifier: MIT
// The index of a plain movie: what it says, and whether the fragments say the same.
#include "capture/movie/fragment.h"
#include "capture/movie/hap.h"
#include "capture/weir/recover/recover.h"

static bool has_frame(struct recover_search *search, const struct weir_piece *frame)
{
    const uint64_t end = frame->offset + frame->size;
    uint64_t frame_end;
    return weir_hap_check(&search->near, &search->scan.format, frame->offset, end, WEIR_HAP_HEADERS,
                          &frame_end) &&
           frame_end == end;
}

bool recover_read_tables(struct recover_search *search)
{
    struct recover_found *found = search->found;
    struct weir_movie *movie = &found->movie;
    if (weir_movie_read_tables(&search->near, search->head.tracks, movie) != WEIR_OK) {
        return recover_refuse(found, "no memory is left for its index");
    }
    const uint32_t num = movie->num_pieces;
    weir_movie_clear(movie);
    found->num_lost = 0;
    for (uint32_t i = 0; i < num; i++) {
        const struct weir_piece piece = movie->pieces[i];
        if (piece.size > 0 && (piece.track > 0 || has_frame(search, &piece))) {
            weir_movie_add(movie, &piece); // there is room
        } else {
            recover_count_lost(found, piece.time, piece.track == 0);
        }
    }
    found->num_parts = found->num_lost;
    found->state = !search->head.tracks[0].is_damaged && found->num_lost == 0
                       ? RECOVER_NOTHING_TO_DO
                       : RECOVER_DAMAGED;
    return movie->pictures.num_frames > 0;
}

// What comes before each piece, and by how much its time is later there.
struct fragments {
    uint64_t num;
    uint64_t num_missing; // pieces of audio with neither a fragment before nor a box behind them
    uint64_t shifts[1 + WEIR_MOVIE_MAX_AUDIO];
    bool has_shift[1 + WEIR_MOVIE_MAX_AUDIO];
    bool is_off[1 + WEIR_MOVIE_MAX_AUDIO]; // the last piece of a track has another time there
};

static uint64_t end_of(const struct weir_piece *piece)
{
    return piece->offset + piece->size;
}

static bool is_before_box(struct recover_search *search, const struct weir_piece *piece)
{
    struct weir_box box;
    return weir_box_read(&search->near, end_of(piece), search->near.source.size, &box) &&
           weir_box_is(box.type, "moof free moov");
}

// True if the fragment before a piece, if it is readable, has the same piece. Where the time of a
// single one is another, the fragment is damaged: durations add up, so a wrong one in a table moves
// all pieces behind it.
static bool agrees_with_piece(struct recover_search *search, const struct weir_piece *piece,
                              struct fragments *fragments)
{
    struct weir_fragment found = {.number = 0};
    const enum weir_fragment_type type =
        piece->offset < WEIR_FRAGMENT_HEADER_SIZE
            ? WEIR_FRAGMENT_NONE
            : weir_fragment_read(&search->near, piece->offset - WEIR_FRAGMENT_HEADER_SIZE, &found);
    if (type != WEIR_FRAGMENT_FRAME && type != WEIR_FRAGMENT_AUDIO) {
        fragments->num_missing += piece->track > 0 && !is_before_box(search, piece);
        return true;
    }
    fragments->num++;
    const uint32_t track = piece->track;
    const uint64_t shift = found.piece.time - piece->time;
    const bool was_off = fragments->is_off[track];
    if (!fragments->has_shift[track]) {
        fragments->has_shift[track] = true;
        fragments->shifts[track] = shift;
    }
    fragments->is_off[track] = shift != fragments->shifts[track];
    return found.piece.track == track && found.piece.size == piece->size &&
           !(was_off && fragments->is_off[track]);
}

// True if a whole fragment follows all pieces.
static bool has_more(struct recover_search *search, uint64_t end)
{
    struct weir_fragment found;
    struct weir_box box;
    if (!weir_box_find(&search->near, end, search->near.source.size, "moof", &box)) {
        return false;
    }
    const enum weir_fragment_type type = weir_fragment_read(&search->near, box.begin, &found);
    return type == WEIR_FRAGMENT_AUDIO ||
           (type == WEIR_FRAGMENT_FRAME &&
            weir_hap_check(&search->far, &search->scan.format, found.piece.offset, found.end,
                           WEIR_HAP_WHOLE, &end));
}

// True if the tracks are as long as their headers say, and the number of the first frame is where
// its table says.
static bool agrees_with_itself(struct recover_search *search)
{
    const struct weir_movie *movie = &search->found->movie;
    bool agrees = search->head.tracks[0].duration == weir_movie_end(movie);
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        const struct weir_track_place *track = &search->head.tracks[1 + i];
        agrees = agrees && !track->is_damaged && track->duration == movie->audio[i].num_samples;
    }
    const uint8_t *number = weir_view_at(&search->near, movie->timecode.offset, 4);
    return agrees && !search->found->is_timecode_lost &&
           (movie->timecode.first.frames_per_second == 0 ||
            (number && weir_boxes_read_u32(number) == movie->timecode.first.start));
}

bool recover_agrees(struct recover_search *search)
{
    const struct weir_movie *movie = &search->found->movie;
    struct fragments fragments = {.num = 0};
    for (uint32_t i = 0; i < movie->num_pieces; i++) {
        if (!agrees_with_piece(search, &movie->pieces[i], &fragments)) {
            return false;
        }
    }
    for (uint32_t i = 0; i <= movie->num_audio; i++) {
        if (fragments.is_off[i]) {
            return false;
        }
    }
    return fragments.num == 0 || (fragments.num_missing == 0 && agrees_with_itself(search) &&
                                  !has_more(search, end_of(&movie->pieces[movie->num_pieces - 1])));
}
