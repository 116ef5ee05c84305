// SPDX-License-Identifier: MIT
// What a movie has beside pictures and audio, read from a file that may be damaged: metadata,
// chapters, the track of a time code, and which segment of a recording it is.
//
// Source: QuickTime File Format Specification (Apple), "Timecode Media".
#include <string.h>

#include "capture/movie/head.h"
#include "capture/movie/movie.h"
#include "capture/movie/read.h"

#define DESCRIPTION_SIZE 33 // with the head of its box
#define SAMPLE_SIZE 4u
#define TEXT_HEAD_SIZE 4u // the size of a text, and its language

static bool read_description(struct weir_view *view, const struct weir_box *stbl,
                             struct weir_timecode_track *timecode)
{
    struct weir_box entry;
    const uint8_t *bytes = weir_box_open_description(view, stbl, DESCRIPTION_SIZE, &entry);
    if (!bytes) {
        return false;
    }
    const uint32_t flags = weir_boxes_read_u32(bytes + 20), rate = bytes[32];
    *timecode = (struct weir_timecode_track){
        .first = {.frames_per_second = rate,
                  .is_drop = (flags & WEIR_TIMECODE_DROP_FRAME) != 0 && rate > 0 && rate % 30 == 0},
        .rate_num = weir_boxes_read_u32(bytes + 24),
        .rate_den = weir_boxes_read_u32(bytes + 28),
    };
    return rate > 0 && timecode->rate_num > 0 && timecode->rate_den > 0;
}

// Find where the one sample of a time code lies, by a table of offsets.
static bool find_sample(struct weir_view *view, const struct weir_box *stbl, uint64_t *offset)
{
    const uint8_t *bytes = weir_box_open(view, stbl, "stsz", 12, NULL);
    if (!bytes || weir_boxes_read_u32(bytes + 4) != SAMPLE_SIZE ||
        weir_boxes_read_u32(bytes + 8) != 1) {
        return false;
    }
    bytes = weir_box_open(view, stbl, "co64", 16, NULL);
    const bool is_long = bytes;
    bytes = is_long ? bytes : weir_box_open(view, stbl, "stco", 12, NULL);
    if (!bytes || weir_boxes_read_u32(bytes + 4) != 1) {
        return false;
    }
    *offset = is_long ? weir_boxes_read_u64(bytes + 8) : weir_boxes_read_u32(bytes + 8);
    return true;
}

// True for the box that Weir keeps the sample of a time code in.
static bool is_mark(struct weir_view *view, uint64_t at, uint64_t limit)
{
    struct weir_box box;
    return weir_box_read(view, at, limit, &box) && box.type == WEIR_BOX("free") &&
           box.end <= limit && box.end - box.payload == SAMPLE_SIZE;
}

bool weir_movie_read_timecode(struct weir_view *view, const struct weir_box *trak,
                              const struct weir_box *stbl, struct weir_movie_found *found)
{
    struct weir_timecode_track timecode;
    struct weir_box box;
    const bool is_in_track = weir_box_find_in(view, trak, "free", &box) &&
                             box.end - box.payload == SAMPLE_SIZE;
    if (!read_description(view, stbl, &timecode) ||
        (!find_sample(view, stbl, &timecode.offset) && !is_in_track)) {
        return false;
    }
    const uint64_t offset = timecode.offset; // 0: its tables are damaged
    found->timecode_at = is_in_track ? box.payload : offset;
    found->is_timecode_marked = is_in_track ||
                                (offset >= 8 && is_mark(view, offset - 8, view->source.size));
    const uint8_t *bytes = weir_view_at(view, found->timecode_at, SAMPLE_SIZE);
    if (bytes) {
        timecode.first.start = weir_boxes_read_u32(bytes);
        timecode.first = weir_timecode_after(&timecode.first, 0); // within a day
        found->movie.timecode = timecode;
    }
    return bytes;
}

