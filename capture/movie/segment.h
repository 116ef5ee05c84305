// SPDX-License-Identifier: MIT
// What a segment is a part of: a box at the head of a movie that is one of several of a recording.
#ifndef WEIR_CAPTURE_MOVIE_SEGMENT_H
#define WEIR_CAPTURE_MOVIE_SEGMENT_H

#include <stdint.h>

#include "capture/movie/boxes.h"

#define WEIR_RECORDING_ID_SIZE 16
// The box: 8 bytes, the type of 16, and what struct weir_segment has.
#define WEIR_SEGMENT_BOX_SIZE (8 + 16 + WEIR_RECORDING_ID_SIZE + 4 + 4 + 8)

struct weir_segment {
    uint8_t recording[WEIR_RECORDING_ID_SIZE]; // drawn at random; all of its segments have it
    uint32_t number;                           // counted from 1
    uint32_t ticks_per_second;
    uint64_t start_ticks; // of the segment's first frame, since that of the recording
};

extern const uint8_t weir_segment_type[16];

// Get the sample that is nearest to a time of the recording: with it a segment begins whose first
// frame is of that time. All that read segments know the time in ticks, and no finer.
uint64_t weir_segment_position(uint64_t ticks, uint32_t ticks_per_second, uint32_t sample_rate);

// Append the box, of type "uuid", which players pass over. It stands between ftyp and moov.
void weir_segment_write(const struct weir_segment *segment, struct weir_boxes *boxes);

#endif
