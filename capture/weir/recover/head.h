// SPDX-License-Identifier: MIT
// The boxes that say what a movie holds: where a player finds them, and where else they are left.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_HEAD_H
#define WEIR_CAPTURE_WEIR_RECOVER_HEAD_H

#include "capture/weir/recover/find.h"

// Find the first moov box of the file, as a player does. False: the boxes break before it.
bool recover_moov_find(struct weir_view *view, struct weir_moov *moov);

// The head of a movie that grew.
struct recover_head {
    struct weir_moov moov;
    bool is_restored; // it was hidden by the mdat of the plain movie
};

// Find the head of a movie that grew. Where the movie was closed, its first 16 bytes became those
// of a large mdat: they are put back into what both views see. False: there is none.
bool recover_head_find(struct weir_view *near, struct weir_view *far, struct recover_head *head);

// Search the whole file for a moov box, the last one of those that are sound.
bool recover_moov_search(struct weir_view *near, struct weir_view *far, struct weir_moov *moov);

// Make the head of a movie that grows, found->head: of what a moov box says of its tracks, or,
// where that is NULL or damaged, of pictures alone, as found->track says. Its sound is unknown
// then. found->timecode goes with either.
// False: out of memory.
bool recover_head_make(struct recover_found *found, const struct weir_moov *moov,
                       struct weir_view *view);

#endif