static void read_text(struct weir_view *view, const struct weir_box *udta, const char *type,
                      char text[WEIR_MAX_MOVIE_TEXT + 1])
{
    const uint8_t *bytes = weir_box_open(view, udta, type, TEXT_HEAD_SIZE, NULL);
    const size_t size = bytes ? weir_boxes_read_u16(bytes) : 0;
    char given[WEIR_MAX_MOVIE_TEXT + 1] = "";
    bytes = size <= WEIR_MAX_MOVIE_TEXT
                ? weir_box_open(view, udta, type, TEXT_HEAD_SIZE + size, NULL)
                : NULL;
    if (bytes && weir_boxes_read_u16(bytes + 2) >= WEIR_LANGUAGE_LEAST_CODE) {
        memcpy(given, bytes + TEXT_HEAD_SIZE, size);
        weir_metadata_set_text(text, given);
    }
}

void weir_metadata_read(struct weir_view *view, const struct weir_box *moov,
                        struct weir_metadata *metadata)
{
    struct weir_box udta;
    const uint8_t *bytes = weir_box_open(view, moov, "mvhd", 8, NULL);
    metadata->creation_time = bytes && bytes[0] == 0 ? weir_boxes_read_u32(bytes + 4) : 0;
    if (weir_box_find_in(view, moov, "udta", &udta)) {
        read_text(view, &udta, "\251nam", metadata->title);
        read_text(view, &udta, "\251cmt", metadata->comment);
    }
}

bool weir_chapters_read(struct weir_view *view, const struct weir_box *moov,
                        struct weir_chapters *chapters)
{
    struct weir_box udta, chpl;
    *chapters = (struct weir_chapters){.items = NULL};
    if (!weir_box_find_in(view, moov, "udta", &udta)) {
        return true;
    }
    const uint8_t *bytes = weir_box_open(view, &udta, "chpl", 5, &chpl);
    // A later version has a field of 4 bytes more before the number of chapters.
    const size_t head = bytes && bytes[0] > 0 ? 9 : 5;
    bytes = weir_box_open(view, &udta, "chpl", head, NULL);
    uint64_t at = bytes ? chpl.payload + head : 0;
    for (uint32_t left = bytes ? bytes[head - 1] : 0; left > 0; left--) {
        size_t size = WEIR_CHAPTER_FIXED_SIZE;
        bytes = chpl.end - at >= size ? weir_view_at(view, at, size) : NULL;
        size += bytes ? bytes[size - 1] : 0;
        bytes = bytes && chpl.end - at >= size ? weir_view_at(view, at, size) : NULL;
        if (!bytes) {
            break;
        }
        char title[WEIR_MAX_CHAPTER_TITLE + 1] = {0};
        memcpy(title, bytes + WEIR_CHAPTER_FIXED_SIZE, size - WEIR_CHAPTER_FIXED_SIZE);
        if (weir_chapters_add(chapters, weir_boxes_read_u64(bytes), title) < WEIR_OK) {
            return false;
        }
        at += size;
    }
    return true;
}

// Fill in what the payload of a uuid box says. False: the box is somebody else's, or damaged.
static bool parse(const uint8_t *payload, struct weir_segment *segment)
{
    if (memcmp(payload, weir_segment_type, sizeof(weir_segment_type)) != 0) {
        return false;
    }
    const uint8_t *at = payload + sizeof(weir_segment_type);
    memcpy(segment->recording, at, sizeof(segment->recording));
    at += sizeof(segment->recording);
    segment->number = weir_boxes_read_u32(at);
    segment->ticks_per_second = weir_boxes_read_u32(at + 4);
    segment->start_ticks = weir_boxes_read_u64(at + 8);
    return segment->number > 0 && segment->ticks_per_second > 0;
}

bool weir_segment_read(struct weir_view *view, struct weir_segment *segment)
{
    struct weir_box box;
    for (uint64_t at = 0; weir_box_read(view, at, view->source.size, &box); at = box.end) {
        if (box.type == WEIR_BOX("moof")) {
            return false; // there may be millions
        }
        if (box.type == WEIR_BOX("uuid") && box.end - box.begin == WEIR_SEGMENT_BOX_SIZE) {
            const uint8_t *payload = weir_view_at(view, box.payload,
                                                  (size_t)(box.end - box.payload));
            if (payload && parse(payload, segment)) {
                return true;
            }
        }
    }
    return false;
}
