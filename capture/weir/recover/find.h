// SPDX-License-Identifier: MIT
// What is left of a movie: its frames and samples, their times, and what they are.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_FIND_H
#define WEIR_CAPTURE_WEIR_RECOVER_FIND_H

#include "capture/movie/movie.h"
#include "capture/movie/segment.h"
#include "capture/movie/track_reader.h"
#include "capture/weir/remux/movie.h"

enum recover_state {
    RECOVER_NOTHING_TO_DO, // a plain movie with every frame
    RECOVER_DAMAGED,       // a plain movie without some of them
    RECOVER_NOT_CLOSED,    // a movie that grew, and has no index
    RECOVER_CUT,           // a plain movie whose index was cut off; the fragments are there
    RECOVER_SALVAGED,      // its head is lost: the frames themselves were searched for
};

struct recover_params {
    struct weir_view_source source;
    uint32_t width, height;      // of the picture, where the file does not say; 0: unknown
    uint32_t rate_num, rate_den; // likewise
    const char *timecode;        // of the first frame, likewise; NULL: unknown
    bool premultiplied;          // likewise; false: alpha is straight
    bool checks_all;             // read every frame whole
    // Told how far it is; false ends it. May be NULL.
    bool (*progress)(void *user, uint64_t at, size_t num_frames);
    void *user;
};

struct recover_found {
    enum recover_state state;
    struct weir_track track;
    struct weir_audio_track_found audio[WEIR_MOOV_MAX_AUDIO]; // movie.num_audio of them
    // What was found, in the order of the file. A plain movie is made of it. It borrows `head` and
    // `chapters`.
    struct remux_movie movie;
    size_t num_frames;
    uint64_t start;      // of the movie as it was, where the first frame is now [ticks]
    uint64_t last_ticks; // of the last frame
    bool has_timecode;   // the head has a track of it
    struct weir_timecode_found timecode;
    bool is_timecode_lost;       // it had a track of it, and the number was elsewhere
    bool is_timecode_unused;     // one was given, and the file says what it has
    bool is_alpha_assumed;       // no box says if its alpha is straight
    bool is_segment;             // of a recording of several movies
    struct weir_segment segment; // which one, if it is
    struct weir_chapters chapters;
    uint8_t *head;       // ftyp and moov of the movie as it grew
    size_t head_size;    // [bytes]
    size_t moov;         // where moov begins in it, and in the file where `is_in_place`
    bool is_in_place;    // a plain movie is made by its end and 16 bytes of its head
    uint64_t end;        // where its last whole fragment ends
    bool is_torn;        // a part of a fragment follows
    uint64_t num_behind; // bytes that follow, of whatever it is
    uint64_t num_lost;   // frames; where fragments of sound are lost too, about so many
    uint64_t first_lost; // when the first of them was shown [ticks of the movie as it is now]
    uint64_t num_parts;  // damaged parts in its middle
    uint64_t num_silent; // samples that silence stands for, of all tracks
    uint64_t num_unknown_audio; // fragments of sound that no head describes
    char refusal[256];          // why nothing can be recovered
};

// Look through a file. False: it is not recovered, and found->refusal says why (empty: progress()
// ended it). Call recover_found_finish() in any case.
bool recover_find(const struct recover_params *params, struct recover_found *found);
void recover_found_finish(struct recover_found *found);

// Write found->refusal as printf does. Returns false.
bool recover_refuse(struct recover_found *found, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Get how long the movie is [s].
double recover_found_seconds(const struct recover_found *found);

#endif
