// SPDX-License-Identifier: MIT
// The time code of movies that are joined: the whole has that of the first one.
#ifndef WEIR_CAPTURE_WEIR_JOIN_TIMECODE_H
#define WEIR_CAPTURE_WEIR_JOIN_TIMECODE_H

#include "capture/weir/join/plan.h"

// Put the time code of the first movie into the head of the whole, which is complete otherwise, and
// count the movies whose own differs. False: out of memory.
bool join_timecode_insert(struct join_plan *plan);

// Get the number that the first frame of movie `i` has in the whole, which has time code.
struct weir_timecode join_timecode_at(const struct join_plan *plan, size_t i);

#endif
