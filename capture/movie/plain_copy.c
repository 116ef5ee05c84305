// SPDX-License-Identifier: MIT
// The plain form of a movie, made of the head of a fragmented one.
#include "capture/movie/plain_copy.h"

#include <stdlib.h>

#include "capture/movie/boxes.h"
#include "capture/movie/plain.h"
#include "capture/movie/tables.h"

struct moov {
    struct weir_boxes boxes;
    const struct weir_movie *movie;
    uint32_t num_tracks;  // that were begun
    uint32_t movie_scale; // ticks a second of mvhd and tkhd
};

// True for the track of time code, counted as in `num_tracks`.
static bool is_timecode(const struct moov *moov, uint32_t track)
{
    return track > 1 + moov->movie->num_audio;
}

// The audio of a track. NULL: it is the track of frames, or of time code.
static const struct weir_movie_audio *audio_of(const struct moov *moov, uint32_t track)
{
    return track > 1 && !is_timecode(moov, track) ? &moov->movie->audio[track - 2] : NULL;
}

// Get how long a track is, in its own ticks.
static uint64_t duration_of(const struct moov *moov, uint32_t track)
{
    const struct weir_movie_audio *audio = audio_of(moov, track);
    return audio ? audio->num_samples : weir_movie_end(moov->movie);
}

// Get how long a track is, in the ticks of the movie.
static uint32_t movie_duration(const struct moov *moov, uint32_t track)
{
    const struct weir_movie_audio *audio = audio_of(moov, track);
    const uint32_t ticks_per_second = audio ? audio->sample_rate
                                            : moov->movie->pictures.ticks_per_second;
    const uint64_t ticks = duration_of(moov, track);
    const uint64_t duration = ticks / ticks_per_second * moov->movie_scale +
                              ticks % ticks_per_second * moov->movie_scale / ticks_per_second;
    return duration < UINT32_MAX ? (uint32_t)duration : UINT32_MAX;
}

static uint32_t longest_duration(const struct moov *moov)
{
    uint32_t longest = 0;
    for (uint32_t track = 1; track <= 1 + moov->movie->num_audio; track++) {
        const uint32_t duration = movie_duration(moov, track);
        longest = duration > longest ? duration : longest;
    }
    return longest;
}

// Copy a box of version 0 and fill in its duration, which is at `place` in its payload.
static void copy_with_duration(struct moov *moov, const uint8_t *box, uint32_t size, uint32_t place,
                               uint32_t duration)
{
    struct weir_boxes *boxes = &moov->boxes;
    if (size < 12 + place) {
        boxes->overflow = true;
        return;
    }
    weir_boxes_copy(boxes, box, 8 + place);
    weir_boxes_u32(boxes, duration);
    weir_boxes_copy(boxes, box + 12 + place, size - 12 - place);
}

// Write mdhd, in version 1 with 64 bits only if 32 bits are too few: above 13 hours at 90 kHz.
static void write_mdhd(struct moov *moov, const uint8_t *box, uint32_t size)
{
    const uint64_t duration = duration_of(moov, moov->num_tracks);
    if (duration <= UINT32_MAX || size < 28) {
        copy_with_duration(moov, box, size, 16, (uint32_t)duration);
        return;
    }
    struct weir_boxes *boxes = &moov->boxes;
    const size_t mdhd = weir_boxes_begin(boxes, WEIR_BOX('m', 'd', 'h', 'd'));
    weir_boxes_u32(boxes, 0x01000000u);
    weir_boxes_u64(boxes, weir_boxes_read_u32(box + 12));
    weir_boxes_u64(boxes, weir_boxes_read_u32(box + 16));
    weir_boxes_copy(boxes, box + 20, 4);
    weir_boxes_u64(boxes, duration);
    weir_boxes_copy(boxes, box + 28, size - 28);
    weir_boxes_end(boxes, mdhd);
}

static bool is_container(uint32_t type)
{
    return type == WEIR_BOX('m', 'o', 'o', 'v') || type == WEIR_BOX('t', 'r', 'a', 'k') ||
           type == WEIR_BOX('m', 'd', 'i', 'a') || type == WEIR_BOX('m', 'i', 'n', 'f') ||
           type == WEIR_BOX('s', 't', 'b', 'l');
}

