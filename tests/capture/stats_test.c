// SPDX-License-Identifier: MIT
// Statistics: two threads count, a third reads, and every snapshot adds up. And the log of drops.
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/stream/stats.h"
#include "testing.h"

#define SECOND UINT64_C(1000000000)
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

static void test_snapshots(void)
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
}

// What the lines of the log say, added up: the first drop at once, then a line a second, the rest
// at the end; and every drop stands in exactly one line.
static char line[512];
static int num_lines;
static uint64_t num_told;

static void print(void *user, const struct weir_log_message *message)
{
    (void)user;
    test_expect(message->severity == WEIR_LOG_WARNING &&
                    message->code == WEIR_LOG_CODE_FRAME_DROPPED,
                "severity %d, code %d", (int)message->severity, (int)message->code);
    snprintf(line, sizeof(line), "%s", message->text);
    num_lines++;
    num_told += strncmp(line, "frame ", 6) == 0 ? 1 : strtoull(line, NULL, 10);
}

static const struct weir_log test_drop_log = {.print = print};

static void reset(struct weir_drop_log *drops)
{
    memset(&stats, 0, sizeof(stats));
    *drops = (struct weir_drop_log){.stats = &stats, .log = &test_drop_log};
    num_lines = 0;
    num_told = 0;
    line[0] = '\0';
}

static void count(struct weir_counts *counts, enum weir_drop_reason reason)
{
    weir_counts_begin(counts);
    weir_counts_add(counts, WEIR_COUNT(received), 1);
    weir_counts_add(counts, WEIR_COUNT(dropped_by_reason) + reason, 1);
    weir_counts_end(counts);
}

static void expect_line(int lines, const char *want)
{
    test_expect(num_lines == lines, "%d lines, want %d", num_lines, lines);
    test_expect(strcmp(line, want) == 0, "it says: %s", line);
}

static void test_lines(void)
{
    struct weir_drop_log drops;
    reset(&drops);
    weir_drop_log_update(&drops, 0, 5 * SECOND);
    expect_line(0, "");
    for (uint64_t i = 0; i < 40; i++) { // 60 frames a second
        count(&stats.render, WEIR_DROP_RING_FULL);
        weir_drop_log_dropped(&drops, 7 + i, i * SECOND / 60, 5 * SECOND + i * SECOND / 60);
    }
    count(&stats.writer, WEIR_DROP_SINK);
    expect_line(1, "frame 7 at 0.000000000 s was dropped: every slot is in use: the disk, the "
                   "compression or the GPU is behind");
    weir_drop_log_update(&drops, SECOND, 6 * SECOND - 1);
    expect_line(1, line);
    weir_drop_log_update(&drops, 1016666667, 6 * SECOND);
    expect_line(2, "40 more dropped by 1.016666667 s, 41 of 41 frames so far: 39, every slot is in "
                   "use: the disk, the compression or the GPU is behind; 1, writing failed");
    weir_drop_log_update(&drops, 9 * SECOND, 15 * SECOND);
    expect_line(2, line);
    count(&stats.render, WEIR_DROP_TIME);
    weir_drop_log_dropped(&drops, 900, 3 * SECOND / 2, 16 * SECOND);
    expect_line(3, "frame 900 at 1.500000000 s was dropped: its time is not after that of the last "
                   "one, or too late after it");
    count(&stats.render, WEIR_DROP_DEVICE);
    weir_drop_log_dropped(&drops, 901, 2 * SECOND, 16 * SECOND + 1);
    expect_line(3, line);
    weir_drop_log_finish(&drops, 2 * SECOND);
    expect_line(4, "1 more dropped by 2.000000000 s, 43 of 43 frames so far: 1, the GPU failed");
    weir_drop_log_finish(&drops, 2 * SECOND);
    expect_line(4, line);
    count(&stats.render, WEIR_DROP_DEVICE);
    weir_drop_log_finish(&drops, 0); // no frame has a time
    expect_line(5, "1 more dropped, 44 of 44 frames so far: 1, the GPU failed");
}

enum { NUM_DROPS = 20000 };
struct thread {
    struct weir_drop_log *drops;
    struct weir_counts *counts;
    enum weir_drop_reason reason;
};

static void *drop_many(void *user)
{
    const struct thread *thread = user;
    for (uint64_t i = 0; i < NUM_DROPS; i++) {
        count(thread->counts, thread->reason);
        weir_drop_log_dropped(thread->drops, i, i, SECOND + i * SECOND / 100);
    }
    return NULL;
}

// Both threads drop: NUM_DROPS drops are 200 s, so at most 201 lines and the last one. There may be
// far fewer: while one thread tells a line, the drops of the other pass whole seconds.
static void test_drops_on_threads(void)
{
    struct weir_drop_log drops;
    reset(&drops);
    struct thread threads[] = {{&drops, &stats.render, WEIR_DROP_RING_FULL},
                               {&drops, &stats.writer, WEIR_DROP_SINK}};
    pthread_t ids[2];
    for (int i = 0; i < 2; i++) {
        test_must(pthread_create(&ids[i], NULL, drop_many, &threads[i]) == 0, "a thread");
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(ids[i], NULL);
    }
    weir_drop_log_finish(&drops, NUM_DROPS);
    test_expect(num_told == 2 * NUM_DROPS, "%" PRIu64 " told", num_told);
    test_expect(num_lines <= 202, "%d lines", num_lines);
}

int main(void)
{
    test_snapshots();
    test_lines();
    test_drops_on_threads();
    return test_finish();
}
