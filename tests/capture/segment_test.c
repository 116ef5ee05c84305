// SPDX-License-Identifier: MIT
// What a segment says of itself comes back, and nothing else is taken for it.
#include "capture/movie/read.h"

#include <string.h>

#include "capture/movie/head.h"
#include "testing.h"

struct bytes {
    uint8_t at[512];
};

static bool read_bytes(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    memcpy(bytes, ((struct bytes *)user)->at + offset, size);
    return true;
}

static bool read_segment(struct bytes *file, size_t size, struct weir_segment *segment)
{
    struct weir_view view;
    const struct weir_view_source source = {.read = read_bytes, .user = file, .size = size};
    if (!test_expect(weir_view_init(&view, &source, 256), "a view")) {
        return false;
    }
    const bool is_found = weir_segment_read(&view, segment);
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

// A movie's head: ftyp, another maker's uuid box of the same size, the segment's, moov.
static void test_head(void)
{
    struct bytes file = {{0}};
    struct weir_boxes boxes = {.bytes = file.at, .room = sizeof(file.at)};
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
    test_expect(read_segment(&file, boxes.size, &got) && got.number == want.number &&
                    got.ticks_per_second == want.ticks_per_second &&
                    got.start_ticks == want.start_ticks &&
                    memcmp(got.recording, want.recording, sizeof(want.recording)) == 0,
                "a segment comes back");
    for (size_t cut = 0; cut < after; cut++) {
        test_expect(!read_segment(&file, cut, &got), "cut at %zu", cut);
    }
    memset(file.at + after - 16, 0, 4); // its number
    test_expect(!read_segment(&file, boxes.size, &got), "number 0");
}

// Behind moov there is none.
static void test_behind(void)
{
    struct bytes file = {{0}};
    struct weir_boxes boxes = {.bytes = file.at, .room = sizeof(file.at)};
    const struct weir_segment segment = random_segment();
    add_box(&boxes, "moov", 40);
    weir_segment_write(&segment, &boxes);
    struct weir_segment got;
    test_expect(!read_segment(&file, boxes.size, &got), "behind moov");
}

int main(void)
{
    for (int i = 0; i < 100; i++) {
        test_head();
        test_behind();
    }
    return test_finish();
}
