// SPDX-License-Identifier: MIT
// States that step on to others until they stay: where each ends, for both references of palette
// reduction.
#ifndef WEIR_TESTS_REF_PALETTE_FOLLOW_H
#define WEIR_TESTS_REF_PALETTE_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/ref/palette.h"

struct ref_palette_state {
    uint64_t words[3];
};

// The state after this one: of nothing but this one.
typedef struct ref_palette_state ref_palette_step_function(void *context,
                                                           struct ref_palette_state from);

// Replace n states by those where they end: where they stay, or the least of a cycle (by bytes), or
// after `limit` steps. Without a limit (0) each distinct state is stepped from once. Sets
// evaluations and max_steps. False: out of memory.
bool ref_palette_follow(ref_palette_step_function *step, void *context, uint32_t limit, uint32_t n,
                        struct ref_palette_state *states, struct ref_palette_stats *stats);

#endif
