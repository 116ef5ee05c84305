// SPDX-License-Identifier: MIT
// Snappy on the GPU gives the reference's bytes of whatever it packs, and leaves alone what is
// beside them; and it says what is wrong. That libsnappy gives back what the reference packs is in
// unit_snappy, and of several chunks in capture_packet.
#include <stdlib.h>
#include <string.h>

#include <weir/snappy.h>

#include "tests/gpu/harness.h"
#include "tests/kernels/snappy.h"
#include "tests/ref/snappy_content.h"

enum { POISON = 0xa5, GUARD = 512, MAX_OFFSETS = 4 };

static void compare(const char *name, const uint8_t *got, const uint8_t *want, uint64_t begin,
                    uint64_t end)
{
    for (uint64_t i = begin; i < end; i++) {
        if (!test_expect(got[i] == want[i], "%s: byte %llu is %02x, not %02x", name,
                         (unsigned long long)i, got[i], want[i])) {
            return;
        }
    }
}

// Pack `size` bytes of `in`, and once more over that in the same commands.
static void run(struct harness *h, const char *name, const uint8_t *in, uint32_t size,
                uint32_t num_chunks, uint32_t least_saved)
{
    const uint64_t room = weir_snappy_destination_size(size, num_chunks);
    const uint64_t from = 16 * harness_random_below(h, MAX_OFFSETS);
    const uint64_t to = GUARD + 16 * harness_random_below(h, MAX_OFFSETS);
    const uint64_t whole = to + room + GUARD;
    struct harness_storage source, destination;
    harness_storage_init(h, from + size, &source);
    harness_storage_init(h, whole, &destination);
    memset(destination.memory.mapped, POISON, whole);
    memcpy(source.memory.mapped + from, in, size);
    uint8_t *want = malloc(whole);
    memset(want, POISON, whole);
    const struct weir_snappy_params params = {
        .size = size, .num_chunks = num_chunks, .least_saved = least_saved};
    const uint64_t end = to + kernel_snappy(&params, in, want + to);

    weir_snappy *snappy = NULL;
    TEST_MUST(weir_snappy_create(h->context, &params, &snappy));
    VkCommandBuffer cmd = harness_begin(h);
    const struct weir_snappy_run both = {.source = source.buffer,
                                         .source_offset = from,
                                         .destination = destination.buffer,
                                         .destination_offset = to};
    for (int i = 0; i < 2; i++) {
        TEST_OK(weir_cmd_snappy(snappy, cmd, &both));
    }
    harness_record_host_reads(h, cmd);
    harness_submit(h, cmd, NULL, 0);
    const uint8_t *got = destination.memory.mapped;
    const uint64_t data = to + weir_snappy_data_offset(num_chunks);
    compare(name, got, want, 0, to + sizeof(uint32_t) * num_chunks);
    compare(name, got, want, data, end);
    compare(name, got, want, data + (end - data + 15) / 16 * 16, whole);
    weir_snappy_destroy(&snappy);
    free(want);
    harness_storage_finish(h, &destination);
    harness_storage_finish(h, &source);
}

// Chunks of a run have contents of their own.
static void run_drawn(struct harness *h, const char *name, uint32_t chunk, uint32_t num_chunks,
                      bool is_mixed)
{
    uint8_t *in = malloc((size_t)chunk * num_chunks);
    const enum ref_snappy_content content = harness_random_below(h, REF_SNAPPY_NUM_CONTENTS);
    for (uint32_t i = 0; i < num_chunks; i++) {
        ref_snappy_draw(is_mixed ? harness_random_below(h, REF_SNAPPY_NUM_CONTENTS) : content,
                        &h->random, in + (size_t)i * chunk, chunk);
    }
    run(h, name, in, chunk * num_chunks, num_chunks, 1 + harness_random_below(h, 2) * chunk / 4);
    free(in);
}

// Every other length of a stream from one half of a block on, the odd or the even ones, and those
// around the end of a fragment.
static void run_lengths(struct harness *h)
{
    for (uint32_t i = 1 + harness_random_below(h, 2); i <= 20; i += 2) {
        run_drawn(h, "short streams", 8 * i, 64, true);
    }
    static const uint32_t lengths[] = {1024, 16384, 65536};
    for (uint32_t i = 0; i < 3; i++) {
        run_drawn(h, "streams of fragments", lengths[i] + 8 * harness_random_below(h, 3) - 8, 7,
                  true);
    }
}

static void run_large(struct harness *h)
{
    for (uint32_t i = 0; i < 3; i++) {
        run_drawn(h, "large streams", 8 * (1 + harness_random_below(h, 30000)),
                  1 + harness_random_below(h, 4), i % 2 == 0);
    }
}

// Each content alone, which then is all that the tables see.
static void run_contents(struct harness *h)
{
    enum { SIZE = 140000 };
    uint8_t *in = malloc(SIZE);
    for (uint32_t i = 0; i < REF_SNAPPY_NUM_CONTENTS; i++) {
        ref_snappy_draw((enum ref_snappy_content)i, &h->random, in, SIZE);
        run(h, "a content", in, SIZE, 1, 1);
    }
    free(in);
}

