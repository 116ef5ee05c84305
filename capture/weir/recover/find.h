// SPDX-License-Identifier: MIT
// What is left of a movie: its frames and samples, their times, and what they are.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_FIND_H
#define WEIR_CAPTURE_WEIR_RECOVER_FIND_H

#include "capture/movie/head.h"
#include "capture/movie/view.h"

enum recover_state {
    RECOVER_NOTHING_TO_DO, // a plain movie with every frame
    RECOVER_DAMAGED,       // a plain movie without some of them
    RECOVER_NOT_CLOSED,    // a movie that grew, and has no index
    RECOVER_CUT,           // a plain movie whose index was cut off; the fragments are there
    RECOVER_SALVAGED,      // its head is lost: the frames themselves were searched for
};

struct recover_params {
    struct weir_view_source source;
    // Where the file does not say it:
    uint32_t width, height;      // of the picture; 0: unknown
    uint32_t rate_num, rate_den; // 0: unknown
    const char *timecode;        // of the first frame; NULL: unknown
    bool premultiplied;          // false: alpha is straight
    bool checks_all;             // read every frame whole
    // Reports how far it is; false ends it. May be NULL.
    bool (*progress)(void *user, uint64_t at, size_t num_frames);
    void *user;
};

struct recover_found {
    enum recover_state state;
    struct weir_movie movie; // what a plain movie is made of
    uint64_t start;          // of the movie as it was, where its first frame is now [ticks]
    bool is_in_place;        // a plain movie is made by its end and the first bytes of `moov`
    uint64_t moov;           // where that box begins in the file, if so
    uint8_t before[WEIR_PLAIN_PATCH_SIZE]; // what it begins with
    bool is_timecode_lost;                 // it had a time code, and the number was elsewhere
    bool is_timecode_unused;               // one was given, and the file says what it has
    bool is_alpha_assumed;                 // no box says if its alpha is straight
    uint64_t end;                          // where its last whole fragment ends
    bool is_torn;                          // a part of a fragment follows
    uint64_t num_behind;                   // bytes that follow, of whatever it is
    uint64_t num_lost;          // frames; where fragments of audio are lost too, about so many
    uint64_t first_lost;        // when the first one was shown [ticks of the movie as it is now]
    uint64_t num_parts;         // damaged parts in its middle
    uint64_t num_silent;        // samples that silence stands for, of all tracks
    uint64_t num_unknown_audio; // fragments of audio that no head describes
    char refusal[256];          // why nothing can be recovered
};

// Look through a file. False: it is not recovered, and found->refusal says why (empty: progress()
// ended it). Call recover_found_finish() in any case.
bool recover_find(const struct recover_params *params, struct recover_found *found);
void recover_found_finish(struct recover_found *found);

#endif
