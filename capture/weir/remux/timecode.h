// SPDX-License-Identifier: MIT
// Gives the head of a movie that is put together a track of time code.
#ifndef WEIR_CAPTURE_WEIR_REMUX_TIMECODE_H
#define WEIR_CAPTURE_WEIR_REMUX_TIMECODE_H

#include "capture/movie/timecode_track.h"

// Replace `bytes`, the head that `head` describes, by one with a track of time code. The new one is
// the caller's as the old one was, which is freed. False: out of memory, and the old one stays.
bool remux_timecode_insert(const struct weir_timecode *timecode,
                           const struct weir_timecode_head *head, uint8_t **bytes, size_t *size);

#endif
