// SPDX-License-Identifier: MIT
// The times of frames: which follow, which are taken, and where they are in a movie with pauses.
#include <inttypes.h>
#include <stdint.h>

#include "capture/stream/clock/ticks.h"
#include "capture/stream/clock/times.h"
#include "testing.h"

#define SECOND INT64_C(1000000000)

static struct weir_times start(const struct weir_pauses *pauses, struct weir_times_params params)
{
    struct weir_times times;
    params.rate_num = params.rate_num > 0 ? params.rate_num : 60;
    params.rate_den = 1;
    params.pauses = pauses;
    weir_times_init(&times, &params);
    return times;
}

static void expect_order(struct weir_times *times, int64_t time_ns, enum weir_times_order want)
{
    const enum weir_times_order order = weir_times_follow(times, time_ns);
    test_expect(order == want, "%" PRId64 ": order %d, want %d", time_ns, (int)order, (int)want);
}

static void test_order(const struct weir_pauses *none)
{
    struct weir_times times = start(none, (struct weir_times_params){.rate_num = 60});
    expect_order(&times, INT64_MIN, WEIR_TIMES_FOLLOWS); // no first frame yet: there is no gap
    expect_order(&times, INT64_MIN, WEIR_TIMES_BACK);
    expect_order(&times, 0, WEIR_TIMES_FOLLOWS);
    test_expect(weir_times_put(&times, 0) == 0, "the first frame is at 0");
    const int64_t most = (int64_t)weir_ticks_max_gap_ns(times.ticks_per_second);
    expect_order(&times, most, WEIR_TIMES_FOLLOWS);
    expect_order(&times, most + 1, WEIR_TIMES_GAP);
    expect_order(&times, most, WEIR_TIMES_BACK); // what is dropped counts
    expect_order(&times, INT64_MAX, WEIR_TIMES_GAP);
}

static void test_gaps(const struct weir_pauses *none)
{
    struct weir_times segments = start(none, (struct weir_times_params){.has_segments = true});
    weir_times_put(&segments, 0);
    expect_order(&segments, INT64_MAX / 2, WEIR_TIMES_FOLLOWS);
    expect_order(&segments, INT64_MAX / 2 + 1, WEIR_TIMES_GAP);
    struct weir_times constant = start(none, (struct weir_times_params){.constant_rate = true});
    weir_times_put(&constant, 0);
    expect_order(&constant, 60 * SECOND, WEIR_TIMES_FOLLOWS);
    expect_order(&constant, 60 * SECOND + 1, WEIR_TIMES_GAP);
}

// 10 frames a second of 60, or on a grid of 10.
static void test_taken(const struct weir_pauses *none)
{
    const struct weir_times_params rates[] = {
        {.max_rate_num = 10, .max_rate_den = 1},
        {.rate_num = 10, .constant_rate = true},
        {.rate_num = 20, .constant_rate = true, .max_rate_num = 10, .max_rate_den = 1},
    };
    for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
        struct weir_times times = start(none, rates[r]);
        int num_taken = 0;
        for (int64_t i = 0; i < 600; i++) {
            const int64_t time_ns = -SECOND + i * SECOND / 60;
            expect_order(&times, time_ns, WEIR_TIMES_FOLLOWS);
            if (weir_times_takes(&times, time_ns)) {
                weir_times_put(&times, time_ns);
                num_taken++;
            }
        }
        test_expect(num_taken >= 100 && num_taken <= 101, "rates %zu: %d taken", r, num_taken);
    }
}

// What was not put is taken back by the copy: a frame that was refused may come again.
static void test_copy(const struct weir_pauses *none)
{
    struct weir_times times = start(
        none, (struct weir_times_params){.max_rate_num = 30, .max_rate_den = 1});
    for (int64_t i = 0; i < 100; i++) {
        const struct weir_times before = times;
        const int64_t time_ns = i * SECOND / 60;
        expect_order(&times, time_ns, WEIR_TIMES_FOLLOWS);
        const bool takes = weir_times_takes(&times, time_ns);
        times = before;
        expect_order(&times, time_ns, WEIR_TIMES_FOLLOWS);
        test_expect(weir_times_takes(&times, time_ns) == takes, "frame %" PRId64, i);
    }
}

static void test_pauses(void)
{
    struct weir_pauses pauses;
    test_expect(weir_pauses_init(&pauses), "memory");
    struct weir_times times = start(&pauses, (struct weir_times_params){.rate_num = 60});
    test_expect(weir_times_in_movie(&times, SECOND) == 0 &&
                    weir_times_since_first(&times, SECOND) == 0,
                "no first frame: no time");
    weir_times_put(&times, SECOND);
    weir_pauses_begin(&pauses, 3 * SECOND);
    weir_pauses_end(&pauses, 10 * SECOND);
    test_expect(!weir_times_takes(&times, 3 * SECOND), "a frame of the pause");
    test_expect(!weir_times_takes(&times, 10 * SECOND - 1), "the last one of the pause");
    test_expect(weir_times_takes(&times, 10 * SECOND), "the first one after it");
    static const struct {
        int64_t time_ns, since_ns;
    } places[] = {
        {0, -SECOND},
        {SECOND, 0},
        {2 * SECOND, SECOND},
        {3 * SECOND, 2 * SECOND},
        {9 * SECOND, 2 * SECOND},
        {11 * SECOND, 3 * SECOND},
    };
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        const int64_t want = places[i].since_ns;
        const int64_t since_ns = weir_times_since_first(&times, places[i].time_ns);
        const uint64_t movie_ns = weir_times_in_movie(&times, places[i].time_ns);
        test_expect(since_ns == want && movie_ns == (want > 0 ? (uint64_t)want : 0),
                    "at %" PRId64 ": %" PRId64 " and %" PRIu64, places[i].time_ns, since_ns,
                    movie_ns);
    }
    test_expect(weir_times_put(&times, 11 * SECOND) == (uint64_t)(3 * SECOND), "behind the pause");
    weir_pauses_finish(&pauses);
}

int main(void)
{
    struct weir_pauses none;
    test_expect(weir_pauses_init(&none), "memory");
    test_order(&none);
    test_gaps(&none);
    test_taken(&none);
    test_copy(&none);
    weir_pauses_finish(&none);
    test_pauses();
    return test_finish();
}
