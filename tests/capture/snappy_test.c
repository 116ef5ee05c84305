// SPDX-License-Identifier: MIT
// The Snappy compressor, judged by Google's library: what it writes decompresses to what went in,
// within its room, from and to the last byte before memory that must not be touched; it is as small
// as the library's; and packets need no memory while frames come.
#include "capture/movie/snappy.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <snappy-c.h>

#include "capture/stream/packet/packet.h"
#include "testing.h"
#include "tests/sanitized.h"

enum { MAX_SIZE = 200000 };
// Bytes of what compresses at all, by content.
static uint64_t num_ours[3], num_theirs[3];

// Memory whose end is followed by a page that must not be touched.
static uint8_t *with_guard(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
    uint8_t *memory = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                           -1, 0);
    test_must(memory != MAP_FAILED && mprotect(memory + whole, page, PROT_NONE) == 0, "memory");
    return memory + whole;
}

static uint8_t *input_end, *output_end;

static void expect_back_with(const char *what, const uint8_t *in, uint32_t size,
                             enum weir_snappy_content content)
{
    static uint8_t back[MAX_SIZE], theirs[2 * MAX_SIZE];
    const size_t room = weir_snappy_room(size);
    uint8_t *out = output_end - room;
    const size_t got = weir_snappy_compress(in, size, content, out);
    size_t num_back = sizeof(back), num = sizeof(theirs);
    const snappy_status status = snappy_uncompress((const char *)out, got, (char *)back, &num_back);
    test_expect(
        got <= room && status == SNAPPY_OK && num_back == size && memcmp(back, in, size) == 0,
        "%s: %u bytes become %zu, status %d, and %zu back", what, size, got, (int)status, num_back);
    snappy_compress((const char *)in, size, (char *)theirs, &num);
    if (num < size / 10 * 9) {
        num_ours[content] += got;
        num_theirs[content] += num;
    }
}

static void expect_back(const char *what, const uint8_t *in, uint32_t size)
{
    expect_back_with(what, in, size, WEIR_SNAPPY_ANY);
    expect_back_with(what, in, size, WEIR_SNAPPY_HALVES);
    expect_back_with(what, in, size, WEIR_SNAPPY_SAME_HALVES);
}

// Blocks of 16 bytes as pictures have them: some again, some with a part again, some new.
static void fill_blocks(uint8_t *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t back = 16 * (1 + (uint32_t)(test_random() % 500));
        const uint64_t kind = test_random() % 4;
        const bool is_again = i % 16 == 0 && i + 16 <= size && i >= back && kind > 0;
        if (is_again) {
            const uint32_t part = kind == 1 ? 16 : 8;
            memcpy(bytes + i, bytes + i - back, part);
            i += part - 1;
        } else {
            bytes[i] = (uint8_t)test_random();
        }
    }
}

// Runs of one byte, of any length, and periods.
static void fill_runs(uint8_t *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < size;) {
        const uint32_t period = 1 + (uint32_t)(test_random() % (test_random() % 2 ? 9 : 5000));
        const uint32_t end = i + (uint32_t)(test_random() % 3000);
        for (; i < end && i < size; i++) {
            bytes[i] = i < period || test_random() % 2000 == 0 ? (uint8_t)test_random()
                                                               : bytes[i - period];
        }
    }
}

static void fill_few_values(uint8_t *bytes, uint32_t size)
{
    const uint64_t num = 1 + test_random() % 4;
    for (uint32_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(test_random() % num);
    }
}

static void test_random_inputs(void)
{
    for (int i = 0; i < 200; i++) {
        // Short ones, ones around a block's end, and any.
        const uint64_t kind = test_random() % 3;
        const uint32_t size = kind == 0   ? 1 + (uint32_t)(test_random() % 100)
                              : kind == 1 ? 65536 - 40 + (uint32_t)(test_random() % 80)
                                          : 1 + (uint32_t)(test_random() % MAX_SIZE);
        uint8_t *in = input_end - size;
        fill_blocks(in, size);
        expect_back("blocks", in, size);
        fill_runs(in, size);
        expect_back("runs", in, size);
        fill_few_values(in, size);
        expect_back("few values", in, size);
        for (uint32_t k = 0; k < size; k++) {
            in[k] = (uint8_t)test_random();
        }
        expect_back("noise", in, size);
    }
}

