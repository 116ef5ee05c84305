// SPDX-License-Identifier: MIT
// Makes the plan of how movies are joined: reads them, puts them in order, and adds one by one.
#ifndef WEIR_CAPTURE_WEIR_JOIN_MAKE_H
#define WEIR_CAPTURE_WEIR_JOIN_MAKE_H

#include "capture/weir/join/order.h"
#include "capture/weir/join/plan.h"

// Where the bytes of the movies come from.
struct join_sources {
    // Open a movie, by its number in the order given; the one before is not read any more. False:
    // it cannot be opened, and the reason was printed.
    bool (*open)(void *user, size_t number, struct weir_view_source *source);
    void *user;
};

// Make the plan of the movies that join_plan_init() was given. False: they cannot be joined, and
// `refusal` says why; "": open() has.
bool join_make(struct join_plan *plan, const struct join_rules *rules,
               const struct join_sources *sources, char refusal[JOIN_REFUSAL_SIZE]);

#endif
