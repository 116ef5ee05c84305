// SPDX-License-Identifier: MIT
// Time code: the number that a movie's first frame has in hours, minutes, seconds and frames.
#ifndef WEIR_CAPTURE_MOVIE_TIMECODE_H
#define WEIR_CAPTURE_MOVIE_TIMECODE_H

#include <stdbool.h>
#include <stdint.h>

struct weir_timecode {
    uint32_t start;             // the number of the first frame, counted from 00:00:00:00
    uint32_t frames_per_second; // that are counted: 30 for 29.97; 0: there is no time code
    bool is_drop;               // drop frame: some numbers are left out, to keep to the clock
};

// The track of time code in a movie, which has one sample.
struct weir_timecode_track {
    struct weir_timecode first;  // of the first frame. frames_per_second 0: there is no such track
    uint32_t rate_num, rate_den; // frames a second that it counts: 30000/1001 for 29.97
    uint64_t offset;             // where its sample lies in the file
};

// Read HH:MM:SS:FF, or HH:MM:SS;FF for drop frame, of a movie of a nominal rate. Returns NULL, or
// what is wrong with it, in words.
const char *weir_timecode_parse(const char *text, uint32_t rate_num, uint32_t rate_den,
                                struct weir_timecode *timecode);

// Get the time code of a frame that so many frames come before. After a day it begins anew.
struct weir_timecode weir_timecode_after(const struct weir_timecode *first, uint64_t num_frames);

// Get the number of frames before a time of a track with so many ticks a second, rounded as the
// capture does it.
uint64_t weir_timecode_num_frames(const struct weir_timecode_track *track, uint64_t ticks,
                                  uint32_t ticks_per_second);

#define WEIR_TIMECODE_TEXT 24

// Write it as weir_timecode_parse() reads it.
void weir_timecode_format(const struct weir_timecode *timecode, char text[WEIR_TIMECODE_TEXT]);

#endif
