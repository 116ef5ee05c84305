// SPDX-License-Identifier: MIT
// The index of a sound track: where its samples lie in a movie, in runs that lie side by side.
#ifndef WEIR_CAPTURE_MOVIE_AUDIO_INDEX_H
#define WEIR_CAPTURE_MOVIE_AUDIO_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/movie/boxes.h"

// The tables of a movie count samples in 32 bits: 24 hours at 48 kHz.
#define WEIR_AUDIO_MAX_SAMPLES UINT32_MAX

struct weir_audio_run {
    uint64_t offset; // of its first byte in the file
    uint32_t num_samples;
};

// 16 bytes a run. Room for 4096 runs is made at once; more is made by doubling.
struct weir_audio_index {
    struct weir_audio_run *runs;
    uint32_t num_runs;
    size_t room;
    uint32_t num_samples; // of all runs
    uint32_t sample_size; // [bytes]
    uint32_t sample_rate;
    bool is_incomplete; // memory ran out: no plain movie can be made, the fragments stay
};

// False: out of memory.
bool weir_audio_index_init(struct weir_audio_index *index, uint32_t sample_rate,
                           uint32_t sample_size);
void weir_audio_index_finish(struct weir_audio_index *index);

// Add samples, which follow those before them in time. All together are at most
// WEIR_AUDIO_MAX_SAMPLES.
void weir_audio_index_add(struct weir_audio_index *index, uint64_t offset, uint32_t num_samples);

// Write the tables of the track: stts, stsc, stsz and co64.
void weir_audio_index_write(const struct weir_audio_index *index, struct weir_boxes *boxes);

// Get the largest size of those tables [bytes].
size_t weir_audio_index_size(const struct weir_audio_index *index);

#endif