// Blocks of 16 bytes of which many a half is that of one of the 128 before: the search for halves
// finds more of them than the library does.
static void test_halves(void)
{
    memset(num_ours, 0, sizeof(num_ours));
    memset(num_theirs, 0, sizeof(num_theirs));
    for (int i = 0; i < 20; i++) {
        const uint32_t size = 16 * (1000 + (uint32_t)(test_random() % (MAX_SIZE / 16 - 1000)));
        uint8_t *in = input_end - size;
        for (uint32_t at = 0; at < size; at += 8) {
            const uint32_t back = 16 * (1 + (uint32_t)(test_random() % 128));
            const bool is_copy = back <= at && test_random() % 2 == 0;
            for (uint32_t k = 0; k < 8; k++) {
                in[at + k] = is_copy ? in[at + k - back] : (uint8_t)test_random();
            }
        }
        expect_back("halves", in, size);
    }
    const double ours = (double)num_ours[WEIR_SNAPPY_HALVES];
    printf("halves: %.4f of the library's, %.4f of the other search's\n",
           ours / (double)num_theirs[WEIR_SNAPPY_HALVES], ours / (double)num_ours[WEIR_SNAPPY_ANY]);
    test_expect(ours < (double)num_theirs[WEIR_SNAPPY_HALVES], "smaller than the library's");
    test_expect(ours <= 0.995 * (double)num_ours[WEIR_SNAPPY_ANY], "smaller than without halves");
}

// Blocks of one alpha and any colours, whose last bytes come again too.
static void test_same_halves(void)
{
    memset(num_ours, 0, sizeof(num_ours));
    memset(num_theirs, 0, sizeof(num_theirs));
    uint8_t *in = input_end - MAX_SIZE;
    for (uint32_t at = 0; at < MAX_SIZE; at++) {
        in[at] = at % 16 >= 8 ? (uint8_t)test_random() : at % 16 < 2 ? 255 : 0;
    }
    expect_back("same halves", in, MAX_SIZE);
    const double ours = (double)num_ours[WEIR_SNAPPY_SAME_HALVES];
    test_expect(ours <= 0.97 * (double)num_ours[WEIR_SNAPPY_HALVES],
                "smaller with the byte before");
}

static void test_extremes(void)
{
    for (uint32_t size = 0; size <= 200; size++) {
        uint8_t *in = input_end - size;
        memset(in, 0, size);
        expect_back("zeros", in, size);
        for (uint32_t i = 0; i < size; i++) {
            in[i] = (uint8_t)i;
        }
        expect_back("rising", in, size);
    }
    memset(input_end - MAX_SIZE, 0xff, MAX_SIZE);
    expect_back("one value", input_end - MAX_SIZE, MAX_SIZE);
    // A match of each length, at each of the distances where the form of a copy changes.
    static const uint32_t distances[] = {1, 4, 8, 64, 2047, 2048, 2049, 60000};
    for (size_t d = 0; d < sizeof(distances) / sizeof(distances[0]); d++) {
        for (uint32_t length = 3; length < 140; length++) {
            const uint32_t size = distances[d] + length + 40;
            uint8_t *in = input_end - size;
            test_random_bytes(in, size & ~7u);
            for (uint32_t i = 0; i < length; i++) {
                in[distances[d] + i] = in[i];
            }
            expect_back("a match", in, size);
        }
    }
}

// Frames are packed by a program that gets no more memory.
static void pack_without_memory(void)
{
    enum { SIZE = 1024 * 1024 };
    static uint8_t data[WEIR_PACKET_HEADROOM + SIZE];
    static const struct weir_log silent = {.print = NULL};
    struct weir_packer *packer = NULL;
    const struct weir_packer_params params = {.width = SIZE / 4, .height = 4, .snappy = true};
    if (weir_packer_create(&params, &silent, &packer) != WEIR_OK) {
        _exit(2);
    }
    fill_runs(data + WEIR_PACKET_HEADROOM, SIZE);
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_AS, &none);
    setrlimit(RLIMIT_DATA, &none);
    while (malloc(64)) {
    }
    const struct weir_packet packet = weir_packer_pack(packer, data + WEIR_PACKET_HEADROOM);
    _exit(packet.size < SIZE / 2 ? 0 : 1);
}

static void test_no_memory(void)
{
    if (SANITIZED_ADDRESS || SANITIZED_THREAD) {
        printf("a sanitizer needs memory itself: no test without\n");
        return;
    }
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        pack_without_memory();
    }
    test_expect(test_wait(child) == 0, "without memory");
}

int main(void)
{
    input_end = with_guard(MAX_SIZE);
    output_end = with_guard(weir_snappy_room(MAX_SIZE));
    test_random_inputs();
    printf("compressible: %llu bytes, %.4f of the library's\n",
           (unsigned long long)num_ours[WEIR_SNAPPY_ANY],
           (double)num_ours[WEIR_SNAPPY_ANY] / (double)num_theirs[WEIR_SNAPPY_ANY]);
    test_expect((double)num_ours[WEIR_SNAPPY_ANY] <= 1.01 * (double)num_theirs[WEIR_SNAPPY_ANY],
                "as small as the library's");
    test_halves();
    test_same_halves();
    test_extremes();
    test_no_memory();
    return test_finish();
}
