// SPDX-License-Identifier: MIT
// Movies of blocks in memory that is shared: frames allocate nothing, and what somebody else writes
// to a frame that is being packed changes no more than its picture.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <snappy-c.h>
#include <weir/blocks.h>

#include "testing.h"
#include "tests/allocations.h"
#include "tests/sanitized.h"

enum { WIDTH = 256, HEIGHT = 128, NUM_SLOTS = 3, NUM_FRAMES = 1000 / SANITIZED_STRIDE };

// Memory that is mapped twice, as it is into two processes.
static struct {
    struct weir_blocks_layout layout;
    uint8_t *ours, *theirs;
    size_t size;
    atomic_bool is_taken[NUM_SLOTS];
    atomic_bool is_over;
    int num_packets, num_packed;
} shared;

static bool map_twice(void)
{
    char path[256];
    snprintf(path, sizeof(path), "%s", test_path("shared"));
    FILE *file = fopen(path, "w+");
    if (!file || ftruncate(fileno(file), (off_t)shared.size) != 0) {
        return false;
    }
    const int access = PROT_READ | PROT_WRITE;
    shared.ours = mmap(NULL, shared.size, access, MAP_SHARED, fileno(file), 0);
    shared.theirs = mmap(NULL, shared.size, access, MAP_SHARED, fileno(file), 0);
    fclose(file);
    return shared.ours != MAP_FAILED && shared.theirs != MAP_FAILED;
}

static void release(void *user, void *owner)
{
    (void)user;
    atomic_store(&shared.is_taken[(size_t)((uint8_t *)owner - shared.ours) / shared.layout.size],
                 false);
}

// A packet that Snappy made, outside of the memory, holds as many blocks as it should.
static enum weir_result accept_packet(void *user, const struct weir_capture_packet *packet)
{
    (void)user;
    shared.num_packets++;
    test_expect(packet->size <= shared.layout.size, "packet of %zu bytes", packet->size);
    const uintptr_t at = (uintptr_t)packet->data, begin = (uintptr_t)shared.ours;
    if (at >= begin && at < begin + shared.size) {
        return WEIR_OK; // stored
    }
    const uint8_t *head = packet->data;
    const size_t section = head[0] | head[1] << 8 | head[2] << 16;
    size_t size = 0;
    const char *data = (const char *)head + 4;
    test_expect(section + 4 == packet->size && head[3] == 0xbf, "its section");
    test_expect(snappy_validate_compressed_buffer(data, section) == SNAPPY_OK &&
                    snappy_uncompressed_length(data, section, &size) == SNAPPY_OK &&
                    size == shared.layout.sizes[0],
                "%zu bytes of blocks", size);
    shared.num_packed++;
    return WEIR_OK;
}

static uint32_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

// Somebody who writes wherever frames are.
static void *scribble(void *user)
{
    uint64_t state = *(uint64_t *)user;
    while (!atomic_load_explicit(&shared.is_over, memory_order_relaxed)) {
        const size_t at = next(&state) % (shared.size / 16) * 16;
        const uint32_t value = next(&state) % 4;
        memcpy(shared.theirs + at + value * 4, &value, sizeof(value));
    }
    return NULL;
}

static void wait_for_slot(int slot)
{
    while (atomic_load(&shared.is_taken[slot])) {
        nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
    }
}

static void hand_over(weir_capture *capture, int i)
{
    const int slot = i % NUM_SLOTS;
    wait_for_slot(slot);
    uint8_t *data = shared.ours + (size_t)slot * shared.layout.size;
    const struct weir_blocks blocks = {
        .width = WIDTH, .height = HEIGHT, .data = data, .time_ns = i, .owner = data};
    atomic_store(&shared.is_taken[slot], true);
    test_expect(weir_capture_blocks(capture, &blocks) == WEIR_OK, "frame %d", i);
}

static void capture_frames(bool is_disturbed)
{
    const struct weir_capture_params params = {
        .codec = WEIR_MOVIE_CODEC_HAP_Q,
        .sink = WEIR_SINK_CALLBACK,
        .callbacks = {.packet = accept_packet},
        .rate = {.compression = WEIR_COMPRESSION_SNAPPY},
        .policy = WEIR_POLICY_WAIT,
        .num_slots = NUM_SLOTS,
    };
    const struct weir_blocks_params blocks = {
        .width = WIDTH, .height = HEIGHT, .release = release, .log = test_log};
    weir_capture *capture = NULL;
    pthread_t thread;
    uint64_t state = test_random();
    shared.num_packets = shared.num_packed = 0;
    atomic_store(&shared.is_over, false);
    memset(shared.ours, 0x5a, shared.size);
    if (!TEST_OK(weir_capture_open_blocks(&blocks, &params, &capture))) {
        return;
    }
    hand_over(capture, 0);
    wait_for_slot(0);
    const int before = atomic_load(&num_allocations);
    test_must(!is_disturbed || pthread_create(&thread, NULL, scribble, &state) == 0, "a thread");
    for (int i = 1; i < NUM_FRAMES; i++) {
        hand_over(capture, i);
    }
    if (is_disturbed) {
        atomic_store(&shared.is_over, true);
        pthread_join(thread, NULL);
    } else {
        test_expect(atomic_load(&num_allocations) == before, "%d allocations",
                    atomic_load(&num_allocations) - before);
    }
    struct weir_capture_stats stats;
    test_expect(weir_capture_close(&capture, &stats) == WEIR_OK && stats.written == NUM_FRAMES,
                "close");
    test_expect(shared.num_packets == NUM_FRAMES && shared.num_packed > 0,
                "%d packets, %d by Snappy", shared.num_packets, shared.num_packed);
}

int main(void)
{
    shared.layout = weir_blocks_get_layout(WEIR_MOVIE_CODEC_HAP_Q, WIDTH, HEIGHT);
    shared.size = NUM_SLOTS * shared.layout.size;
    if (test_expect(map_twice(), "shared memory")) {
        capture_frames(false);
        capture_frames(true);
        munmap(shared.ours, shared.size);
        munmap(shared.theirs, shared.size);
    }
    return test_finish();
}
