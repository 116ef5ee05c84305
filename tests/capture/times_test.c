// SPDX-License-Identifier: MIT
// The times of frames: which follow, which are recorded, and where they are in a movie with pauses;
// and the time base: nominal rates are exact, nanoseconds are rounded to the nearest tick, nothing
// overflows.
#include <inttypes.h>
#include <stdint.h>

#include "capture/base/clock.h"
#include "capture/stream/clock/clock.h"
#include "testing.h"
#include <stdio.h>
#include <stdlib.h>

#define SECOND INT64_C(1000000000)

static struct weir_pauses none; // no pauses

static struct weir_times start(const struct weir_pauses *pauses, struct weir_times_params params)
{
    struct weir_times times;
    params.rate_num = params.rate_num > 0 ? params.rate_num : 60;
    params.rate_den = 1;
    params.pauses = pauses;
    weir_times_init(&times, &params);
    return times;
}

static struct weir_times_place expect(struct weir_times *times, int64_t time_ns,
                                      enum weir_times_verdict want)
{
    const struct weir_times_place place = weir_times_place(times, time_ns);
    test_expect(place.verdict == want, "%" PRId64 ": verdict %d, want %d", time_ns,
                (int)place.verdict, (int)want);
    return place;
}

static void record(struct weir_times *times, int64_t time_ns, uint64_t want_ns)
{
    const struct weir_times_place place = expect(times, time_ns, WEIR_TIMES_RECORD);
    weir_times_record(times, &place);
    test_expect(place.movie_ns == want_ns, "%" PRId64 " is recorded at %" PRIu64, time_ns,
                place.movie_ns);
}

static void test_order(void)
{
    struct weir_times times = start(&none, (struct weir_times_params){.rate_num = 60});
    expect(&times, INT64_MIN, WEIR_TIMES_RECORD); // no first frame yet: there is no gap
    expect(&times, INT64_MIN, WEIR_TIMES_BACK);
    record(&times, 0, 0);
    const int64_t most = (int64_t)weir_ticks_max_gap_ns(times.ticks_per_second);
    expect(&times, most, WEIR_TIMES_RECORD);
    expect(&times, most + 1, WEIR_TIMES_GAP);
    expect(&times, most, WEIR_TIMES_BACK); // what is dropped counts
    expect(&times, INT64_MAX, WEIR_TIMES_GAP);
}

static void test_gaps(void)
{
    struct weir_times segments = start(&none, (struct weir_times_params){.has_segments = true});
    record(&segments, 0, 0);
    expect(&segments, INT64_MAX / 2, WEIR_TIMES_RECORD);
    expect(&segments, INT64_MAX / 2 + 1, WEIR_TIMES_GAP);
    struct weir_times constant = start(&none, (struct weir_times_params){.constant_rate = true});
    record(&constant, 0, 0);
    expect(&constant, 60 * SECOND, WEIR_TIMES_RECORD);
    expect(&constant, 60 * SECOND + 1, WEIR_TIMES_GAP);
}

// 10 frames a second of 60, or on the points of a constant rate of 10.
static void test_recorded(void)
{
    const struct weir_times_params rates[] = {
        {.max_rate_num = 10, .max_rate_den = 1},
        {.rate_num = 10, .constant_rate = true},
        {.rate_num = 20, .constant_rate = true, .max_rate_num = 10, .max_rate_den = 1},
    };
    for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
        struct weir_times times = start(&none, rates[r]);
        int num_recorded = 0;
        for (int64_t i = 0; i < 600; i++) {
            const struct weir_times_place place = weir_times_place(&times,
                                                                   -SECOND + i * SECOND / 60);
            test_expect(place.verdict == WEIR_TIMES_RECORD || place.verdict == WEIR_TIMES_SKIP,
                        "frame %" PRId64 " follows", i);
            if (place.verdict == WEIR_TIMES_RECORD) {
                test_expect(weir_times_record(&times, &place) == (num_recorded == 0), "the first");
                num_recorded++;
            }
        }
        test_expect(num_recorded >= 100 && num_recorded <= 101, "rates %zu: %d recorded", r,
                    num_recorded);
    }
}

