// SPDX-License-Identifier: MIT
// Heads that are damaged: the track of one is copied, and then an index can be made of it, or it is
// refused.
#include "capture/movie/head_copy.h"

#include <stdlib.h>
#include <string.h>

#include "capture/movie/head.h"
#include "capture/movie/plain_copy.h"
#include "testing.h"

enum { ROOM = 8192, CONTAINERS = 4 };

static const uint32_t containers[CONTAINERS] = {
    WEIR_BOX('t', 'r', 'a', 'k'), WEIR_BOX('m', 'd', 'i', 'a'), WEIR_BOX('m', 'i', 'n', 'f'),
    WEIR_BOX('s', 't', 'b', 'l')};

static bool read_bytes(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    memcpy(bytes, (const uint8_t *)user + offset, size);
    return true;
}

static void write_u32(uint32_t value, uint8_t *bytes)
{
    struct weir_boxes boxes = {.bytes = bytes, .room = 4};
    weir_boxes_u32(&boxes, value);
}

// A track as the capture writes it.
static size_t make_track(uint8_t bytes[ROOM])
{
    const struct weir_movie movie = {.pictures = {.width = 64,
                                                  .height = 48,
                                                  .ticks_per_second = 90000,
                                                  .tag = WEIR_BOX('H', 'a', 'p', 'Y')}};
    struct weir_boxes boxes = {.bytes = bytes, .room = ROOM};
    weir_head_write_trak(&movie, 0, false, &boxes);
    return boxes.size;
}

// Get where a container begins. Each is the only one of its kind.
static size_t find(const uint8_t *bytes, size_t size, uint32_t type)
{
    for (size_t i = 4; i + 4 <= size; i++) {
        if (weir_boxes_read_u32(bytes + i) == type) {
            return i - 4;
        }
    }
    test_expect(false, "a container");
    exit(test_finish());
}

// Put bytes at the front of a container, and make all that hold them longer.
static size_t insert(uint8_t *bytes, size_t size, uint32_t container, const uint8_t *more,
                     size_t num)
{
    const size_t at = find(bytes, size, containers[container]) + 8;
    for (uint32_t i = 0; i <= container; i++) {
        uint8_t *box = bytes + find(bytes, size, containers[i]);
        write_u32(weir_boxes_read_u32(box) + (uint32_t)num, box);
    }
    memmove(bytes + at + num, bytes + at, size - at);
    memcpy(bytes + at, more, num);
    return size + num;
}

// Copy a track into a head, and make an index of it. Returns whether it was copied.
static bool copy(const uint8_t *bytes, size_t size)
{
    static uint8_t head[2 * WEIR_HEAD_MAX_TRACK];
    uint8_t file[ROOM];
    memcpy(file, bytes, size);
    const struct weir_view_source source = {.read = read_bytes, .user = file, .size = size};
    struct weir_view view;
    struct weir_box trak;
    struct weir_boxes boxes = {.bytes = head, .room = sizeof(head)};
    test_expect(weir_view_init(&view, &source, 4096), "memory");
    test_expect(weir_box_read(&view, 0, size, &trak), "a box");
    const size_t moov = weir_boxes_begin(&boxes, WEIR_BOX('m', 'o', 'o', 'v'));
    const bool is_copied = weir_head_copy_track(&view, &trak, 1, &boxes);
    weir_boxes_end(&boxes, moov);
    weir_view_finish(&view);
    struct weir_movie movie = {.pictures = {.ticks_per_second = 90000, .ticks_per_frame = 1500}};
    const struct weir_piece first = {.offset = 100, .size = 1000};
    const struct weir_piece last = {
        .offset = 1100, .size = 1000, .time = 1ull << 32}; // the longer form of mdhd
    test_expect(weir_movie_add(&movie, &first) && weir_movie_add(&movie, &last), "memory");
    if (is_copied) {
        const struct weir_plain_head parts = {.moov = head, .size = boxes.size};
        size_t moov_size;
        uint8_t *made = weir_plain_copy_moov(&movie, &parts, &moov_size);
        test_expect(made, "an index of what was copied");
        free(made);
    }
    weir_movie_finish(&movie);
    return is_copied;
}

static void test_misplaced(const uint8_t *track, size_t size)
{
    static const uint32_t types[] = {WEIR_BOX('m', 'o', 'o', 'v'), WEIR_BOX('m', 'v', 'h', 'd'),
                                     WEIR_BOX('t', 'r', 'a', 'k'), WEIR_BOX('t', 'k', 'h', 'd'),
                                     WEIR_BOX('m', 'd', 'i', 'a'), WEIR_BOX('m', 'd', 'h', 'd'),
                                     WEIR_BOX('m', 'i', 'n', 'f'), WEIR_BOX('s', 't', 'b', 'l')};
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        uint8_t box[64] = {0};
        write_u32(sizeof(box), box);
        write_u32(types[i], box + 4);
        for (uint32_t container = 0; container < CONTAINERS; container++) {
            uint8_t bytes[ROOM];
            memcpy(bytes, track, size);
            test_expect(!copy(bytes, insert(bytes, size, container, box, sizeof(box))),
                        "a second box '%.4s' in '%.4s' is refused", (const char *)box + 4,
                        (const char *)(bytes + find(bytes, size, containers[container]) + 4));
        }
    }
}

// A size in 64 bits, as for a box of gigabytes.
static void test_long_size(const uint8_t *track, size_t size)
{
    static const uint8_t box[] = {0, 0, 0, 1, 'u', 'd', 't', 'a', 0, 0,
                                  0, 0, 0, 0, 0,   20,  1,   2,   3, 4};
    for (uint32_t container = 0; container < CONTAINERS; container++) {
        uint8_t bytes[ROOM];
        memcpy(bytes, track, size);
        test_expect(copy(bytes, insert(bytes, size, container, box, sizeof(box))),
                    "a box with a size in 64 bits is copied");
    }
}

// A size of 0 says that the box goes on to the end, and takes what follows with it.
static void test_no_size(const uint8_t *track, size_t size)
{
    uint8_t bytes[ROOM];
    memcpy(bytes, track, size);
    memcpy(bytes + size, track, size);
    write_u32(0, bytes);
    test_expect(copy(bytes, size), "a track that ends where the file does is copied");
    test_expect(!copy(bytes, 2 * size), "a track that swallowed another one is refused");
}

int main(void)
{
    uint8_t track[ROOM];
    const size_t size = make_track(track);
    test_expect(copy(track, size), "a track of ours is copied");
    test_misplaced(track, size);
    test_long_size(track, size);
    test_no_size(track, size);
    return test_finish();
}
