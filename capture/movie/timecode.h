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

// Read HH:MM:SS:FF, or HH:MM:SS;FF for drop frame, of a movie of a nominal rate. Returns NULL, or
// what is wrong with it, in words.
const char *weir_timecode_parse(const char *text, uint32_t rate_num, uint32_t rate_den,
                                struct weir_timecode *timecode);

// Get the time code of a frame that so many frames come before. After a day it begins anew.
struct weir_timecode weir_timecode_after(const struct weir_timecode *first, uint64_t num_frames);

#define WEIR_TIMECODE_TEXT 24

// Write it as weir_timecode_parse() reads it.
void weir_timecode_format(const struct weir_timecode *timecode, char text[WEIR_TIMECODE_TEXT]);

#endif
