// SPDX-License-Identifier: MIT
// The index: the place of every frame in a movie, from which the moov box of a plain movie is made.
#ifndef WEIR_CAPTURE_MOVIE_INDEX_H
#define WEIR_CAPTURE_MOVIE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/movie/audio_index.h"
#include "capture/movie/chapters.h"

struct weir_index_entry {
    uint64_t offset; // of the frame's first byte in the file
    uint32_t size;   // [bytes]
    uint32_t ticks;  // since the frame before
};

// 16 bytes a frame. Room for 65536 frames is made at once; more is made by doubling.
struct weir_index {
    struct weir_index_entry *entries;
    uint32_t num_entries;
    size_t room;
    uint64_t last_ticks;
    bool is_incomplete; // memory ran out: no plain movie can be made, the fragments stay
};

// False: out of memory.
bool weir_index_init(struct weir_index *index);
void weir_index_finish(struct weir_index *index);

// Add a frame. `ticks` of the first frame is 0.
void weir_index_add(struct weir_index *index, uint64_t offset, uint32_t size, uint64_t ticks);

// The moov box at the head of a fragmented movie, and what its times are.
struct weir_index_head {
    const uint8_t *moov;
    size_t size; // [bytes]
    uint32_t ticks_per_second;
    uint32_t ticks_per_frame; // nominal; the duration of the last frame
    // The sound tracks, which follow that of frames in moov.
    const struct weir_audio_index *audio;
    uint32_t num_audio;
    bool has_timecode;                    // a track of it follows those of sound
    const struct weir_chapters *chapters; // NULL: none
};

// Get the largest size of the moov box with the tables of frames alone, for a head of that size
// [bytes].
uint64_t weir_index_room(const struct weir_index *index, size_t head_size);

// Make the moov box of a plain movie. It is the moov of `head` without mvex, which announces
// fragments, and with the tables of the places of frames and samples. A sound track without a
// sample is left out. The sample of a time code stays in the head, and lasts as long as the frames.
// NULL: out of memory, or more frames than a box can hold. The caller frees it.
uint8_t *weir_index_make_moov(const struct weir_index *index, const struct weir_index_head *head,
                              size_t *size);

#endif
