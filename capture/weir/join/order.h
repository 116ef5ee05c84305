// SPDX-License-Identifier: MIT
// Which movies may be joined, and in which order.
#ifndef WEIR_CAPTURE_WEIR_JOIN_ORDER_H
#define WEIR_CAPTURE_WEIR_JOIN_ORDER_H

#include "capture/weir/join/input.h"

struct join_rules {
    bool is_end_to_end; // in the order given, each behind the one before
    bool allows_gaps;   // segments may be missing
};

// Check that the pictures of all movies are alike, and that movies that are no segments have as
// many sound tracks. False: `refusal` says which are not.
bool join_check_alike(const struct join_input *inputs, size_t num, bool are_segments,
                      char refusal[JOIN_REFUSAL_SIZE]);

// Put segments in the order of their recording; other movies stay in the order given.
// `are_segments` gets which of the two they are. False: `refusal` says what is missing, or there
// twice.
bool join_order(struct join_input *inputs, size_t num, const struct join_rules *rules,
                bool *are_segments, char refusal[JOIN_REFUSAL_SIZE]);

#endif
