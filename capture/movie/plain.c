// SPDX-License-Identifier: MIT
// The plain form of a movie: the moov box that lists every frame and all samples, and the bytes
// that hide the fragments before it.
//
// Source: ISO/IEC 14496-12, 8.6.1.2 and 8.7.
#include "capture/movie/head.h"

#include <stdlib.h>

// The most that the tables of a track take beside their entries, and those of a piece [bytes].
#define TABLES_FIXED_SIZE 128u
#define TABLES_PIECE_SIZE 20u

// Begin a table whose number of entries is set when it ends. Returns where the box begins.
static size_t begin_table(struct weir_boxes *boxes, const char *type)
{
    const size_t begin = weir_boxes_begin_full(boxes, type);
    weir_boxes_u32(boxes, 0);
    return begin;
}

static void end_table(struct weir_boxes *boxes, size_t begin, uint32_t num_entries)
{
    weir_boxes_set_u32(boxes, begin + 12, num_entries);
    weir_boxes_end(boxes, begin);
}

// Write the durations of frames: runs of one duration.
static void write_durations(struct weir_boxes *boxes, const struct weir_movie *movie)
{
    const size_t stts = begin_table(boxes, "stts");
    uint32_t num_runs = 0, num_frames = 0, duration = 0;
    const struct weir_piece *next, *piece = weir_piece_first(movie, 0);
    for (; piece; piece = next) {
        next = weir_piece_next(movie, piece);
        const uint32_t own = next ? (uint32_t)(next->time - piece->time)
                                  : weir_movie_last_duration(movie);
        if (num_frames > 0 && own != duration) {
            weir_boxes_u32(boxes, num_frames);
            weir_boxes_u32(boxes, duration);
            num_runs++;
            num_frames = 0;
        }
        duration = own;
        num_frames++;
    }
    weir_boxes_u32(boxes, num_frames);
    weir_boxes_u32(boxes, duration);
    end_table(boxes, stts, num_runs + 1);
}

// Write the sizes of frames: one for all, or a list.
static void write_sizes(struct weir_boxes *boxes, const struct weir_movie *movie)
{
    const struct weir_piece *first = weir_piece_first(movie, 0);
    bool are_same = true;
    for (const struct weir_piece *piece = first; piece; piece = weir_piece_next(movie, piece)) {
        are_same = are_same && piece->size == first->size;
    }
    const size_t stsz = weir_boxes_begin_full(boxes, "stsz");
    weir_boxes_u32(boxes, are_same ? first->size : 0);
    weir_boxes_u32(boxes, movie->pictures.num_frames);
    for (const struct weir_piece *piece = are_same ? NULL : first; piece;
         piece = weir_piece_next(movie, piece)) {
        weir_boxes_u32(boxes, piece->size);
    }
    weir_boxes_end(boxes, stsz);
}

// Write how many samples each piece of a track has: runs of one number.
static void write_nums(struct weir_boxes *boxes, const struct weir_movie *movie, unsigned track)
{
    const size_t stsc = begin_table(boxes, "stsc");
    uint32_t num_runs = 0, num_pieces = 0, num_samples = 0;
    for (const struct weir_piece *piece = weir_piece_first(movie, track); piece;
         piece = weir_piece_next(movie, piece)) {
        num_pieces++;
        if (weir_piece_num_samples(movie, piece) != num_samples) {
            num_samples = weir_piece_num_samples(movie, piece);
            weir_boxes_u32(boxes, num_pieces); // the first one of the run
            weir_boxes_u32(boxes, num_samples);
            weir_boxes_u32(boxes, 1); // the sample description
            num_runs++;
        }
    }
    end_table(boxes, stsc, num_runs);
}

static void write_offsets(struct weir_boxes *boxes, const struct weir_movie *movie, unsigned track)
{
    const size_t co64 = begin_table(boxes, "co64");
    uint32_t num_pieces = 0;
    for (const struct weir_piece *piece = weir_piece_first(movie, track); piece;
         piece = weir_piece_next(movie, piece)) {
        weir_boxes_u64(boxes, piece->offset);
        num_pieces++;
    }
    end_table(boxes, co64, num_pieces);
}

// Write empty tables, of a movie that grows.
static void write_empty(struct weir_boxes *boxes, unsigned track)
{
    if (track == 0) {
        weir_boxes_numbers(boxes, "stts", 0, 0);
    } else {
        // A run of no sample: libavformat writes it, and it does no harm.
        weir_boxes_numbers(boxes, "stts", 0, 1, 0, 1);
    }
    weir_boxes_numbers(boxes, "stsc", 0, 0);
    weir_boxes_numbers(boxes, "stsz", 0, 0, 0);
    weir_boxes_numbers(boxes, "stco", 0, 0);
}

// Write the tables of the one sample of a time code. That of times comes last in a plain movie. In
// one that grows the sample follows the tables, in a box of its own.
static void write_timecode(struct weir_boxes *boxes, const struct weir_movie *movie, bool is_plain)
{
    const uint64_t duration = is_plain ? weir_movie_end(movie) : movie->pictures.ticks_per_frame;
    // 32 bits are 13 hours at 90 kHz.
    const uint32_t ticks = duration < UINT32_MAX ? (uint32_t)duration : UINT32_MAX;
    if (!is_plain) {
        weir_boxes_numbers(boxes, "stts", 0, 1, 1, ticks);
    }
    weir_boxes_numbers(boxes, "stsc", 0, 1, 1, 1, 1);
    weir_boxes_numbers(boxes, "stsz", 0, 4, 1);
    const size_t behind = boxes->size + 20; // stco
    weir_boxes_numbers(boxes, "stco", 0, 1,
                       (uint32_t)(is_plain ? movie->timecode.offset : behind + 8));
    if (is_plain) {
        weir_boxes_numbers(boxes, "stts", 0, 1, 1, ticks);
    }
}

void weir_head_write_tables(struct weir_boxes *boxes, const struct weir_movie *movie,
                            unsigned track, bool is_plain)
{
    if (track > movie->num_audio) {
        write_timecode(boxes, movie, is_plain);
        return;
    }
    if (!is_plain) {
        write_empty(boxes, track);
        return;
    }
    if (track == 0) {
        write_durations(boxes, movie);
        write_nums(boxes, movie, track);
        write_sizes(boxes, movie);
    } else {
        const struct weir_movie_audio *audio = &movie->audio[track - 1];
        // A tick each.
        weir_boxes_numbers(boxes, "stts", 0, 1, audio->num_samples, 1);
        write_nums(boxes, movie, track);
        weir_boxes_numbers(boxes, "stsz", 0, audio->sample_size, audio->num_samples);
    }
    write_offsets(boxes, movie, track);
}

uint64_t weir_plain_room(const struct weir_movie *movie, size_t head_size)
{
    return head_size + (1 + movie->num_audio) * (uint64_t)TABLES_FIXED_SIZE +
           (uint64_t)movie->num_pieces * TABLES_PIECE_SIZE + weir_chapters_size(&movie->chapters);
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
    weir_boxes_u32(&boxes, WEIR_BOX("mdat"));
    weir_boxes_u64(&boxes, mdat_size);
}
