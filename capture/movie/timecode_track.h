// SPDX-License-Identifier: MIT
// The track of a time code, put into the head of a fragmented movie.
#ifndef WEIR_CAPTURE_MOVIE_TIMECODE_TRACK_H
#define WEIR_CAPTURE_MOVIE_TIMECODE_TRACK_H

#include <stddef.h>
#include <stdint.h>

#include "capture/movie/boxes.h"
#include "capture/movie/timecode.h"

// A flag of the description of the sample: drop frame.
#define WEIR_TIMECODE_DROP_FRAME 1u

// Append the boxes of the track that are its own: gmhd, which says how a player shows it; stsd; and
// the tables of its one sample. Returns the place of the number that says where that lies.
void weir_timecode_write_header(struct weir_boxes *boxes);
void weir_timecode_write_description(struct weir_boxes *boxes,
                                     const struct weir_timecode_track *track);
size_t weir_timecode_write_tables(struct weir_boxes *boxes, uint64_t duration, bool is_plain);

// How much longer the head gets at most [bytes].
#define WEIR_TIMECODE_TRACK_ROOM 640

// A head as libavformat writes it: a row of boxes that ends with moov.
struct weir_timecode_head {
    const uint8_t *bytes;
    size_t size;
    size_t moov;         // where moov begins
    uint32_t num_tracks; // numbered from 1, the first one of pictures
    uint32_t ticks_per_second;
    uint32_t ticks_per_frame;
    uint32_t rate_num, rate_den; // frames a second that the time code counts
};

// Append the head with a track of time code, behind all others. Its one sample, the number of the
// first frame, lies in the track itself, so that it is where the track says as long as the head is:
// a fragment of its own would come behind frames. While the movie grows it lasts one frame.
void weir_timecode_track_insert(const struct weir_timecode *timecode,
                                const struct weir_timecode_head *head, struct weir_boxes *boxes);

#endif
