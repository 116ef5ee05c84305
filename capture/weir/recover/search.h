// SPDX-License-Identifier: MIT
// The steps of recover_find() and what they share.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_SEARCH_H
#define WEIR_CAPTURE_WEIR_RECOVER_SEARCH_H

#include "capture/movie/read.h"
#include "capture/movie/scan.h"
#include "capture/weir/recover/find.h"

struct recover_search {
    const struct recover_params *params;
    struct recover_found *found;
    struct weir_view near, far; // read headers, and long stretches
    struct weir_hap_format format;
    struct weir_movie_found head; // what says what the tracks are; its movie is found->movie
    struct weir_segment segment;
    struct weir_scan_mark *marks; // of the pieces; NULL: they were read from tables
    uint64_t num_lost_fragments;  // by their numbers
    bool stopped;                 // by progress()
};

// Write found->refusal as printf does. Returns false.
bool recover_refuse(struct recover_found *found, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Each of these reads the head of a movie. False: there is none. Call weir_movie_finish() in any
// case.

// Read the first moov box of the file, as a player does.
bool recover_read_first(struct recover_search *search, struct weir_movie_found *head);

// Read the head of a movie that grew. Where the movie was closed, its first 16 bytes became those
// of a large mdat: they are put back into what both views see, and `is_restored` becomes true.
bool recover_read_grown(struct recover_search *search, struct weir_movie_found *head,
                        bool *is_restored);

// Search the whole file for a moov box, and read the last one of those that are sound.
bool recover_read_any(struct recover_search *search, struct weir_movie_found *head);

// Leave out damaged frames, give each frame a time, and put silence where samples are lost.
// False: found->refusal says why (empty: progress() ended it).
bool recover_repair(struct recover_search *search);

// Count frames that are lost, from this time on [ticks].
void recover_count_lost(struct recover_found *found, uint64_t ticks, uint64_t num);

// A frame whose time is to be repaired.
struct recover_frame {
    struct weir_piece *piece;
    uint32_t number; // of its fragment, counted from 1; 0: unknown
    bool is_untimed; // it has no time
};

// Give each frame a time after that of the one before, and the first one 0. Those without a time
// are `ticks_per_frame` apart, or closer where there is no room for that. Where none is missing
// before the first one with a time, the movie begins as it did.
// Returns what is now 0 [ticks of the movie as it was].
uint64_t recover_repair_times(const struct recover_frame *frames, size_t num,
                              uint32_t ticks_per_frame);

// Count the positions of samples from the first frame, mend those that are damaged, and put silence
// where samples are lost. `num_fragments` gets how many had them, about. False: out of memory.
bool recover_repair_audio(struct recover_found *found, uint64_t *num_fragments);

#endif
