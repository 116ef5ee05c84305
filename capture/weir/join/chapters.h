// SPDX-License-Identifier: MIT
// The chapters of movies that are joined: the whole has those of all.
#ifndef WEIR_CAPTURE_WEIR_JOIN_CHAPTERS_H
#define WEIR_CAPTURE_WEIR_JOIN_CHAPTERS_H

#include "capture/weir/join/plan.h"

// Add those of the next movie, whose frames lie at `start` and are `length` long [ticks]. What
// would begin after them is left out. False: `refusal` says why.
bool join_chapters_add(struct join_plan *plan, struct weir_view *view, uint64_t start,
                       uint64_t length, char refusal[JOIN_REFUSAL_SIZE]);

#endif
