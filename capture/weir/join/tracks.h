// SPDX-License-Identifier: MIT
// The sound tracks of a movie that is joined: those of its parts, which are to be alike.
#ifndef WEIR_CAPTURE_WEIR_JOIN_TRACKS_H
#define WEIR_CAPTURE_WEIR_JOIN_TRACKS_H

#include "capture/weir/join/input.h"

struct join_track {
    struct weir_movie_audio audio; // as the first movie says that has it
    const char *path;              // of that movie; NULL: no movie has this track
    uint32_t number;               // of the track among those of sound, counted from 0
};

// Zero it first.
struct join_tracks {
    // Segments leave out a track that has no samples in them, and are placed here by the number
    // that the track has in the recording. Other movies have all of them, in their order.
    struct join_track list[WEIR_MOVIE_MAX_AUDIO];
    uint32_t num; // that some movie has
    bool are_of_segments;
};

void join_tracks_finish(struct join_tracks *tracks);

// Get the place in `list` of sound track `index` of a movie. WEIR_MOVIE_MAX_AUDIO: it has none.
uint32_t join_tracks_place(const struct join_tracks *tracks, const struct join_input *input,
                           uint32_t index);

// Find the tracks of all movies, whose descriptions these take over, and compare those that several
// have. False: `refusal` says which are not alike.
bool join_tracks_find(struct join_tracks *tracks, struct join_input *inputs, size_t num,
                      bool are_segments, char refusal[JOIN_REFUSAL_SIZE]);

#endif
