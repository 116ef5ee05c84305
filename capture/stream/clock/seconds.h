// SPDX-License-Identifier: MIT
// Times in messages: a format and its arguments, for nanoseconds in a uint64_t.
#ifndef WEIR_CAPTURE_STREAM_CLOCK_SECONDS_H
#define WEIR_CAPTURE_STREAM_CLOCK_SECONDS_H

#include <inttypes.h>

#define WEIR_SECONDS_FORMAT "%" PRIu64 ".%09" PRIu64 " s"
#define WEIR_SECONDS(ns) (ns) / 1000000000u, (ns) % 1000000000u

#endif
