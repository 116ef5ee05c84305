// SPDX-License-Identifier: MIT
// Monotonic time.
#ifndef WEIR_CAPTURE_BASE_CLOCK_H
#define WEIR_CAPTURE_BASE_CLOCK_H

#include <stdint.h>

// Nanoseconds of CLOCK_MONOTONIC: never goes back, stands still while the machine sleeps.
uint64_t weir_clock_ns(void);

#endif
