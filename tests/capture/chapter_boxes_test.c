// SPDX-License-Identifier: MIT
// The box of chapters: titles that are cut and refused, what is written and read again, and boxes
// that are damaged or not true.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/utf8.h"
#include "capture/movie/read.h"
#include "chapter_title.h"
#include "testing.h"

static void test_titles(void)
{
    static const struct {
        const char *text;
        size_t room, size;
        bool is_wrong;
    } cases[] = {
        {"", 4, 0, false},
        {"abcd", 4, 4, false},
        {"abcde", 4, 4, false},
        {"abc\xc3\xa9", 4, 3, false},
        {"ab\xc3\xa9", 4, 4, false},
        {"\xe2\x82\xac\xe2\x82\xac", 4, 3, false},
        {"\xf0\x9f\x8e\xac!", 4, 4, false},
        {"a\xf0\x9f\x8e\xac", 4, 1, false},
        {"\xed\x9f\xbf\xee\x80\x80", 9, 6, false}, // on both sides of the surrogates
        {"\xf4\x8f\xbf\xbf", 4, 4, false},
        {"\xe9t\xe9", 4, 0, true},
        {"ok\xc3", 4, 0, true},
        {"\xc0\x80", 4, 0, true},
        {"\xe0\x9f\xbf", 4, 0, true},
        {"\xed\xa0\x80", 4, 0, true},
        {"\xf0\x8f\xbf\xbf", 4, 0, true},
        {"\xf4\x90\x80\x80", 4, 0, true},
        {"\xf5\x80\x80\x80", 4, 0, true},
        {"\x80", 4, 0, true},
        {"abcdef\xff", 4, 0, true}, // behind what is kept
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t size;
        const bool is_right = weir_utf8_fit(cases[i].text, cases[i].room, &size);
        test_expect(is_right != cases[i].is_wrong && (!is_right || size == cases[i].size),
                    "title %zu: %d, %zu bytes", i, is_right, size);
    }
}

// Write a moov box that has these chapters alone.
static size_t write_moov(const struct weir_chapters *chapters, uint8_t *bytes, size_t room)
{
    struct weir_boxes boxes = {.bytes = bytes, .room = room};
    const size_t moov = weir_boxes_begin(&boxes, "moov");
    weir_chapters_write(chapters, &boxes);
    weir_boxes_end(&boxes, moov);
    test_expect(!boxes.overflow && boxes.size == 8 + weir_chapters_size(chapters), "%zu bytes",
                boxes.size);
    return boxes.size;
}

struct moov {
    uint8_t *bytes;
    size_t size;
};

static bool read_bytes(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    const struct moov *moov = user;
    test_expect(offset <= moov->size && size <= moov->size - offset, "%zu bytes behind it", size);
    memcpy(bytes, moov->bytes + offset, size);
    return true;
}

// Read the chapters of a moov box in memory that ends where the box does.
static struct weir_chapters read_moov(const uint8_t *bytes, size_t size)
{
    struct moov copy = {.bytes = malloc(size), .size = size};
    memcpy(copy.bytes, bytes, size);
    const struct weir_view_source source = {.read = read_bytes, .user = &copy, .size = size};
    const struct weir_box box = {.payload = 8, .end = size};
    struct weir_chapters chapters = {.items = NULL};
    struct weir_view view;
    test_expect(weir_view_init(&view, &source, 4096) && weir_chapters_read(&view, &box, &chapters),
                "memory");
    weir_view_finish(&view);
    free(copy.bytes);
    return chapters;
}

static bool are_same(const struct weir_chapters *a, const struct weir_chapters *b, uint32_t num)
{
    bool are = a->num >= num && b->num >= num;
    for (uint32_t i = 0; are && i < num; i++) {
        are = a->items[i].time == b->items[i].time &&
              strcmp(a->items[i].title, b->items[i].title) == 0;
    }
    return are;
}

