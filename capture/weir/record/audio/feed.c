// SPDX-License-Identifier: MIT
// A feed: hands the audio of a take to its capture, on a thread of its own.
#include "capture/weir/record/audio/audio.h"

#include <stdlib.h>
#include <time.h>

#include "capture/base/clock.h"
#include "capture/base/thread.h"

static const struct timespec pace = {.tv_nsec = 20000000};
static const int64_t patience_ns = 500000000; // until audio that has not come is silence
static const int64_t seam_ns = 40000000;      // gaps that captures close by themselves

const struct weir_audio_track record_feed_track = {
    .sample_rate = RECORD_RING_RATE, .num_channels = 2, .format = WEIR_SAMPLE_S16};

struct record_feed {
    const struct record_ring *ring;
    weir_capture *capture;
    pthread_t thread;
    atomic_bool is_over;
    _Atomic int64_t until_ns; // nothing is handed over of this time and later ones
    uint64_t next;            // block
    int64_t done_ns;          // the end of what was handed over
    bool has_begun;           // something was
    bool has_failed;          // the capture accepts no more, which it has reported
    struct record_ring_block block;
};

static void hand_over(struct record_feed *feed, const uint32_t *samples, uint64_t num_samples,
                      int64_t time_ns)
{
    if (num_samples > 0 && !feed->has_failed) {
        feed->has_failed = weir_capture_audio(feed->capture, 0, samples, (uint32_t)num_samples,
                                              time_ns) < WEIR_OK;
        feed->done_ns = time_ns + record_ring_duration(num_samples);
        feed->has_begun = true;
    }
}

// To the sample, so that what follows is where its time says.
static void add_silence(struct record_feed *feed, int64_t until_ns)
{
    static const uint32_t silence[RECORD_RING_BLOCK_SAMPLES];
    const bool is_gap = until_ns - feed->done_ns > seam_ns;
    while (is_gap && until_ns > feed->done_ns && !feed->has_failed) {
        const uint64_t left = record_ring_count(until_ns - feed->done_ns);
        hand_over(feed, silence,
                  left < RECORD_RING_BLOCK_SAMPLES ? left : RECORD_RING_BLOCK_SAMPLES,
                  feed->done_ns);
    }
}

// Hand over the block, without what comes before the first frame or behind the end.
static void take_block(struct record_feed *feed)
{
    const struct record_ring_block *block = &feed->block;
    uint64_t first = 0, end = block->num_samples;
    if (!feed->has_begun && feed->done_ns > block->time_ns) {
        first = record_ring_count(feed->done_ns - block->time_ns);
    }
    const int64_t until_ns = atomic_load(&feed->until_ns);
    if (until_ns <= block->time_ns) {
        return;
    }
    const uint64_t most = record_ring_count(until_ns - block->time_ns);
    end = most < end ? most : end;
    if (first < end) {
        const int64_t time_ns = block->time_ns + record_ring_duration(first);
        add_silence(feed, time_ns);
        hand_over(feed, block->samples + first, end - first, time_ns);
    }
}

static void take_all(struct record_feed *feed)
{
    enum record_ring_result result;
    while ((result = record_ring_read(feed->ring, feed->next, &feed->block)) != RECORD_RING_LATER) {
        feed->next = record_ring_next(feed->ring, feed->next, result);
        if (result == RECORD_RING_READ) {
            take_block(feed);
        }
    }
}

static void *run(void *user)
{
    struct record_feed *feed = user;
    while (!atomic_load(&feed->is_over)) {
        take_all(feed);
        const int64_t late_ns = (int64_t)weir_clock_ns() - patience_ns;
        const int64_t until_ns = atomic_load(&feed->until_ns);
        add_silence(feed, late_ns < until_ns ? late_ns : until_ns);
        nanosleep(&pace, NULL);
    }
    take_all(feed);
    add_silence(feed, atomic_load(&feed->until_ns));
    return NULL;
}

struct record_feed *record_feed_start(const struct record_ring *ring, weir_capture *capture,
                                      int64_t start_ns)
{
    struct record_feed *feed = calloc(1, sizeof(*feed));
    if (!feed) {
        return NULL;
    }
    feed->ring = ring;
    feed->capture = capture;
    atomic_init(&feed->until_ns, INT64_MAX);
    feed->next = record_ring_oldest(ring);
    feed->done_ns = start_ns;
    if (!weir_thread_start(&feed->thread, "weir-sound", run, feed)) {
        free(feed);
        return NULL;
    }
    return feed;
}

void record_feed_limit(struct record_feed *feed, int64_t until_ns)
{
    if (feed) {
        atomic_store(&feed->until_ns, until_ns);
    }
}

void record_feed_end(struct record_feed *feed, int64_t end_ns)
{
    if (feed) {
        record_feed_limit(feed, end_ns);
        atomic_store(&feed->is_over, true);
        pthread_join(feed->thread, NULL);
        free(feed);
    }
}
