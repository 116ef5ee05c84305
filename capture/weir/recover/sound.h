// SPDX-License-Identifier: MIT
// The sound that was found in a movie: runs of samples, and where they belong.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_SOUND_H
#define WEIR_CAPTURE_WEIR_RECOVER_SOUND_H

#include "capture/movie/fragment_reader.h"
#include "capture/movie/track_reader.h"

struct recover_run {
    uint64_t offset;   // in the file; of silence, that of the run behind it
    uint64_t position; // of its first sample in the track [samples]
    uint32_t num_samples;
    uint32_t track;  // index of `tracks`
    bool is_silence; // it stands for samples that are lost
};

struct recover_sound {
    struct weir_audio_track_found tracks[WEIR_MOOV_MAX_AUDIO];
    uint32_t num_tracks;
    struct recover_run *runs; // in the order of the file
    size_t num, room;
    uint64_t num_lost;           // samples that silence stands for, of all tracks
    uint64_t num_lost_fragments; // that had those samples, about
    uint64_t num_unknown;        // fragments of sound that no head describes
};

// Add the samples of `tracks` by the tables of a plain movie. What does not lie in the file is left
// out. False: out of memory.
bool recover_sound_read(struct recover_sound *sound, struct weir_view *view);

// Add the samples of a fragment. One of no track that is known is counted only. False: out of
// memory.
bool recover_sound_add(struct recover_sound *sound, const struct weir_fragment_found *found);
void recover_sound_finish(struct recover_sound *sound);

// Get how many samples a track has.
uint64_t recover_sound_length(const struct recover_sound *sound, uint32_t track);

// From the begin of the first frame to the end of the last one [1 / ticks_per_second s].
struct recover_span {
    uint64_t start, end;
    uint32_t ticks_per_second;
};

// Count positions from that of the first frame, mend those that are damaged, and put silence where
// samples are lost. False: out of memory.
bool recover_sound_settle(struct recover_sound *sound, const struct recover_span *span);

#endif