static void test_boxes(void)
{
    static uint8_t bytes[80000];
    static const uint32_t nums[] = {0, 1, 3, WEIR_MAX_CHAPTERS};
    for (size_t i = 0; i < 4; i++) {
        struct weir_chapters chapters = {.items = NULL};
        for (uint32_t k = 0; k < nums[i]; k++) {
            char title[WEIR_MAX_CHAPTER_TITLE + 1];
            draw_chapter_title(title, WEIR_MAX_CHAPTER_TITLE);
            weir_chapters_add(&chapters, test_random() % 1000, title);
        }
        const size_t size = write_moov(&chapters, bytes, sizeof(bytes));
        struct weir_chapters again = read_moov(bytes, size);
        test_expect(again.num == nums[i] && are_same(&again, &chapters, nums[i]),
                    "%u chapters are read as %u", nums[i], again.num);
        weir_chapters_finish(&again);
        // Cut off, all that is whole is there; changed, something or nothing is.
        for (int k = 0; k < 200 && size > 8; k++) {
            const size_t cut = 8 + test_random() % (size - 8);
            uint8_t changed[64];
            memcpy(changed, bytes, size < 64 ? size : 64);
            again = read_moov(bytes, cut);
            test_expect(again.num == 0, "%u chapters in a box that is cut", again.num);
            weir_chapters_finish(&again);
            bytes[8 + test_random() % (size < 64 ? size - 8 : 56)] = (uint8_t)test_random();
            again = read_moov(bytes, size);
            test_expect(again.num <= WEIR_MAX_CHAPTERS, "%u chapters", again.num);
            weir_chapters_finish(&again);
            memcpy(bytes, changed, size < 64 ? size : 64);
        }
        const uint32_t num = chapters.num;
        test_expect(num < WEIR_MAX_CHAPTERS ||
                        weir_chapters_add(&chapters, 0, "more") == WEIR_DROPPED,
                    "one more than fit");
        weir_chapters_finish(&chapters);
    }
}

// What other programs may write: a box of version 0, and counts and sizes that are not true.
static void test_hostile(void)
{
    static const struct {
        uint8_t bytes[40];
        uint8_t size;
        uint32_t num;
    } cases[] = {
        {{0}, 0, 0},
        {{1}, 1, 0},
        {{0, 0, 0, 0}, 4, 0},
        {{1, 0, 0, 0, 0, 0, 0, 0}, 8, 0},
        {{1, 0, 0, 0, 0, 0, 0, 0, 255}, 9, 0},
        {{0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 1, 'a'}, 15, 1},
        {{1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 5, 1, 'a'}, 19, 1},
        {{1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 2, 'a'}, 19, 0},
        {{1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, 16, 0},
        {{1, 0, 0, 0, 0, 0, 0, 0, 1, 255, 255, 255, 255, 255, 255, 255, 255, 3, 'a', 0, 'b'},
         21,
         1},
        {{0, 0, 0, 0, 0, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}, 16, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t bytes[80];
        struct weir_boxes boxes = {.bytes = bytes, .room = sizeof(bytes)};
        const size_t moov = weir_boxes_begin(&boxes, "moov");
        const size_t udta = weir_boxes_begin(&boxes, "udta");
        const size_t chpl = weir_boxes_begin(&boxes, "chpl");
        weir_boxes_copy(&boxes, cases[i].bytes, cases[i].size);
        weir_boxes_end(&boxes, chpl);
        weir_boxes_end(&boxes, udta);
        weir_boxes_end(&boxes, moov);
        struct weir_chapters chapters = read_moov(bytes, boxes.size);
        test_expect(chapters.num == cases[i].num &&
                        (chapters.num == 0 || strcmp(chapters.items[0].title, "a") == 0),
                    "box %zu: %u chapters", i, chapters.num);
        weir_chapters_finish(&chapters);
    }
}

// A time on a tick moves to that of another tick, whatever the ticks; any other by as much.
static void test_moves(void)
{
    for (int i = 0; i < 1000; i++) {
        const uint32_t ticks_per_second = 1 + (uint32_t)(test_random() % 1000000);
        const uint64_t ticks = test_random() % 1000000000, other = test_random() % 1000000000;
        const uint64_t time = weir_chapter_time(ticks, ticks_per_second);
        const uint64_t moved = weir_chapter_moved(time, (int64_t)other - (int64_t)ticks,
                                                  ticks_per_second);
        test_expect(moved == weir_chapter_time(other, ticks_per_second),
                    "%llu moved from tick %llu to %llu of %u", (unsigned long long)moved,
                    (unsigned long long)ticks, (unsigned long long)other, ticks_per_second);
    }
    test_expect(weir_chapter_moved(50, 90000, 90000) == 10000050 &&
                    weir_chapter_moved(10000050, -90000, 90000) == 50 &&
                    weir_chapter_moved(10000050, -180000, 90000) == 0,
                "times between ticks");
}

int main(void)
{
    test_titles();
    test_boxes();
    test_hostile();
    test_moves();
    return test_finish();
}
