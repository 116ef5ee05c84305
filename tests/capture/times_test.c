// SPDX-License-Identifier: MIT
// The times of frames: which follow, which are recorded, and where they are in a movie with pauses.
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

static void test_order(const struct weir_pauses *none)
{
    struct weir_times times = start(none, (struct weir_times_params){.rate_num = 60});
    expect(&times, INT64_MIN, WEIR_TIMES_RECORD); // no first frame yet: there is no gap
    expect(&times, INT64_MIN, WEIR_TIMES_BACK);
    record(&times, 0, 0);
    const int64_t most = (int64_t)weir_ticks_max_gap_ns(times.ticks_per_second);
    expect(&times, most, WEIR_TIMES_RECORD);
    expect(&times, most + 1, WEIR_TIMES_GAP);
    expect(&times, most, WEIR_TIMES_BACK); // what is dropped counts
    expect(&times, INT64_MAX, WEIR_TIMES_GAP);
}

static void test_gaps(const struct weir_pauses *none)
{
    struct weir_times segments = start(none, (struct weir_times_params){.has_segments = true});
    record(&segments, 0, 0);
    expect(&segments, INT64_MAX / 2, WEIR_TIMES_RECORD);
    expect(&segments, INT64_MAX / 2 + 1, WEIR_TIMES_GAP);
    struct weir_times constant = start(none, (struct weir_times_params){.constant_rate = true});
    record(&constant, 0, 0);
    expect(&constant, 60 * SECOND, WEIR_TIMES_RECORD);
    expect(&constant, 60 * SECOND + 1, WEIR_TIMES_GAP);
}

// 10 frames a second of 60, or on the points of a constant rate of 10.
static void test_recorded(const struct weir_pauses *none)
{
    const struct weir_times_params rates[] = {
        {.max_rate_num = 10, .max_rate_den = 1},
        {.rate_num = 10, .constant_rate = true},
        {.rate_num = 20, .constant_rate = true, .max_rate_num = 10, .max_rate_den = 1},
    };
    for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
        struct weir_times times = start(none, rates[r]);
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
static void test_copy(const struct weir_pauses *none)
{
    struct weir_times times = start(
        none, (struct weir_times_params){.max_rate_num = 30, .max_rate_den = 1});
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
    } places[] = {
        {0, -SECOND},
        {SECOND, 0},
        {2 * SECOND, SECOND},
        {3 * SECOND, 2 * SECOND},
        {9 * SECOND, 2 * SECOND},
        {11 * SECOND, 3 * SECOND},
    };
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

int main(void)
{
    struct weir_pauses none;
    test_expect(weir_pauses_init(&none), "memory");
    test_order(&none);
    test_gaps(&none);
    test_recorded(&none);
    test_copy(&none);
    weir_pauses_finish(&none);
    test_pauses();
    return test_finish();
}
