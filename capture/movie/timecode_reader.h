// SPDX-License-Identifier: MIT
// The track of a time code, read from a file that may be damaged.
#ifndef WEIR_CAPTURE_MOVIE_TIMECODE_READER_H
#define WEIR_CAPTURE_MOVIE_TIMECODE_READER_H

#include "capture/movie/box_reader.h"
#include "capture/movie/timecode.h"

struct weir_timecode_found {
    struct weir_timecode timecode;
    uint32_t rate_num, rate_den; // frames a second that it counts: 30000/1001 for 29.97
    uint64_t sample;             // where the track says that its sample lies in the file
    uint64_t at;                 // where it was read: there, or in a copy in the track itself
    bool is_marked;              // it was read from a box of its own: it is no other data
};

// Read the track of these boxes, which has one sample. False: it is damaged, or is not so.
bool weir_timecode_track_read(struct weir_view *view, const struct weir_box *trak,
                              const struct weir_box *mdia, struct weir_timecode_found *found);

// Get the number of frames before a time of a track with so many ticks a second, rounded as the
// capture does it.
uint64_t weir_timecode_num_frames(const struct weir_timecode_found *found, uint64_t ticks,
                                  uint32_t ticks_per_second);

#endif
