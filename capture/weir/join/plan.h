// SPDX-License-Identifier: MIT
// Where the frames and samples of several movies go in one.
#pragma once

#include "capture/base/check.h"
#include "capture/movie/read.h"

// A movie that is joined with others.
struct join_input {
    const char *path;                     // borrowed
    size_t number;                        // in the order given, counted from 0
    struct weir_movie_found found;        // without its pieces and chapters when it was added
    uint64_t start_ticks;                 // in the whole
    bool has_begun[WEIR_MOVIE_MAX_AUDIO]; // samples of that track of the whole were added
};

struct join_plan {
    struct join_input *inputs; // in their order, when they were put in it
    size_t num_inputs;
    bool is_end_to_end; // in the order given, each behind the one before
    bool allows_gaps;   // segments may be missing
    bool are_segments;  // their times are those of the recording
    bool are_parts;     // of weir transcode: the first has the audio of all
    const struct weir_piece *next_audio[WEIR_MOVIE_MAX_AUDIO]; // of parts, by track of the first
    struct weir_movie movie;
    // Of the audio track at a place: the first movie that has it, NULL: none; and its number in the
    // whole. Segments leave out a track that has no samples in them, and have it at the number that
    // it has in the recording. Other movies have all tracks, in their order.
    const char *track_paths[WEIR_MOVIE_MAX_AUDIO];
    uint32_t track_numbers[WEIR_MOVIE_MAX_AUDIO];
    uint64_t end_ticks;  // where the last movie ends
    uint64_t num_silent; // samples of silence, of all tracks
    uint64_t num_cut;    // samples that lie behind the first frame of the next segment
    // Movies whose time code is not that of the whole where they lie, and the first one of them.
    size_t num_other_timecodes, first_other_timecode;
    uint64_t num_lost_chapters; // more than a movie holds
    char refusal[512];          // why they cannot be joined, and what to do; "": it was printed
};

// Begin with the movies of these paths, which are borrowed. Call join_plan_finish() in any case.
// False: out of memory.
bool join_plan_init(struct join_plan *plan, char *const *paths, size_t num);
void join_plan_finish(struct join_plan *plan);

// Where the bytes of the movies come from.
struct join_sources {
    // Open a movie, by its number in the order given; the one before is not read any more. False:
    // it cannot be opened, and the reason was printed.
    bool (*open)(void *user, size_t number, struct weir_view_source *source);
    void *user;
};

// Read the movies, put them in order, and add one by one. False: they cannot be joined, and
// plan->refusal says why.
bool join_plan_make(struct join_plan *plan, const struct join_sources *sources);

// Get the number that the first frame of movie `i` has in the whole, which has time code.
struct weir_timecode join_plan_timecode(const struct join_plan *plan, size_t i);

// The steps of join_plan_make() and what they share. Each returns false when it has refused.

// Write plan->refusal as printf does. Returns false.
bool join_refuse(struct join_plan *plan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#define JOIN_REFUSE_IF(condition, ...) WEIR_RETURN_IF(condition, join_refuse(__VA_ARGS__))

// Read a movie.
bool join_input_read(struct join_plan *plan, struct join_input *input, struct weir_view *view);

// Put segments in the order of their recording, check that all movies are alike, and find the audio
// tracks of the whole.
bool join_inputs_match(struct join_plan *plan);

// Find out whether all parts are there; add the frames of one, with the audio that weir transcode
// has between them; add that audio, and at the end all that is left of it.
bool join_parts_check(struct join_plan *plan);
bool join_part_add(struct join_plan *plan, const struct join_input *input);
bool join_parts_add_audio(struct join_plan *plan, bool is_end);

// Add a piece of a movie.
bool join_add_piece(struct join_plan *plan, const struct join_input *input,
                    struct weir_piece piece);

// Get the place of audio track `index` of a movie. WEIR_MOVIE_MAX_AUDIO: it has none.
uint32_t join_track_place(const struct join_plan *plan, const struct join_input *input,
                          uint32_t index);

// Print a warning on standard error where the movies' time codes do not make one.
void join_report_warn(const struct join_plan *plan, const char *output);

// Print lines for people, or JSON, in which `output` is null for a dry run.
void join_report_print(const struct join_plan *plan, const char *output, bool is_written);
void join_report_print_json(const struct join_plan *plan, const char *output);
