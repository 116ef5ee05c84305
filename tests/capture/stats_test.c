// SPDX-License-Identifier: MIT
// Statistics: two threads count, a third reads, and every snapshot adds up.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "capture/stream/stats.h"
#include "testing.h"

#define NUM_FRAMES 300000

static struct weir_stats stats;
static _Atomic uint64_t num_handed_over;
static _Atomic uint64_t num_snapshots;
static atomic_bool is_done;

static void *render(void *user)
{
    (void)user;
    for (uint64_t i = 0; i < NUM_FRAMES; i++) {
        const bool is_dropped = i % 4 == 3;
        // On a busy machine the reader may get its turn late: a part of the counting waits for it.
        while (i == NUM_FRAMES / 2 && atomic_load(&num_snapshots) == 0) {
            sched_yield();
        }
        weir_counts_begin(&stats.render);
        weir_counts_add(&stats.render, WEIR_COUNT(received), 1);
        if (is_dropped) {
            weir_counts_add(&stats.render, WEIR_COUNT(dropped_by_reason) + WEIR_DROP_RING_FULL, 1);
        }
        weir_counts_end(&stats.render);
        if (!is_dropped) {
            atomic_fetch_add(&num_handed_over, 1);
        }
        weir_counts_begin(&stats.render);
        weir_counts_add(&stats.render, WEIR_COUNT(host_ns), 10);
        weir_counts_raise(&stats.render, WEIR_COUNT(host_max_ns), i);
        weir_counts_end(&stats.render);
    }
    atomic_store(&is_done, true);
    return NULL;
}

static void *write_frames(void *user)
{
    (void)user;
    for (uint64_t i = 0; !atomic_load(&is_done) || i < atomic_load(&num_handed_over);) {
        if (i >= atomic_load(&num_handed_over)) {
            continue;
        }
        const bool is_dropped = i++ % 7 == 6;
        weir_counts_begin(&stats.writer);
        if (is_dropped) {
            weir_counts_add(&stats.writer, WEIR_COUNT(dropped_by_reason) + WEIR_DROP_SINK, 1);
        } else {
            weir_counts_add(&stats.writer, WEIR_COUNT(written), 1);
            weir_counts_add(&stats.writer, WEIR_COUNT(bytes), 1000);
            weir_counts_add(&stats.writer, WEIR_COUNT(gpu_ns), 7);
        }
        weir_counts_end(&stats.writer);
    }
    return NULL;
}

static void check(const struct weir_capture_stats *now)
{
    uint64_t dropped = 0;
    for (int i = 0; i < WEIR_MAX_DROP_REASONS; i++) {
        dropped += now->dropped_by_reason[i];
    }
    test_expect(now->dropped == dropped, "dropped is the sum of its reasons");
    test_expect(now->received == now->written + now->dropped + now->in_flight,
                "received = written + dropped + in flight");
    test_expect(now->in_flight <= now->received, "in flight is not negative");
    test_expect(now->bytes == 1000 * now->written && now->gpu_ns == 7 * now->written,
                "bytes and GPU time belong to the written frames: %llu, %llu, %llu",
                (unsigned long long)now->bytes, (unsigned long long)now->gpu_ns,
                (unsigned long long)now->written);
    // The time of the last frame may still be missing.
    test_expect(now->host_ns == 10 * now->received || now->host_ns + 10 == 10 * now->received,
                "host time belongs to the frames received");
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, render, NULL);
    pthread_create(&threads[1], NULL, write_frames, NULL);
    struct weir_capture_stats now;
    while (!atomic_load(&is_done)) {
        now = weir_stats_snapshot(&stats);
        check(&now);
        atomic_fetch_add(&num_snapshots, 1);
    }
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    now = weir_stats_snapshot(&stats);
    check(&now);
    test_expect(now.received == NUM_FRAMES && now.in_flight == 0 &&
                    now.host_max_ns == NUM_FRAMES - 1,
                "the final count");
    test_expect(num_snapshots > 0, "snapshots were taken");
    printf("%llu snapshots\n", (unsigned long long)num_snapshots);
    return test_finish();
}
