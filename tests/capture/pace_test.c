// SPDX-License-Identifier: MIT
// The most frames a second: which frames of a renderer are recorded. Evenly spaced, no drift, none too many.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/stream/clock/times.h"
#include "testing.h"

#define SECOND INT64_C(1000000000)

static struct weir_pauses none;

static struct weir_times start(uint32_t num, uint32_t den)
{
    struct weir_times times;
    weir_times_init(&times, &(struct weir_times_params){.rate_num = 60,
                                                        .rate_den = 1,
                                                        .max_rate_num = num,
                                                        .max_rate_den = den,
                                                        .pauses = &none});
    return times;
}

static bool is_recorded(struct weir_times *times, int64_t time_ns)
{
    return weir_times_place(times, time_ns).verdict == WEIR_TIMES_RECORD;
}

// `num` / `den` frames a second of a renderer with `source_num` / `source_den`, for `seconds`.
struct run {
    uint32_t source_num, source_den, num, den, seconds;
    uint64_t want;   // frames taken
    int least, most; // frames from one taken to the next
};

static void test_rate(const struct run *run)
{
    struct weir_times times = start(run->num, run->den);
    const int64_t begin = -12345678901234;
    const uint64_t num_frames = (uint64_t)run->seconds * run->source_num / run->source_den;
    uint64_t taken = 0, last = 0, taken_by_half = 0;
    for (uint64_t i = 0; i < num_frames; i++) {
        const int64_t time = begin + (int64_t)(i * SECOND * run->source_den / run->source_num);
        if (!is_recorded(&times, time)) {
            continue;
        }
        const int step = (int)(i - last);
        test_expect(taken == 0 || (step >= run->least && step <= run->most),
                    "%u/%u of %u/%u: frame %" PRIu64 " after %d", run->num, run->den,
                    run->source_num, run->source_den, i, step);
        taken++;
        last = i;
        taken_by_half += 2 * i < num_frames;
    }
    test_expect(taken == run->want, "%u/%u of %u/%u: %" PRIu64 " taken, want %" PRIu64, run->num,
                run->den, run->source_num, run->source_den, taken, run->want);
    const int64_t off = (int64_t)(2 * taken_by_half) - (int64_t)taken;
    test_expect(off >= -2 && off <= 2, "%u of %u: %" PRIu64 " in the first half", run->num,
                run->source_num, taken_by_half);
}

// A renderer at the pace whose frames jitter by up to a quarter of an interval is taken whole.
static void test_jitter(void)
{
    const uint32_t rates[] = {24, 60, 120, 144};
    for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
        struct weir_times times = start(rates[r], 1);
        const int64_t interval = SECOND / rates[r];
        for (int64_t i = 0; i < 5000; i++) {
            const int64_t jitter = (int64_t)(test_random() % (uint64_t)(interval / 4));
            test_expect(is_recorded(&times, i * SECOND / rates[r] + jitter),
                        "frame %" PRId64 " of %u a second, %" PRId64 " ns late", i, rates[r],
                        jitter);
        }
    }
}

// Of a renderer with twice the pace every second frame is taken, though they jitter.
static void test_jitter_of_twice(void)
{
    struct weir_times times = start(60, 1);
    for (int64_t i = 0; i < 5000; i++) {
        const int64_t jitter = (int64_t)(test_random() % 2000000) - 1000000;
        test_expect(is_recorded(&times, i * SECOND / 120 + jitter) == (i % 2 == 0),
                    "frame %" PRId64 ", %" PRId64 " ns late", i, jitter);
    }
}

// Any renderer, any pace: never more than the pace in any window, and no gap where frames are.
static void test_random_times(void)
{
    enum { NUM_TAKEN = 2000 };
    static int64_t taken[NUM_TAKEN];
    for (int round = 0; round < 50; round++) {
        const uint32_t num = 1 + (uint32_t)(test_random() % 240000);
        const uint32_t den = num > 1000 ? 1001 : 1;
        const int64_t interval = (int64_t)den * SECOND / num;
        struct weir_times times = start(num, den);
        const uint64_t longest = (uint64_t)interval / (1 + test_random() % 8);
        int64_t time = -(int64_t)(test_random() % SECOND);
        int n = 0;
        for (int i = 0; n < NUM_TAKEN; i++) {
            if (i > 0) {
                time += 1 + (int64_t)(test_random() % longest);
            }
            if (is_recorded(&times, time)) {
                taken[n++] = time;
            } else {
                test_expect(time - taken[n - 1] <= interval + interval / 2,
                            "a frame is skipped %" PRId64 " ns after the last, of %" PRId64,
                            time - taken[n - 1], interval);
            }
            test_expect(i > 0 || n == 1, "the first frame is taken");
        }
        for (int i = 0; i < NUM_TAKEN; i++) {
            const int j = i + (int)(test_random() % (uint64_t)(NUM_TAKEN - i));
            const double frames = (double)(taken[j] - taken[i]) * num / den / SECOND;
            test_expect(j - i <= frames + 1.001, "%d frames in the time of %.3f", j - i, frames);
        }
    }
}

static void test_edges(void)
{
    struct weir_times times = start(0, 0);
    test_expect(is_recorded(&times, 5) && is_recorded(&times, 6), "no pace takes all");
    times = start(10, 1);
    test_expect(is_recorded(&times, INT64_MIN) && !is_recorded(&times, INT64_MIN + 1),
                "the earliest times");
    test_expect(is_recorded(&times, 0), "after centuries");
    test_expect(!is_recorded(&times, SECOND / 100), "early");
    test_expect(is_recorded(&times, SECOND / 10), "when it is due");
    test_expect(is_recorded(&times, 30 * SECOND), "after a pause");
    test_expect(!is_recorded(&times, 30 * SECOND + SECOND / 30), "no burst after it");
    test_expect(is_recorded(&times, INT64_MAX), "the latest time");
}

int main(void)
{
    static const struct run runs[] = {
        {144, 1, 60, 1, 3600, 216000, 2, 3},
        {300, 1, 60, 1, 100, 6000, 5, 5},
        {120, 1, 60, 1, 100, 6000, 2, 2},
        {90, 1, 60, 1, 100, 6000, 1, 2},
        {75, 1, 60, 1, 100, 6000, 1, 2},
        {61, 1, 60, 1, 100, 6000, 1, 2},
        {60, 1, 60, 1, 3600, 216000, 1, 1},
        {60000, 1001, 60, 1, 1001, 60000, 1, 1},
        {30, 1, 60, 1, 100, 3000, 1, 1},
        {144, 1, 60000, 1001, 1001, 60000, 2, 3},
        {240, 1, 24000, 1001, 1001, 24000, 10, 11},
        {1000, 1, 25, 1, 100, 2500, 40, 40},
    };
    test_expect(weir_pauses_init(&none), "memory");
    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        test_rate(&runs[i]);
    }
    test_jitter();
    test_jitter_of_twice();
    test_random_times();
    test_edges();
    weir_pauses_finish(&none);
    return test_finish();
}
