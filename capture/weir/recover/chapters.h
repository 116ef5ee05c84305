// SPDX-License-Identifier: MIT
// The chapters of a movie that is recovered.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_CHAPTERS_H
#define WEIR_CAPTURE_WEIR_RECOVER_CHAPTERS_H

#include "capture/weir/recover/find.h"

// Take those that an index has; a movie that grows has none yet. False: out of memory.
bool recover_chapters_take(struct recover_found *found, struct weir_view *view,
                           const struct weir_moov *moov);

// Count their times from the first frame that is left.
void recover_chapters_settle(struct recover_found *found);

#endif
