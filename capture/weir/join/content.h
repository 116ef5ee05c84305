// SPDX-License-Identifier: MIT
// What lies in a movie that is joined: its frames and samples, by its tables.
#ifndef WEIR_CAPTURE_WEIR_JOIN_CONTENT_H
#define WEIR_CAPTURE_WEIR_JOIN_CONTENT_H

#include "capture/weir/join/input.h"
#include "capture/weir/remux/movie.h"

// Frames, or the samples of a track, in the order of their times. Times are those in the movie.
struct join_list {
    struct remux_piece *items;
    size_t num, room;
    size_t at; // the next one that next_piece() gives
};

struct join_content {
    struct join_list frames, audio[WEIR_MOOV_MAX_AUDIO];
    uint32_t num_audio;
    uint64_t end_ticks;     // where the last frame ends
    uint32_t last_duration; // of the last frame
};

// Read the tables. False: `refusal` says what is wrong. Call join_content_finish() in any case.
bool join_content_read(struct weir_view *view, const struct join_input *input,
                       struct join_content *content, char refusal[JOIN_REFUSAL_SIZE]);
void join_content_finish(struct join_content *content);

// Get the next piece in the order of the file; `list` says of which track: 0 is that of frames.
// NULL: there is none.
const struct remux_piece *join_content_next(struct join_content *content, uint32_t *list);

#endif
