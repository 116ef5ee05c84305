// SPDX-License-Identifier: MIT
// The kernels of Snappy on the processor: what they pack comes back, by libsnappy and by our
// reader, is as small as it should be, and fits into its room. WEIR_SEED repeats a run.
#include "tests/kernels/snappy.h"

#include <stdbool.h>
#include <string.h>

#include <snappy-c.h>

#include "capture/movie/snappy.h"
#include "tests/expect.h"
#include "tests/ref/snappy_content.h"
#include "tests/sanitized.h"
#include "tests/seeded.h"

enum { MAX_SIZE = 300000, NUM_CASES = 140, TAIL = 2048 };

static uint8_t input[MAX_SIZE], packed[2 * MAX_SIZE], back[MAX_SIZE], theirs[2 * MAX_SIZE];
static uint8_t room[2 * MAX_SIZE];

#define EXPECT(is_so, what, content, size, value)                                                  \
    test_expect(is_so, "content %u, %u bytes: %s: %zu", content, size, what, (size_t)(value))

static bool read_packed(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    (void)user;
    memcpy(bytes, packed + offset, size);
    return true;
}

static bool is_whole(uint64_t size)
{
    struct weir_view view;
    const struct weir_view_source source = {.read = read_packed, .size = size};
    if (!weir_view_init(&view, &source, 4096)) {
        return false;
    }
    const bool whole = weir_snappy_is_whole(&view, 0, size);
    weir_view_finish(&view);
    return whole;
}

// Pack the input. Returns the size.
static uint32_t expect_back(uint32_t content, uint32_t size)
{
    uint32_t got;
    kernel_snappy(weir_snappy_params(.size = size, .num_chunks = 1, .least_saved = 1), input, room);
    memcpy(&got, room, sizeof(got));
    memcpy(packed, room + weir_snappy_data_offset(1), got);
    EXPECT(got <= size, "too many bytes", content, size, got);
    if (got == size) { // stored
        EXPECT(memcmp(packed, input, size) == 0, "other bytes are stored", content, size, got);
        return got;
    }
    size_t num = sizeof(back);
    const snappy_status status = snappy_uncompress((const char *)packed, got, (char *)back, &num);
    EXPECT(status == SNAPPY_OK && num == size && memcmp(back, input, size) == 0,
           "libsnappy gives back other bytes", content, size, num);
    EXPECT(is_whole(got), "our reader finds it damaged", content, size, got);
    return got;
}

static void test_contents(void)
{
    for (int i = 0; i < NUM_CASES; i += SANITIZED_STRIDE) {
        const uint32_t content = (uint32_t)i % REF_SNAPPY_NUM_CONTENTS;
        const uint32_t limit = i % 3 == 0 ? 20 : i % 3 == 1 ? 4200 : MAX_SIZE / 8;
        const uint32_t size = 8 * (1 + (uint32_t)seeded_below((int)limit));
        ref_snappy_draw((enum ref_snappy_content)content, &seeded_state, input, size);
        expect_back(content, size);
    }
}

// A copy of each length from each of the distances where its form changes, and from one too far.
// Long ones from near are found whatever the tables forget.
static void test_distances(void)
{
    static const uint32_t distances[] = {4, 8, 12, 64, 2044, 2048, 2052, 16384, 65532, 65536};
    for (size_t d = 0; d < sizeof(distances) / sizeof(distances[0]); d++) {
        for (uint32_t length = 4; length < 140; length += 1 + 16 * (SANITIZED_STRIDE > 1)) {
            const uint32_t size = (distances[d] + length + 40) / 8 * 8;
            ref_snappy_draw(REF_SNAPPY_NOISE, &seeded_state, input, size);
            for (uint32_t i = 0; i < length; i++) {
                input[distances[d] + i] = input[i];
            }
            const uint32_t got = expect_back(REF_SNAPPY_NOISE, size);
            const bool is_found = distances[d] <= 2052 && length >= 32;
            EXPECT(!is_found || got < size, "a copy was not found", REF_SNAPPY_NOISE, size, got);
            memset(input + size, 0, TAIL); // by which it is not stored
            expect_back(REF_SNAPPY_NOISE, size + TAIL);
        }
    }
}

// In all, no larger than libsnappy's and the processor's, whose steps are not held up by groups.
static void test_sizes(void)
{
    static const enum ref_snappy_content contents[] = {REF_SNAPPY_ONE_VALUE, REF_SNAPPY_HALVES};
    for (size_t c = 0; c < sizeof(contents) / sizeof(contents[0]); c++) {
        size_t ours = 0, library = 0, processor = 0;
        for (int i = 0; i < 10; i += SANITIZED_STRIDE) {
            const uint32_t size = 16 * (4000 + (uint32_t)seeded_below(MAX_SIZE / 16 - 4000));
            ref_snappy_draw(contents[c], &seeded_state, input, size);
            ours += expect_back(contents[c], size);
            processor += weir_snappy_compress(input, size, WEIR_SNAPPY_HALVES, theirs);
            size_t num = sizeof(theirs);
            snappy_compress((const char *)input, size, (char *)theirs, &num);
            library += num;
        }
        printf("content %d: %.4f of libsnappy's, %.4f of the processor's\n", (int)contents[c],
               (double)ours / (double)library, (double)ours / (double)processor);
        EXPECT((double)ours <= 1.02 * (double)library, "larger than libsnappy's", contents[c], 0,
               ours);
        EXPECT((double)ours <= 1.02 * (double)processor, "larger than the processor's", contents[c],
               0, ours);
    }
}

int main(void)
{
    seeded_start();
    test_contents();
    test_distances();
    test_sizes();
    return test_finish();
}
