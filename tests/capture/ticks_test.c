// SPDX-License-Identifier: MIT
// The time base: nominal rates are exact, nanoseconds are rounded to the nearest tick, nothing
// overflows.
#include <stdio.h>
#include <stdlib.h>

#include "capture/base/clock.h"
#include "capture/stream/clock/clock.h"
#include "testing.h"

static void test_rates(void)
{
    static const struct {
        uint32_t num, den, per_second, per_frame;
    } cases[] = {
        {60, 1, 90000, 1500},
        {30, 1, 90000, 3000},
        {25, 1, 90000, 3600},
        {24, 1, 90000, 3750},
        {60000, 1001, 60000, 1001},
        {30000, 1001, 90000, 3003},
        {24000, 1001, 90000, 0},
        {120, 1, 90000, 750},
        {144, 1, 90000, 625},
        {165, 1, 60060, 364},
        {240, 1, 90000, 375},
        {1, 1, 90000, 90000},
        {1, 10, 90000, 900000},
        {120000, 1001, 120000, 1001},
        {90000, 1, 90000, 1},
        {1000000, 1, 1000000, 1},
        {2147483647, 1, 90000, 1},
        {1, 2147483647, 90000, 2147483647},
        {2147483647, 2147483647, 90000, 90000},
    };
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

static void test_gap(void)
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
    test_rates();
    test_rounding();
    test_gap();
    const uint64_t first = weir_clock_ns();
    test_expect(weir_clock_ns() >= first, "the clock does not go back");
    return test_finish();
}
