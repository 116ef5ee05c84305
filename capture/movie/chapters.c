// SPDX-License-Identifier: MIT
// Chapters of a movie: their times and titles, and the box that holds them.
//
// The box chpl is Nero's, and in no specification. It is written as FFmpeg's muxer does it
// (libavformat/movenc.c), and has a byte for the number of chapters and for the size of a title.
#include "capture/movie/movie.h"

#include <stdlib.h>
#include <string.h>

#include "capture/base/size.h"
#include "capture/base/utf8.h"

#define HEAD_SIZE 17u // of the box chpl, with version, a field of 4 bytes, the number

enum weir_result weir_chapters_add(struct weir_chapters *chapters, uint64_t time, const char *title)
{
    if (chapters->num == WEIR_MAX_CHAPTERS) {
        return WEIR_DROPPED;
    }
    if (!chapters->items) {
        chapters->items = malloc(WEIR_MAX_CHAPTERS * sizeof(chapters->items[0]));
    }
    if (!chapters->items) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    uint32_t place = chapters->num++;
    for (; place > 0 && chapters->items[place - 1].time > time; place--) {
        chapters->items[place] = chapters->items[place - 1];
    }
    // A file may have a title that is no UTF-8, which stays as it is.
    size_t size;
    if (!weir_utf8_fit(title, WEIR_MAX_CHAPTER_TITLE, &size)) {
        const size_t length = strlen(title);
        size = length < WEIR_MAX_CHAPTER_TITLE ? length : WEIR_MAX_CHAPTER_TITLE;
    }
    struct weir_chapter *chapter = &chapters->items[place];
    chapter->time = time;
    memcpy(chapter->title, title, size);
    chapter->title[size] = 0;
    return WEIR_OK;
}

void weir_chapters_finish(struct weir_chapters *chapters)
{
    free(chapters->items);
    *chapters = (struct weir_chapters){.items = NULL};
}

uint64_t weir_chapter_time(uint64_t ticks, uint32_t ticks_per_second)
{
    return weir_scale_round(ticks, WEIR_CHAPTER_UNITS_PER_SECOND, ticks_per_second);
}

static uint64_t step(uint64_t from, uint64_t distance, bool goes_back)
{
    return !goes_back ? from + distance : from > distance ? from - distance : 0;
}

uint64_t weir_chapter_moved(uint64_t time, int64_t ticks, uint32_t ticks_per_second)
{
    const uint64_t nearest = weir_scale_round(time, ticks_per_second,
                                              WEIR_CHAPTER_UNITS_PER_SECOND);
    const uint64_t distance = ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks;
    return weir_chapter_time(nearest, ticks_per_second) == time
               ? weir_chapter_time(step(nearest, distance, ticks < 0), ticks_per_second)
               : step(time, weir_chapter_time(distance, ticks_per_second), ticks < 0);
}

void weir_chapters_rebase(struct weir_chapters *chapters, uint64_t start, uint32_t ticks_per_second)
{
    const uint64_t start_time = weir_chapter_time(start, ticks_per_second);
    uint32_t first = 0;
    while (first + 1 < chapters->num && chapters->items[first].time < start_time &&
           chapters->items[first + 1].time <= start_time) {
        first++; // it ends where the next one begins
    }
    for (uint32_t i = first; i < chapters->num; i++) {
        struct weir_chapter *chapter = &chapters->items[i - first];
        *chapter = chapters->items[i];
        chapter->time = weir_chapter_moved(chapter->time, -(int64_t)start, ticks_per_second);
    }
    chapters->num -= first;
}

uint32_t weir_chapters_cut(struct weir_chapters *chapters, uint64_t end)
{
    const uint32_t num = chapters->num;
    while (chapters->num > 0 && chapters->items[chapters->num - 1].time >= end) {
        chapters->num--;
    }
    return num - chapters->num;
}

size_t weir_chapters_size(const struct weir_chapters *chapters)
{
    size_t size = chapters->num > 0 ? HEAD_SIZE : 0;
    for (uint32_t i = 0; i < chapters->num; i++) {
        size += WEIR_CHAPTER_FIXED_SIZE + strlen(chapters->items[i].title);
    }
    return size;
}

static void write_byte(struct weir_boxes *boxes, size_t value)
{
    const uint8_t byte = (uint8_t)value;
    weir_boxes_copy(boxes, &byte, 1);
}

void weir_chapters_write(const struct weir_chapters *chapters, struct weir_boxes *boxes)
{
    if (chapters->num == 0) {
        return;
    }
    const size_t chpl = weir_boxes_begin(boxes, "chpl");
    weir_boxes_u32(boxes, 0x01000000u); // version 1
    weir_boxes_u32(boxes, 0);
    write_byte(boxes, chapters->num);
    for (uint32_t i = 0; i < chapters->num; i++) {
        const struct weir_chapter *chapter = &chapters->items[i];
        const size_t size = strlen(chapter->title);
        weir_boxes_u64(boxes, chapter->time);
        write_byte(boxes, size);
        weir_boxes_copy(boxes, (const uint8_t *)chapter->title, size);
    }
    weir_boxes_end(boxes, chpl);
}
