// SPDX-License-Identifier: MIT
// What a process that decodes may say it has: rows of pictures and their number never wrap,
// whatever memory is allowed, and neither do chapters.
#include <limits.h>

#include "capture/weir/decoder/client.h"
#include "tests/expect.h"

static bool accepts(uint32_t width, uint32_t height, size_t pitch)
{
    const struct weir_memory_use memory = {.limit = UINT64_C(1) << 44, .num_copies = 1};
    struct channel_message reply = {.type = CHANNEL_PICTURE};
    reply.picture = (struct weir_picture){
        .width = width, .height = height, .type = WEIR_PICTURE_8, .pitch = pitch};
    return reply_is_picture(&reply, &memory);
}

static void check_rows(uint32_t side)
{
    const uint64_t pitch = (UINT64_C(4) * side + 63) / 64 * 64;
    test_expect(accepts(side, 1, pitch), "%u texels wide", side);
    test_expect(!accepts(side, 1, (uint32_t)pitch) || pitch <= UINT32_MAX,
                "%u texels wide: the pitch wraps", side);
}

static void check_chapters(size_t num, uint64_t size, bool are_right)
{
    static const struct weir_source_params params = {.width = 0};
    static struct channel_message reply = {.type = CHANNEL_SOURCE};
    reply.size = size;
    reply.source.info = (struct weir_source_info){.width = 8,
                                                  .height = 8,
                                                  .native_width = 8,
                                                  .native_height = 8,
                                                  .pixel_aspect_num = 1,
                                                  .pixel_aspect_den = 1,
                                                  .rate_num = 25,
                                                  .rate_den = 1,
                                                  .num_chapters = num};
    test_expect(reply_is_source(&reply, &params) == are_right, "%zu chapters in %llu bytes", num,
                (unsigned long long)size);
}

int main(void)
{
    const size_t size = sizeof(struct weir_source_chapter);
    check_chapters(0, 0, true);
    check_chapters(3, 3 * size, true);
    check_chapters(3, 3 * size + 1, false);
    // Numbers whose products with the size are 0 and 8 in 64 bits, if the size is a multiple of 8.
    check_chapters((size_t)1 << 61, 0, false);
    check_chapters(((size_t)1 << 61) + 1, size, false);
    static const uint32_t sides[] = {1,      16, 17, 1 << 20, (1 << 30) - 1, 1 << 30, (1 << 30) + 1,
                                     INT_MAX};
    for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
        check_rows(sides[i]);
    }
    test_expect(!accepts(INT_MAX, INT_MAX, (size_t)INT_MAX * 4 + 4), "more than is allowed");
    return test_finish();
}
