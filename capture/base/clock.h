// SPDX-License-Identifier: MIT
// Monotonic time.
#pragma once

#include <stdint.h>
#include <time.h>

// Nanoseconds of CLOCK_MONOTONIC: never goes back, stands still while the machine sleeps.
static inline uint64_t weir_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
