// SPDX-License-Identifier: MIT
// The last seconds of audio. One thread adds to them, any number of others read, and none waits.
#include "capture/weir/record/audio/audio.h"

#include <string.h>

#define NS_PER_SECOND INT64_C(1000000000)

int64_t record_ring_duration(uint64_t num_samples)
{
    return (int64_t)(num_samples / RECORD_RING_RATE) * NS_PER_SECOND +
           (int64_t)(num_samples % RECORD_RING_RATE) * NS_PER_SECOND / RECORD_RING_RATE;
}

uint64_t record_ring_count(int64_t duration_ns)
{
    const int64_t rest_ns = duration_ns % NS_PER_SECOND;
    return (uint64_t)(duration_ns / NS_PER_SECOND * RECORD_RING_RATE +
                      (rest_ns * RECORD_RING_RATE + NS_PER_SECOND - 1) / NS_PER_SECOND);
}

static void add_block(struct record_ring *ring, const uint8_t *samples, uint32_t num_samples,
                      int64_t time_ns)
{
    const uint64_t number = atomic_load(&ring->num_blocks);
    const uint64_t position = atomic_load(&ring->begun_samples);
    struct record_ring_head *head = &ring->heads[number % RECORD_RING_BLOCKS];
    atomic_store(&ring->begun_blocks, number + 1);
    atomic_store(&ring->begun_samples, position + num_samples);
    atomic_store(&head->time_ns, time_ns);
    atomic_store(&head->position, position);
    atomic_store(&head->num_samples, num_samples);
    for (uint32_t i = 0; i < num_samples; i++) {
        uint32_t sample;
        memcpy(&sample, samples + i * sizeof(sample), sizeof(sample));
        // Release and acquire: who reads the new sample sees that it was begun.
        atomic_store_explicit(&ring->samples[(position + i) % RECORD_RING_SAMPLES], sample,
                              memory_order_release);
    }
    atomic_store(&ring->num_blocks, number + 1);
}

void record_ring_add(struct record_ring *ring, const void *samples, uint32_t num_samples,
                     int64_t time_ns)
{
    const uint8_t *bytes = samples;
    for (uint32_t done = 0; done < num_samples;) {
        const uint32_t left = num_samples - done;
        const uint32_t num = left < RECORD_RING_BLOCK_SAMPLES ? left : RECORD_RING_BLOCK_SAMPLES;
        add_block(ring, bytes + (size_t)done * sizeof(uint32_t), num,
                  time_ns + record_ring_duration(done));
        done += num;
    }
}

enum record_ring_result record_ring_read(const struct record_ring *ring, uint64_t number,
                                         struct record_ring_block *block)
{
    if (number >= atomic_load(&ring->num_blocks)) {
        return RECORD_RING_LATER;
    }
    const struct record_ring_head *head = &ring->heads[number % RECORD_RING_BLOCKS];
    const uint64_t position = atomic_load(&head->position);
    block->time_ns = atomic_load(&head->time_ns);
    block->num_samples = atomic_load(&head->num_samples);
    for (uint32_t i = 0; i < block->num_samples; i++) {
        block->samples[i] = atomic_load_explicit(
            &ring->samples[(position + i) % RECORD_RING_SAMPLES], memory_order_acquire);
    }
    const bool is_there = atomic_load(&ring->begun_blocks) - number <= RECORD_RING_BLOCKS &&
                          atomic_load(&ring->begun_samples) - position <= RECORD_RING_SAMPLES;
    return is_there ? RECORD_RING_READ : RECORD_RING_GONE;
}

uint64_t record_ring_oldest(const struct record_ring *ring)
{
    const uint64_t num = atomic_load(&ring->num_blocks), likely = RECORD_RING_BLOCKS / 2;
    return num > likely ? num - likely : 0;
}

uint64_t record_ring_next(const struct record_ring *ring, uint64_t number,
                          enum record_ring_result result)
{
    const uint64_t oldest = result == RECORD_RING_GONE ? record_ring_oldest(ring) : 0;
    const uint64_t next = number + (result != RECORD_RING_LATER);
    return next > oldest ? next : oldest;
}
