// SPDX-License-Identifier: MIT
// What movies say besides their tracks: the box of chapters, with titles that are cut and refused,
// and the box and the name of a segment; what is written is read again, and what is damaged or not
// true is refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/base/utf8.h"
#include "capture/movie/head.h"
#include "capture/movie/read.h"
#include "capture/stream/mux/segment_name.h"
#include "recover_movie.h"
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
    const size_t udta = weir_boxes_begin(&boxes, "udta");
    weir_chapters_write(chapters, &boxes);
    weir_boxes_end(&boxes, udta);
    weir_boxes_end(&boxes, moov);
    test_expect(!boxes.overflow && boxes.size == 16 + weir_chapters_size(chapters), "%zu bytes",
                boxes.size);
    return boxes.size;
}

// Read the chapters of a moov box in memory that ends where the box does.
static struct weir_chapters read_moov(const uint8_t *bytes, size_t size)
{
    struct movie_bytes copy = movie_copy(&(struct movie_bytes){(uint8_t *)bytes, size}, size);
    const struct weir_view_source source = movie_source(&copy);
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
            test_chapter_title(title, WEIR_MAX_CHAPTER_TITLE);
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
    } cases[] = TEST_LIST(
        {{0}, 0, 0}, {{1}, 1, 0}, {{0, 0, 0, 0}, 4, 0}, {{1, 0, 0, 0, 0, 0, 0, 0}, 8, 0},
        {{1, 0, 0, 0, 0, 0, 0, 0, 255}, 9, 0},
        {{0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 1, 'a'}, 15, 1},
        {{1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 5, 1, 'a'}, 19, 1},
        {{1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 2, 'a'}, 19, 0},
        {{1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, 16, 0},
        {{1, 0, 0, 0, 0, 0, 0, 0, 1, 255, 255, 255, 255, 255, 255, 255, 255, 3, 'a', 0, 'b'},
         21,
         1},
        {{0, 0, 0, 0, 0, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}, 16, 0});
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

static bool read_segment(uint8_t *file, size_t size, struct weir_segment *segment)
{
    struct movie_bytes bytes = {file, size};
    struct weir_view view;
    const struct weir_view_source source = movie_source(&bytes);
    const bool is_found = weir_view_init(&view, &source, 256) && weir_segment_read(&view, segment);
    weir_view_finish(&view);
    return is_found;
}

static void add_box(struct weir_boxes *boxes, const char *type, size_t payload)
{
    const size_t begin = weir_boxes_begin(boxes, type);
    for (size_t i = 0; i < payload; i += 4) {
        weir_boxes_u32(boxes, (uint32_t)test_random());
    }
    weir_boxes_end(boxes, begin);
}

static struct weir_segment random_segment(void)
{
    struct weir_segment segment = {
        .number = 1 + (uint32_t)(test_random() % UINT32_MAX),
        .ticks_per_second = 1 + (uint32_t)(test_random() % UINT32_MAX),
        .start_ticks = test_random(),
    };
    for (int i = 0; i < WEIR_RECORDING_ID_SIZE; i++) {
        segment.recording[i] = (uint8_t)test_random();
    }
    return segment;
}

// What a segment says of itself comes back, and nothing else is taken for it. A movie's head: ftyp,
// another maker's uuid box of the same size, the segment's, moov.
static void test_segment(void)
{
    uint8_t file[512] = {0};
    struct weir_boxes boxes = {.bytes = file, .room = sizeof(file)};
    const struct weir_segment want = random_segment();
    add_box(&boxes, "ftyp", 12);
    add_box(&boxes, "uuid", WEIR_SEGMENT_BOX_SIZE - 8);
    const size_t before = boxes.size;
    weir_segment_write(&want, &boxes);
    const size_t after = boxes.size;
    test_expect(!boxes.overflow && after - before == WEIR_SEGMENT_BOX_SIZE, "size %zu",
                after - before);
    add_box(&boxes, "moov", 40);
    struct weir_segment got = {.number = 0};
    test_expect(read_segment(file, boxes.size, &got) && got.number == want.number &&
                    got.ticks_per_second == want.ticks_per_second &&
                    got.start_ticks == want.start_ticks &&
                    memcmp(got.recording, want.recording, sizeof(want.recording)) == 0,
                "a segment comes back");
    for (size_t cut = 0; cut < after; cut++) {
        test_expect(!read_segment(file, cut, &got), "cut at %zu", cut);
    }
    memset(file + after - 16, 0, 4); // its number
    test_expect(!read_segment(file, boxes.size, &got), "number 0");
}

// A part has it behind moov; behind fragments nobody looks for one.
static void test_segment_behind(void)
{
    uint8_t file[512] = {0};
    struct weir_boxes boxes = {.bytes = file, .room = sizeof(file)};
    const struct weir_segment segment = random_segment();
    add_box(&boxes, "moov", 40);
    weir_segment_write(&segment, &boxes);
    struct weir_segment got;
    test_expect(read_segment(file, boxes.size, &got) && got.number == segment.number, "a part");
    memcpy(file + 4, "moof", 4);
    test_expect(!read_segment(file, boxes.size, &got), "behind fragments");
}

static void expect_name(const char *path, uint32_t number, const char *want)
{
    struct weir_segment_name name;
    char folder[256] = "", full[512];
    test_expect(weir_segment_name_init(&name, path), "name");
    if (want[0] != '/') {
        test_expect(getcwd(folder, sizeof(folder) - 1), "a folder");
        strcat(folder, "/");
    }
    snprintf(full, sizeof(full), "%s%s", folder, want);
    const char *got = weir_segment_name_get(&name, number);
    test_expect(strcmp(got, full) == 0, "'%s' number %u: '%s', not '%s'", path, number, got, full);
    weir_segment_name_finish(&name);
}

static void test_names(void)
{
    expect_name("/tmp/take.mov", 1, "/tmp/take.001.mov");
    expect_name("/tmp/take.mov", 1000, "/tmp/take.1000.mov");
    expect_name("/tmp/take.mov", UINT32_MAX, "/tmp/take.4294967295.mov");
    expect_name("/tmp/../tmp/take", 12, "/tmp/take.012");
    expect_name("/take.day.mov", 12, "/take.day.012.mov");
    expect_name("/tmp/.take", 2, "/tmp/.take.002");
    expect_name("take.mov", 2, "take.002.mov");
    expect_name("./a%d.mov", 3, "a%d.003.mov");
    expect_name("/no/such.folder/take", 2, "/no/such.folder/take.002");
    expect_name("/tmp/", 2, "/tmp/");
}

int main(void)
{
    test_titles();
    test_boxes();
    test_hostile();
    test_moves();
    for (int i = 0; i < 100; i++) {
        test_segment();
        test_segment_behind();
    }
    test_names();
    return test_finish();
}
