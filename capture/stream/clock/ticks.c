// SPDX-License-Identifier: MIT
// Ticks: the integer time base of a movie, and how nanoseconds become ticks.
#include "capture/stream/clock/ticks.h"

#define NS_PER_SECOND 1000000000u

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

uint32_t weir_ticks_per_second(uint32_t rate_num, uint32_t rate_den)
{
    const uint64_t common = 90000, smallest = 60000, largest = 1000000;
    if (common * rate_den % rate_num == 0) {
        return (uint32_t)common;
    }
    const uint64_t num = rate_num / greatest_common_divisor(rate_num, rate_den);
    if (num > largest) {
        return (uint32_t)common;
    }
    return (uint32_t)(num * ((smallest + num - 1) / num));
}

uint32_t weir_ticks_per_frame(uint32_t rate_num, uint32_t rate_den, uint32_t ticks_per_second)
{
    const uint64_t ticks = ((uint64_t)ticks_per_second * rate_den + rate_num / 2) / rate_num;
    if (ticks < 1) {
        return 1;
    }
    return ticks < INT32_MAX ? (uint32_t)ticks : INT32_MAX;
}

uint64_t weir_ticks_from_ns(uint64_t time_ns, uint32_t ticks_per_second)
{
    const uint64_t seconds = time_ns / NS_PER_SECOND, rest = time_ns % NS_PER_SECOND;
    return seconds * ticks_per_second +
           (rest * ticks_per_second + NS_PER_SECOND / 2) / NS_PER_SECOND;
}

uint64_t weir_ticks_to_ns(uint64_t ticks, uint32_t ticks_per_second)
{
    const uint64_t seconds = ticks / ticks_per_second, rest = ticks % ticks_per_second;
    return seconds * NS_PER_SECOND +
           (rest * NS_PER_SECOND + ticks_per_second / 2) / ticks_per_second;
}

bool weir_ticks_fit(uint32_t rate_num, uint32_t rate_den)
{
    return (uint64_t)weir_ticks_per_second(rate_num, rate_den) * rate_den % rate_num == 0;
}

uint64_t weir_ticks_max_gap_ns(uint32_t ticks_per_second)
{
    // One tick less: both ends of the gap are rounded.
    return (uint64_t)(INT32_MAX - 1) * NS_PER_SECOND / ticks_per_second;
}
