// SPDX-License-Identifier: MIT
// The sound tracks of a movie that is joined: those of its parts, which are to be alike.
#ifndef WEIR_CAPTURE_WEIR_JOIN_TRACKS_H
#define WEIR_CAPTURE_WEIR_JOIN_TRACKS_H

#include "capture/weir/join/input.h"

struct join_track {
    struct weir_audio_track_found found; // of the first movie that has it
    const char *path;                    // of that movie; NULL: no movie has this track
    uint8_t *description;                // of its samples, as the movie has it
    size_t description_size;             // [bytes]
    uint8_t *trak;                       // the track as a movie that grows has it
    size_t trak_size;                    // [bytes]
    uint32_t number;                     // of the track among those of sound, counted from 0
};

// Zero it first.
struct join_tracks {
    // Segments leave out a track that has no samples in them: these stand by the number that the
    // track has in the recording. Other movies have all of them, in their order.
    struct join_track list[WEIR_MOOV_MAX_AUDIO];
    uint32_t num; // that some movie has; known after join_tracks_number()
    bool are_of_segments;
};

void join_tracks_finish(struct join_tracks *tracks);

// Get the place in `list` of sound track `index` of a movie. WEIR_MOOV_MAX_AUDIO: it has none.
uint32_t join_tracks_place(const struct join_tracks *tracks, const struct join_input *input,
                           uint32_t index);

// Add the tracks of a movie, and compare those that are there already. False: `refusal` says why.
bool join_tracks_add(struct join_tracks *tracks, struct weir_view *view,
                     const struct join_input *input, char refusal[JOIN_REFUSAL_SIZE]);

// Number the tracks when all movies were added.
void join_tracks_number(struct join_tracks *tracks);

// Copy the boxes of the tracks that were not copied yet. False: `refusal` says why.
bool join_tracks_copy(struct join_tracks *tracks, struct weir_view *view,
                      const struct join_input *input, char refusal[JOIN_REFUSAL_SIZE]);

#endif