// True for the boxes that the plain movie does not take over: mvex, which announces fragments, and
// the sample tables, which are empty in a fragmented movie.
static bool is_replaced(const struct moov *moov, uint32_t type)
{
    // Of time code the table of times alone. The sample stays where it is; the box that it lies in
    // is copied, for weir recover, where the head is lost.
    if (is_timecode(moov, moov->num_tracks) && type != WEIR_BOX('m', 'v', 'e', 'x')) {
        return type == WEIR_BOX('s', 't', 't', 's');
    }
    return type == WEIR_BOX('m', 'v', 'e', 'x') || type == WEIR_BOX('s', 't', 't', 's') ||
           type == WEIR_BOX('s', 't', 's', 'c') || type == WEIR_BOX('s', 't', 's', 'z') ||
           type == WEIR_BOX('s', 't', 'c', 'o');
}

// One sample, as long as the frames; 32 bits are 13 hours at 90 kHz.
static void write_stts_of_timecode(struct moov *moov)
{
    const uint64_t duration = duration_of(moov, moov->num_tracks);
    weir_boxes_numbers(&moov->boxes, WEIR_BOX('s', 't', 't', 's'), 0, 1, 1,
                       duration < UINT32_MAX ? (uint32_t)duration : UINT32_MAX);
}

static void write_tables(struct moov *moov)
{
    if (is_timecode(moov, moov->num_tracks)) {
        write_stts_of_timecode(moov);
        return;
    }
    weir_tables_write(&moov->boxes, moov->movie, moov->num_tracks - 1);
}

// Begin a track of the head. False: it is not taken over, because it has no sample.
static bool begin_track(struct moov *moov)
{
    moov->num_tracks++;
    const bool has_timecode = moov->movie->timecode.first.frames_per_second > 0;
    if (moov->num_tracks > 1 + moov->movie->num_audio + has_timecode) {
        moov->boxes.overflow = true; // a track that nobody knows
        return false;
    }
    return duration_of(moov, moov->num_tracks) > 0;
}

// Copy boxes of the fragmented movie's moov into that of the plain one. The nesting is that of the
// head: at most moov, trak, mdia, minf, stbl.
static void copy_boxes(struct moov *moov, const uint8_t *at, const uint8_t *end)
{
    struct weir_boxes *boxes = &moov->boxes;
    for (uint32_t size; end - at >= 8; at += size) {
        size = weir_boxes_read_u32(at);
        const uint32_t type = weir_boxes_read_u32(at + 4);
        if (size < 8 || size > (size_t)(end - at)) {
            boxes->overflow = true; // libavformat does not write this; no plain movie is made
            return;
        }
        if (type == WEIR_BOX('t', 'r', 'a', 'k') && !begin_track(moov)) {
            continue;
        }
        if (is_container(type)) {
            const size_t begin = weir_boxes_begin(boxes, type);
            copy_boxes(moov, at + 8, at + size);
            if (type == WEIR_BOX('s', 't', 'b', 'l')) {
                write_tables(moov);
            }
            if (type == WEIR_BOX('m', 'o', 'o', 'v')) {
                weir_chapters_write(&moov->movie->chapters, boxes);
            }
            weir_boxes_end(boxes, begin);
        } else if (type == WEIR_BOX('m', 'v', 'h', 'd')) {
            moov->movie_scale = size >= 24 ? weir_boxes_read_u32(at + 20) : 0;
            copy_with_duration(moov, at, size, 16, longest_duration(moov));
        } else if (type == WEIR_BOX('t', 'k', 'h', 'd')) {
            copy_with_duration(moov, at, size, 20, movie_duration(moov, moov->num_tracks));
        } else if (type == WEIR_BOX('m', 'd', 'h', 'd')) {
            write_mdhd(moov, at, size);
        } else if (!is_replaced(moov, type)) {
            weir_boxes_copy(boxes, at, size);
        }
    }
}

uint8_t *weir_plain_copy_moov(const struct weir_movie *movie, const struct weir_plain_head *head,
                              size_t *size)
{
    const uint64_t room = weir_plain_room(movie, head->size);
    if (movie->is_incomplete || movie->pictures.num_frames == 0 || room > UINT32_MAX) {
        return NULL;
    }
    struct moov moov = {
        .boxes = {.bytes = malloc((size_t)room), .room = (size_t)room},
        .movie = movie,
    };
    if (!moov.boxes.bytes) {
        return NULL;
    }
    copy_boxes(&moov, head->moov, head->moov + head->size);
    *size = moov.boxes.size;
    if (moov.boxes.overflow) {
        free(moov.boxes.bytes);
        return NULL;
    }
    return moov.boxes.bytes;
}