// Chunks that save just as much as they should, and a byte less.
static void run_least_saved(struct harness *h)
{
    enum { SIZE = 60000, NUM_CHUNKS = 5 };
    uint8_t *in = malloc(SIZE), *packed = malloc(SIZE + 4096);
    ref_snappy_draw(REF_SNAPPY_HALVES, &h->random, in, SIZE);
    const uint32_t end = kernel_snappy(
        weir_snappy_params(.size = SIZE, .num_chunks = NUM_CHUNKS, .least_saved = 1), in, packed);
    const uint32_t saved = SIZE + (uint32_t)weir_snappy_data_offset(NUM_CHUNKS) - end;
    test_expect(saved > 0 && saved < SIZE, "%u bytes are saved", saved);
    run(h, "enough saved", in, SIZE, NUM_CHUNKS, saved);
    run(h, "too little saved", in, SIZE, NUM_CHUNKS, saved + 1);
    run(h, "never enough", in, SIZE, NUM_CHUNKS, UINT32_MAX);
    free(packed);
    free(in);
}

// 10,240 streams, and a tenth as many of which the longest have two fragments.
static void run_many(struct harness *h)
{
    for (uint32_t i = 0; i < 2; i++) {
        run_drawn(h, "many streams", 8 * (1 + harness_random_below(h, 150)), WEIR_SNAPPY_MAX_CHUNKS,
                  true);
    }
    run_drawn(h, "many long streams", 8 * (1 + harness_random_below(h, 2100)),
              WEIR_SNAPPY_MAX_CHUNKS / 10, true);
}

static void expect_refused(struct harness *h, const struct weir_snappy_params *params)
{
    const int before = h->log_codes[WEIR_LOG_CODE_OUT_OF_RANGE];
    weir_snappy *snappy = NULL;
    const enum weir_result result = weir_snappy_create(h->context, params, &snappy);
    test_expect(result == WEIR_ERROR_INVALID && !snappy &&
                    h->log_codes[WEIR_LOG_CODE_OUT_OF_RANGE] == before + 1,
                "create: %s for %llu bytes", weir_result_name(result),
                (unsigned long long)params->size);
}

static void expect_run_refused(struct harness *h, const weir_snappy *snappy,
                               const struct weir_snappy_run *wrong, enum weir_log_code code)
{
    const int before = h->log_codes[code];
    VkCommandBuffer cmd = harness_begin(h);
    const enum weir_result result = weir_cmd_snappy(snappy, cmd, wrong);
    harness_submit(h, cmd, NULL, 0);
    test_expect(result == WEIR_ERROR_INVALID && h->log_codes[code] == before + 1,
                "run: %s without code %d", weir_result_name(result), (int)code);
}

static void run_errors(struct harness *h)
{
    expect_refused(h, weir_snappy_params(.num_chunks = 1));
    expect_refused(h, weir_snappy_params(.size = 12));
    expect_refused(h, weir_snappy_params(.size = 64, .num_chunks = 3));
    expect_refused(h, weir_snappy_params(.size = WEIR_SNAPPY_MAX_SIZE + UINT64_C(8)));
    expect_refused(h, weir_snappy_params(.size = UINT64_C(1) << 32));
    expect_refused(h, weir_snappy_params(.size = 80000, .num_chunks = 10000));
    test_expect(weir_snappy_destination_size(100, 1) == 16 + 112 &&
                    weir_snappy_destination_size(0, 1) == 0 &&
                    weir_snappy_destination_size(UINT64_C(1) << 40, 1) == 0 &&
                    weir_snappy_data_offset(5) == 32 && weir_snappy_data_offset(0) == 0 &&
                    weir_snappy_data_offset(UINT32_MAX) == 0,
                "rooms");
    weir_snappy *snappy = NULL;
    TEST_MUST(weir_snappy_create(h->context, weir_snappy_params(.size = 1024), &snappy));
    const struct weir_snappy_params params = weir_snappy_get_params(snappy);
    test_expect(params.size == 1024 && params.num_chunks == 1 && params.least_saved == 1, "params");
    struct harness_storage a, b;
    harness_storage_init(h, 4096, &a);
    harness_storage_init(h, 4096, &b);
    const struct weir_snappy_run good = {.source = a.buffer, .destination = b.buffer};
    struct weir_snappy_run wrong = good;
    wrong.source = NULL;
    expect_run_refused(h, snappy, &wrong, WEIR_LOG_CODE_NULL_ARGUMENT);
    wrong = good;
    wrong.destination = NULL;
    expect_run_refused(h, snappy, &wrong, WEIR_LOG_CODE_NULL_ARGUMENT);
    wrong = good;
    wrong.source_offset = 4096 - 1008;
    expect_run_refused(h, snappy, &wrong, WEIR_LOG_CODE_BUFFER_TOO_SMALL);
    wrong = good;
    wrong.destination_offset = 4096 - 1024; // the sizes are missing
    expect_run_refused(h, snappy, &wrong, WEIR_LOG_CODE_BUFFER_TOO_SMALL);
    wrong = good;
    wrong.destination_offset = 8;
    expect_run_refused(h, snappy, &wrong, WEIR_LOG_CODE_BUFFER_TOO_SMALL);
    wrong = good;
    wrong.destination = a.buffer;
    wrong.destination_offset = 1008;
    expect_run_refused(h, snappy, &wrong, WEIR_LOG_CODE_OUT_OF_RANGE);
    harness_storage_finish(h, &b);
    harness_storage_finish(h, &a);
    weir_snappy_destroy(&snappy);
    weir_snappy_destroy(&snappy);
}

int main(void)
{
    struct harness h;
    harness_init(&h, true);
    run_contents(&h);
    run_least_saved(&h);
    run_lengths(&h);
    run_large(&h);
    run_many(&h);
    run_errors(&h);
    return harness_finish(&h);
}