// A copy that is put back undoes a place: a frame that was refused may come again.
static void test_copy(void)
{
    struct weir_times times = start(
        &none, (struct weir_times_params){.max_rate_num = 30, .max_rate_den = 1});
    for (int64_t i = 0; i < 100; i++) {
        const struct weir_times before = times;
        const int64_t time_ns = i * SECOND / 60;
        const enum weir_times_verdict verdict = weir_times_place(&times, time_ns).verdict;
        times = before;
        expect(&times, time_ns, verdict);
    }
}

static void test_pauses(void)
{
    struct weir_pauses pauses;
    test_expect(weir_pauses_init(&pauses), "memory");
    struct weir_times times = start(&pauses, (struct weir_times_params){.rate_num = 60});
    record(&times, SECOND, 0);
    weir_pauses_begin(&pauses, 3 * SECOND);
    weir_pauses_end(&pauses, 10 * SECOND);
    const struct weir_times before = times;
    expect(&times, 3 * SECOND, WEIR_TIMES_SKIP);
    expect(&times, 10 * SECOND - 1, WEIR_TIMES_SKIP);
    expect(&times, 10 * SECOND, WEIR_TIMES_RECORD);
    static const struct {
        int64_t time_ns, since_ns;
    } places[] = TEST_LIST({0, -SECOND}, {SECOND, 0}, {2 * SECOND, SECOND},
                           {3 * SECOND, 2 * SECOND}, {9 * SECOND, 2 * SECOND},
                           {11 * SECOND, 3 * SECOND});
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        times = before;
        const int64_t want = places[i].since_ns;
        const struct weir_times_place place = weir_times_place(&times, places[i].time_ns);
        test_expect(place.since_ns == want && place.movie_ns == (want > 0 ? (uint64_t)want : 0),
                    "at %" PRId64 ": %" PRId64 " and %" PRIu64, places[i].time_ns, place.since_ns,
                    place.movie_ns);
    }
    times = before;
    record(&times, 11 * SECOND, 3 * (uint64_t)SECOND);
    weir_pauses_finish(&pauses);
}

static struct weir_times start_at_most(uint32_t num, uint32_t den)
{
    return start(&none, (struct weir_times_params){.max_rate_num = num, .max_rate_den = den});
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

static void test_max_rate(const struct run *run)
{
    struct weir_times times = start_at_most(run->num, run->den);
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
        struct weir_times times = start_at_most(rates[r], 1);
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
    struct weir_times times = start_at_most(60, 1);
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
        struct weir_times times = start_at_most(num, den);
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

static void test_edges_of_rate(void)
{
    struct weir_times times = start_at_most(0, 0);
    test_expect(is_recorded(&times, 5) && is_recorded(&times, 6), "no pace takes all");
    times = start_at_most(10, 1);
    test_expect(is_recorded(&times, INT64_MIN) && !is_recorded(&times, INT64_MIN + 1),
                "the earliest times");
    test_expect(is_recorded(&times, 0), "after centuries");
    test_expect(!is_recorded(&times, SECOND / 100), "early");
    test_expect(is_recorded(&times, SECOND / 10), "when it is due");
    test_expect(is_recorded(&times, 30 * SECOND), "after a pause");
    test_expect(!is_recorded(&times, 30 * SECOND + SECOND / 30), "no burst after it");
    test_expect(is_recorded(&times, INT64_MAX), "the latest time");
}

// Rates of renderers and of movies.
static void test_max_rates(void)
{
    static const struct run runs[] = TEST_LIST(
        {144, 1, 60, 1, 3600, 216000, 2, 3}, {300, 1, 60, 1, 100, 6000, 5, 5},
        {120, 1, 60, 1, 100, 6000, 2, 2}, {90, 1, 60, 1, 100, 6000, 1, 2},
        {75, 1, 60, 1, 100, 6000, 1, 2}, {61, 1, 60, 1, 100, 6000, 1, 2},
        {60, 1, 60, 1, 3600, 216000, 1, 1}, {60000, 1001, 60, 1, 1001, 60000, 1, 1},
        {30, 1, 60, 1, 100, 3000, 1, 1}, {144, 1, 60000, 1001, 1001, 60000, 2, 3},
        {240, 1, 24000, 1001, 1001, 24000, 10, 11}, {1000, 1, 25, 1, 100, 2500, 40, 40});
    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        test_max_rate(&runs[i]);
    }
}

static void test_tick_rates(void)
{
    static const struct {
        uint32_t num, den, per_second, per_frame;
    } cases[] = TEST_LIST(
        {60, 1, 90000, 1500}, {30, 1, 90000, 3000}, {25, 1, 90000, 3600}, {24, 1, 90000, 3750},
        {60000, 1001, 60000, 1001}, {30000, 1001, 90000, 3003}, {24000, 1001, 90000, 0},
        {120, 1, 90000, 750}, {144, 1, 90000, 625}, {165, 1, 60060, 364}, {240, 1, 90000, 375},
        {1, 1, 90000, 90000}, {1, 10, 90000, 900000}, {120000, 1001, 120000, 1001},
        {90000, 1, 90000, 1}, {1000000, 1, 1000000, 1}, {2147483647, 1, 90000, 1},
        {1, 2147483647, 90000, 2147483647}, {2147483647, 2147483647, 90000, 90000});
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const uint32_t per_second = weir_ticks_per_second(cases[i].num, cases[i].den);
        const uint32_t per_frame = weir_ticks_per_frame(cases[i].num, cases[i].den, per_second);
        if (cases[i].per_frame == 0) {
            // Whatever the base: it must be exact.
            test_expect((uint64_t)per_second * cases[i].den == (uint64_t)per_frame * cases[i].num,
                        "%u/%u: %u ticks of 1/%u", cases[i].num, cases[i].den, per_frame,
                        per_second);
            continue;
        }
        test_expect(per_second == cases[i].per_second && per_frame == cases[i].per_frame,
                    "%u/%u: %u ticks of 1/%u", cases[i].num, cases[i].den, per_frame, per_second);
    }
}

