// SPDX-License-Identifier: MIT
// The time code of a movie that is recovered.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_TIMECODE_H
#define WEIR_CAPTURE_WEIR_RECOVER_TIMECODE_H

#include "capture/weir/recover/find.h"

// Settle the time code when the frames have their times: it is that of the first frame that is
// left. `given` (may be NULL) is that of a movie whose head is lost and which does not say it.
// Returns NULL, or what is wrong with `given`, in words.
const char *recover_timecode_settle(struct recover_found *found, const char *given);

// Put it into found->head, which was made anew and has `num_tracks` others. False: out of memory.
bool recover_timecode_insert(struct recover_found *found, uint32_t num_tracks);

#endif
