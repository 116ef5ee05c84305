// SPDX-License-Identifier: MIT
// The ring of sound of weir record: blocks that are read are those that were added, what was added
// too long ago is told, and readers beside the writer see no block of two halves.
#include "capture/weir/record/audio/audio.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/expect.h"
#include "tests/sanitized.h"
#include "tests/seeded.h"

enum { NUM_RUNS = 20, NUM_BLOCKS = 3000, NUM_READERS = 2, MAX_CALL = 6000, MIN_READ = 1000 };

#define EXPECT(is_so, what, number)                                                                \
    test_expect(is_so, "%s, at %llu", what, (unsigned long long)(number))

// The sample at a position is the position, and its time too.
static void add(struct record_ring *ring, uint64_t *position, uint32_t num_samples)
{
    static uint32_t samples[MAX_CALL];
    for (uint32_t i = 0; i < num_samples; i++) {
        samples[i] = (uint32_t)(*position + i);
    }
    record_ring_add(ring, samples, num_samples, record_ring_duration(*position));
    *position += num_samples;
}

static void check_block(const struct record_ring_block *block, uint64_t number)
{
    const uint32_t first = block->samples[0];
    EXPECT(block->num_samples > 0 && block->num_samples <= RECORD_RING_BLOCK_SAMPLES,
           "the size of a block", number);
    EXPECT((uint32_t)record_ring_count(block->time_ns) == first, "the time of a block", number);
    for (uint32_t i = 0; i < block->num_samples; i++) {
        EXPECT(block->samples[i] == first + i, "a sample", number);
    }
}

static void check_all(const struct record_ring *ring, uint64_t num_samples)
{
    static struct record_ring_block block;
    const uint64_t num = atomic_load(&ring->num_blocks);
    uint64_t num_read = 0, next = 0;
    for (uint64_t i = record_ring_oldest(ring); i < num; i++) {
        const enum record_ring_result result = record_ring_read(ring, i, &block);
        EXPECT(result != RECORD_RING_LATER, "a block is there", i);
        if (result == RECORD_RING_READ) {
            check_block(&block, i);
            EXPECT(num_read == 0 || block.samples[0] == next, "blocks follow each other", i);
            next = block.samples[0] + block.num_samples;
            num_read += block.num_samples;
        } else {
            EXPECT(num_read == 0, "only the oldest are gone", i);
        }
    }
    const uint64_t kept = num_samples < RECORD_RING_SAMPLES ? num_samples : RECORD_RING_SAMPLES;
    const bool has_few = num <= RECORD_RING_BLOCKS / 2;
    EXPECT(num_read == 0 || next == num_samples, "the last one", num);
    EXPECT(!has_few || num_read + RECORD_RING_BLOCK_SAMPLES > kept, "what is kept", num_read);
    EXPECT(record_ring_read(ring, num, &block) == RECORD_RING_LATER, "no more", num);
}

static void run_alone(struct record_ring *ring)
{
    *ring = (struct record_ring){.num_blocks = 0};
    uint64_t position = 0;
    const int most = 1 + seeded_below(MAX_CALL);
    for (int i = 0; i < NUM_BLOCKS; i++) {
        add(ring, &position, 1 + (uint32_t)seeded_below(most));
        if (seeded_below(NUM_BLOCKS / 8) == 0) {
            check_all(ring, position);
        }
    }
    check_all(ring, position);
}

// Of small blocks, which are gone before their samples are.
static void check_old(struct record_ring *ring)
{
    static struct record_ring_block block;
    *ring = (struct record_ring){.num_blocks = 0};
    uint64_t position = 0;
    const uint64_t first = 1 + (uint64_t)seeded_below(1000);
    for (uint64_t i = 0; i < RECORD_RING_BLOCKS + first; i++) {
        add(ring, &position, 1);
    }
    EXPECT(record_ring_read(ring, first, &block) == RECORD_RING_READ, "the oldest", first);
    check_block(&block, first);
    EXPECT(record_ring_read(ring, first - 1, &block) == RECORD_RING_GONE, "an older one", first);
    EXPECT(record_ring_next(ring, first - 1, RECORD_RING_GONE) >= first, "the next", first);
}

struct reader {
    pthread_t thread;
    const struct record_ring *ring;
    const atomic_bool *is_over;
    atomic_uint num_read;
};

static void *read_beside(void *user)
{
    struct reader *reader = user;
    static _Thread_local struct record_ring_block block;
    uint64_t number = 0;
    while (!atomic_load(reader->is_over)) {
        const enum record_ring_result result = record_ring_read(reader->ring, number, &block);
        if (result == RECORD_RING_READ) {
            check_block(&block, number);
            atomic_fetch_add(&reader->num_read, 1);
        }
        number = record_ring_next(reader->ring, number, result);
    }
    return NULL;
}

static void run_beside(struct record_ring *ring)
{
    *ring = (struct record_ring){.num_blocks = 0};
    struct reader readers[NUM_READERS];
    atomic_bool is_over = false;
    for (int i = 0; i < NUM_READERS; i++) {
        readers[i] = (struct reader){.ring = ring, .is_over = &is_over};
        test_must(pthread_create(&readers[i].thread, NULL, read_beside, &readers[i]) == 0,
                  "a thread");
    }
    uint64_t position = 0;
    while (atomic_load(&readers[0].num_read) < MIN_READ ||
           atomic_load(&readers[1].num_read) < MIN_READ) {
        add(ring, &position, 1 + (uint32_t)seeded_below(MAX_CALL));
    }
    atomic_store(&is_over, true);
    for (int i = 0; i < NUM_READERS; i++) {
        pthread_join(readers[i].thread, NULL);
    }
}

static void check_times(void)
{
    for (int i = 0; i < 100000; i++) {
        const uint64_t num = seeded_bits() % 10000000000;
        EXPECT(record_ring_count(record_ring_duration(num)) == num, "samples of a time", num);
    }
    EXPECT(record_ring_duration(48000) == 1000000000, "a second", 48000);
}

int main(void)
{
    seeded_start();
    struct record_ring *ring = calloc(1, sizeof(*ring));
    if (!ring) {
        return 1;
    }
    check_times();
    for (int i = 0; i < NUM_RUNS; i += SANITIZED_STRIDE) {
        run_alone(ring);
    }
    check_old(ring);
    run_beside(ring);
    free(ring);
    return test_finish();
}
