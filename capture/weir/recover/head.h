// SPDX-License-Identifier: MIT
// The boxes that say what a movie holds: where a player finds them, and where else they are left.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_HEAD_H
#define WEIR_CAPTURE_WEIR_RECOVER_HEAD_H

#include "capture/movie/read.h"
#include "capture/weir/recover/find.h"

// Each of these reads the head of a movie. False: there is none. Call weir_movie_finish() in any
// case.

// Read the first moov box of the file, as a player does.
bool recover_read_first(struct weir_view *view, struct weir_movie_found *head);

// Read the head of a movie that grew. Where the movie was closed, its first 16 bytes became those
// of a large mdat: they are put back into what both views see, and `is_restored` becomes true.
bool recover_read_grown(struct weir_view *near, struct weir_view *far,
                        struct weir_movie_found *head, bool *is_restored);

// Search the whole file for a moov box, and read the last one of those that are sound.
bool recover_read_any(struct weir_view *near, struct weir_view *far, struct weir_movie_found *head);

#endif
