// SPDX-License-Identifier: MIT
// The index: the place of every frame in a movie, from which the moov box of a plain movie is made.
#include "capture/movie/index.h"

#include <stdlib.h>
#include <string.h>

#include "capture/base/grow.h"
#include "capture/movie/boxes.h"

#define FIRST_ROOM 65536u

struct moov {
    struct weir_boxes boxes;
    const struct weir_index *index;
    const struct weir_index_head *head;
    uint32_t num_tracks;  // that were begun; the first one has the frames
    uint32_t movie_scale; // ticks a second of mvhd and tkhd
};

bool weir_index_init(struct weir_index *index)
{
    *index = (struct weir_index){.room = FIRST_ROOM};
    index->entries = malloc(index->room * sizeof(index->entries[0]));
    if (index->entries) {
        memset(index->entries, 1, index->room * sizeof(index->entries[0])); // touched before use
    }
    return index->entries;
}

void weir_index_finish(struct weir_index *index)
{
    free(index->entries);
    index->entries = NULL;
}

void weir_index_add(struct weir_index *index, uint64_t offset, uint32_t size, uint64_t ticks)
{
    struct weir_index_entry *entries = index->is_incomplete || index->num_entries == UINT32_MAX
                                           ? NULL
                                           : weir_grow(index->entries, index->num_entries,
                                                       &index->room, sizeof(entries[0]));
    index->is_incomplete = !entries;
    if (entries) {
        index->entries = entries;
        entries[index->num_entries++] = (struct weir_index_entry){
            .offset = offset, .size = size, .ticks = (uint32_t)(ticks - index->last_ticks)};
        index->last_ticks = ticks;
    }
}

// Get the duration of frame `i` [ticks].
static uint32_t length_of(const struct moov *moov, uint32_t i)
{
    const struct weir_index *index = moov->index;
    return i + 1 < index->num_entries ? index->entries[i + 1].ticks : moov->head->ticks_per_frame;
}

// Write the table of times: runs of frames of one duration.
static void write_stts(struct moov *moov)
{
    struct weir_boxes *boxes = &moov->boxes;
    const size_t stts = weir_boxes_begin_full(boxes, WEIR_BOX('s', 't', 't', 's'));
    const uint32_t num = moov->index->num_entries;
    uint32_t num_runs = 1;
    for (uint32_t i = 1; i < num; i++) {
        num_runs += length_of(moov, i) != length_of(moov, i - 1);
    }
    weir_boxes_u32(boxes, num_runs);
    for (uint32_t first = 0, i = 1; i <= num; i++) {
        if (i == num || length_of(moov, i) != length_of(moov, first)) {
            weir_boxes_u32(boxes, i - first);
            weir_boxes_u32(boxes, length_of(moov, first));
            first = i;
        }
    }
    weir_boxes_end(boxes, stts);
}

static void write_stsz(struct weir_boxes *boxes, const struct weir_index *index)
{
    bool same = true;
    for (uint32_t i = 1; i < index->num_entries; i++) {
        same &= index->entries[i].size == index->entries[0].size;
    }
    const size_t stsz = weir_boxes_begin_full(boxes, WEIR_BOX('s', 't', 's', 'z'));
    weir_boxes_u32(boxes, same ? index->entries[0].size : 0);
    weir_boxes_u32(boxes, index->num_entries);
    for (uint32_t i = 0; i < index->num_entries && !same; i++) {
        weir_boxes_u32(boxes, index->entries[i].size);
    }
    weir_boxes_end(boxes, stsz);
}

static void write_co64(struct weir_boxes *boxes, const struct weir_index *index)
{
    const size_t co64 = weir_boxes_begin_full(boxes, WEIR_BOX('c', 'o', '6', '4'));
    weir_boxes_u32(boxes, index->num_entries);
    for (uint32_t i = 0; i < index->num_entries; i++) {
        weir_boxes_u64(boxes, index->entries[i].offset);
    }
    weir_boxes_end(boxes, co64);
}

// True for the track of time code, counted as in `num_tracks`.
static bool is_timecode(const struct moov *moov, uint32_t track)
{
    return track > 1 + moov->head->num_audio;
}

// The sound of a track. NULL: it is the track of frames, or of time code.
static const struct weir_audio_index *audio_of(const struct moov *moov, uint32_t track)
{
    return track > 1 && !is_timecode(moov, track) ? &moov->head->audio[track - 2] : NULL;
}

// Get how long a track is, in its own ticks.
static uint64_t duration_of(const struct moov *moov, uint32_t track)
{
    const struct weir_audio_index *audio = audio_of(moov, track);
    return audio ? audio->num_samples : moov->index->last_ticks + moov->head->ticks_per_frame;
}

// Get how long a track is, in the ticks of the movie.
static uint32_t movie_duration(const struct moov *moov, uint32_t track)
{
    const struct weir_audio_index *audio = audio_of(moov, track);
    const uint32_t ticks_per_second = audio ? audio->sample_rate : moov->head->ticks_per_second;
    const uint64_t ticks = duration_of(moov, track);
    const uint64_t duration = ticks / ticks_per_second * moov->movie_scale +
                              ticks % ticks_per_second * moov->movie_scale / ticks_per_second;
    return duration < UINT32_MAX ? (uint32_t)duration : UINT32_MAX;
}

static uint32_t longest_duration(const struct moov *moov)
{
    uint32_t longest = 0;
    for (uint32_t track = 1; track <= 1 + moov->head->num_audio; track++) {
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
    const struct weir_audio_index *audio = audio_of(moov, moov->num_tracks);
    if (is_timecode(moov, moov->num_tracks)) {
        write_stts_of_timecode(moov);
        return;
    }
    if (audio) {
        weir_audio_index_write(audio, &moov->boxes);
        return;
    }
    write_stts(moov);
    // Chunks have one frame each.
    weir_boxes_numbers(&moov->boxes, WEIR_BOX('s', 't', 's', 'c'), 0, 1, 1, 1, 1);
    write_stsz(&moov->boxes, moov->index);
    write_co64(&moov->boxes, moov->index);
}

// Begin a track of the head. False: it is not taken over, because it has no sample.
static bool begin_track(struct moov *moov)
{
    moov->num_tracks++;
    if (moov->num_tracks > 1 + moov->head->num_audio + moov->head->has_timecode) {
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
            if (type == WEIR_BOX('m', 'o', 'o', 'v') && moov->head->chapters) {
                weir_chapters_write(moov->head->chapters, boxes);
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

// The head, a longer mdhd, and the longest tables possible.
uint64_t weir_index_room(const struct weir_index *index, size_t head_size)
{
    return head_size + 128 + (uint64_t)index->num_entries * (8 + 4 + 8);
}

// Get the room for moov with all its tables. 0: they are incomplete.
static size_t room_of(const struct weir_index *index, const struct weir_index_head *head)
{
    uint64_t room = weir_index_room(index, head->size) +
                    (head->chapters ? weir_chapters_size(head->chapters) : 0);
    bool is_incomplete = index->is_incomplete || index->num_entries == 0;
    for (uint32_t i = 0; i < head->num_audio; i++) {
        room += weir_audio_index_size(&head->audio[i]);
        is_incomplete = is_incomplete || head->audio[i].is_incomplete;
    }
    return is_incomplete || room > UINT32_MAX ? 0 : (size_t)room;
}

uint8_t *weir_index_make_moov(const struct weir_index *index, const struct weir_index_head *head,
                              size_t *size)
{
    const size_t room = room_of(index, head);
    struct moov moov = {
        .boxes = {.bytes = room > 0 ? malloc(room) : NULL, .room = room},
        .index = index,
        .head = head,
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