static void test_rounding(void)
{
    test_expect(weir_ticks_from_ns(0, 90000) == 0, "zero");
    test_expect(weir_ticks_from_ns(5555, 90000) == 0 && weir_ticks_from_ns(5556, 90000) == 1,
                "half a tick is 5555.6 ns");
    test_expect(weir_ticks_from_ns(16666667, 90000) == 1500, "a frame of 60 Hz");
    test_expect(weir_ticks_from_ns(UINT64_MAX, 1000000) == 18446744073709552u, "584 years");
    for (int i = 0; i < 100000; i++) {
        const uint64_t ns = test_random() >> (test_random() % 40 + 12);
        const uint64_t ticks = weir_ticks_from_ns(ns, 90000);
        const long double back = (long double)ticks * 1e9L / 90000;
        test_expect(back - (long double)ns <= 5556 && (long double)ns - back <= 5556,
                    "%llu ns are %llu ticks", (unsigned long long)ns, (unsigned long long)ticks);
    }
}

static void test_longest_gap(void)
{
    const uint32_t bases[] = {60000, 90000, 1000000};
    for (int i = 0; i < 3; i++) {
        const uint64_t gap = weir_ticks_max_gap_ns(bases[i]);
        for (int j = 0; j < 1000; j++) {
            const uint64_t from = test_random() >> 8;
            test_expect(weir_ticks_from_ns(from + gap, bases[i]) -
                                weir_ticks_from_ns(from, bases[i]) <=
                            INT32_MAX,
                        "a gap at the limit fits 31 bits");
        }
        test_expect(gap / 1000000000u >= INT32_MAX / bases[i] - 1, "the limit is no lower");
    }
}

int main(void)
{
    const uint64_t first = weir_clock_ns();
    test_expect(weir_clock_ns() >= first, "the clock does not go back");
    test_tick_rates();
    test_rounding();
    test_longest_gap();
    test_expect(weir_pauses_init(&none), "memory");
    test_order();
    test_gaps();
    test_recorded();
    test_copy();
    test_pauses();
    test_max_rates();
    test_jitter();
    test_jitter_of_twice();
    test_random_times();
    test_edges_of_rate();
    weir_pauses_finish(&none);
    return test_finish();
}
