// SPDX-License-Identifier: MIT
// How many frames are lost, and when the first one of them was shown.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_LOST_H
#define WEIR_CAPTURE_WEIR_RECOVER_LOST_H

#include "capture/weir/recover/find.h"

// Count frames that are lost, from this time on [ticks].
void recover_lost_add(struct recover_found *found, uint64_t ticks, uint64_t num);

// When frames and sound are settled: count the frames of so many fragments whose numbers are
// missing. What is missing of the sound was in some of them.
void recover_lost_count(struct recover_found *found, uint64_t num_fragments);

#endif
