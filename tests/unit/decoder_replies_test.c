// SPDX-License-Identifier: MIT
// Pictures that a process which decodes may say it has: rows and their number never wrap, whatever
// memory is allowed.
#include <limits.h>

#include "capture/weir/decoder/replies.h"
#include "tests/expect.h"

static bool accepts(uint32_t width, uint32_t height, int orientation, size_t pitch)
{
    const struct weir_memory_use memory = {.limit = UINT64_C(1) << 44, .num_copies = 1};
    struct channel_message reply = {.type = CHANNEL_PICTURE};
    reply.picture = (struct weir_picture){.width = width,
                                          .height = height,
                                          .type = WEIR_PICTURE_8,
                                          .pitch = pitch,
                                          .orientation = orientation};
    return reply_is_picture(&reply, &memory);
}

static void check_rows(uint32_t side)
{
    const uint64_t pitch = (UINT64_C(4) * side + 63) / 64 * 64;
    test_expect(accepts(side, 1, 0, pitch), "%u texels wide", side);
    test_expect(accepts(1, side, 6, pitch), "%u texels high, on its side", side);
    test_expect(!accepts(side, 1, 0, (uint32_t)pitch) || pitch <= UINT32_MAX,
                "%u texels wide: the pitch wraps", side);
    test_expect(!accepts(1, side, 6, (uint32_t)pitch) || pitch <= UINT32_MAX,
                "%u texels high, on its side: the pitch wraps", side);
}

int main(void)
{
    static const uint32_t sides[] = {1,      16, 17, 1 << 20, (1 << 30) - 1, 1 << 30, (1 << 30) + 1,
                                     INT_MAX};
    for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
        check_rows(sides[i]);
    }
    test_expect(!accepts(INT_MAX, INT_MAX, 0, (size_t)INT_MAX * 4 + 4), "more than is allowed");
    return test_finish();
}
