// SPDX-License-Identifier: MIT
// Ticks: the integer time base of a movie, and how nanoseconds become ticks.
#ifndef WEIR_CAPTURE_STREAM_CLOCK_TICKS_H
#define WEIR_CAPTURE_STREAM_CLOCK_TICKS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

// A time in a message: its format and its arguments, for nanoseconds in a uint64_t.
#define WEIR_SECONDS_FORMAT "%" PRIu64 ".%09" PRIu64 " s"
#define WEIR_SECONDS(ns) (ns) / 1000000000u, (ns) % 1000000000u

// Get the ticks a second for a nominal frame rate. They are 90000 if a frame is then a whole number
// of ticks, else the smallest multiple of the rate's numerator from 60000 on (60000/1001 gives
// 60000, 24000/1001 gives 72000, 165 gives 60060). Rates that no such base fits get 90000, and a
// rounded frame length.
uint32_t weir_ticks_per_second(uint32_t rate_num, uint32_t rate_den);

// Get the nominal length of a frame [ticks], at least 1.
uint32_t weir_ticks_per_frame(uint32_t rate_num, uint32_t rate_den, uint32_t ticks_per_second);

// Convert nanoseconds to ticks, rounded to the nearest.
uint64_t weir_ticks_from_ns(uint64_t time_ns, uint32_t ticks_per_second);

// Convert ticks to nanoseconds, rounded to the nearest. They convert back to the same ticks where
// there are less than 10^9 a second.
uint64_t weir_ticks_to_ns(uint64_t ticks, uint32_t ticks_per_second);

// True if a frame of this rate is a whole number of ticks.
bool weir_ticks_fit(uint32_t rate_num, uint32_t rate_den);

// Get the longest gap between two frames that a movie can store: 2^31 - 1 ticks [ns].
uint64_t weir_ticks_max_gap_ns(uint32_t ticks_per_second);

#endif
