// SPDX-License-Identifier: MIT
// Recovers movies: which ones, what is left of each, and what is written and said of it.
#pragma once

#include "capture/base/file.h"
#include "capture/base/json.h"
#include "capture/movie/head.h"
#include "capture/movie/read.h"
#include "capture/movie/scan.h"
#include "capture/weir/common/options.h"
#include "capture/weir/common/report.h"

enum recover_state {
    RECOVER_NOTHING_TO_DO, // a plain movie with every frame
    RECOVER_DAMAGED,       // a plain movie without some of them, or with a wrong index
    RECOVER_NOT_CLOSED,    // a movie that grew, and has no index
    RECOVER_CUT,           // a plain movie whose index was cut off; the fragments are there
    RECOVER_SALVAGED,      // its head is lost: the frames themselves were searched for
};

struct recover_params {
    struct weir_view_source source;
    // Where the file does not say it:
    struct cli_size size;   // of the picture; 0: unknown
    struct weir_ratio rate; // 0: unknown
    const char *timecode;   // of the first frame; NULL: unknown
    bool premultiplied;     // false: alpha is straight
    bool checks_all;        // read every frame whole
};

struct recover_found {
    enum recover_state state;
    struct weir_movie movie;      // what a plain movie is made of
    uint64_t start;               // of the movie as it was, where its first frame is now [ticks]
    bool is_in_place;             // a plain movie is made by its end and 16 bytes of its head
    struct weir_file_patch patch; // of these, if so; `after` is not known yet
    bool is_timecode_lost;        // it had a time code, and the number was elsewhere
    bool is_timecode_unused;      // one was given, and the file says what it has
    bool is_alpha_assumed;        // no box says if its alpha is straight
    uint64_t end;                 // where its last whole fragment ends
    bool is_torn;                 // a part of a fragment follows
    uint64_t num_behind;          // bytes that follow, of whatever it is
    uint64_t num_lost;            // frames; where fragments of audio are lost too, about so many
    uint64_t first_lost;          // when the first one was shown [ticks of the movie as it is now]
    uint64_t num_parts;           // damaged parts in its middle
    uint64_t num_silent;          // samples that silence stands for, of all tracks
    uint64_t num_unknown_audio;   // fragments of audio that no head describes
    char refusal[256];            // why nothing can be recovered
};

// Look through a file. False: it is not recovered, and found->refusal says why. What its source
// cannot read is damaged: where all reads fail from then on, it ends soon, and what is found means
// nothing. Call recover_found_finish() in any case.
bool recover_find(const struct recover_params *params, struct recover_found *found);
void recover_found_finish(struct recover_found *found);

struct recover_job {
    char *input;
    char *output; // NULL: no new file
};

// Zero it first.
struct recover_jobs {
    struct recover_job *list;
    size_t num, room;
    bool are_several; // of a folder, or of more arguments than one movie and its new file
};

// Make them of the arguments, which end with NULL: one movie and perhaps its new file, movies
// and the folder that their new files go to, or a folder of movies, whose new files lie beside them
// or go to another one. Without new files every argument is a movie or a folder of such. Wrong
// input is reported, before anything is changed. Call recover_jobs_finish() in any case.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_IO, WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result recover_jobs_make(struct recover_jobs *jobs, char *const *arguments,
                                   bool makes_new_files);
void recover_jobs_finish(struct recover_jobs *jobs);

struct recover_movie {
    const char *input;
    const char *output; // the new file; NULL: the input itself, or nothing in a dry run
    bool in_place, dry_run;
    struct recover_params params; // but for its source
    struct cli_progress *progress;
    // What became of it.
    enum weir_result result;
    struct recover_found found; // if the result is WEIR_OK
    bool is_written;
    int fd;
};

// Print a line on a movie that did not fail.
void recover_report_print(const struct recover_movie *movie);

// Write an object on a movie: the whole output, or one of an array.
void recover_report_print_json(const struct recover_movie *movie, struct weir_json *json);

// The steps of recover_find(), and what they share.
struct recover_search {
    const struct recover_params *params;
    struct recover_found *found;
    struct weir_view near, far;   // read headers, and long stretches
    struct weir_movie_found head; // what says what the tracks are; its movie is found->movie
    struct weir_segment segment;
    struct weir_scan scan; // of found->movie. Without marks its pieces were read from tables
};

// Write found->refusal as printf does. Returns false.
bool recover_refuse(struct recover_found *found, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Read frames and samples from the tables of the head. False: it has no frame, or none is where it
// says.
bool recover_read_tables(struct recover_search *search);

// True if the fragments of a plain movie, if it has any, say the same as its tables, which were
// read.
bool recover_agrees(struct recover_search *search);

// Leave out damaged frames, give each frame a time, and put silence where samples are lost.
// False: found->refusal says why.
bool recover_repair(struct recover_search *search);

// Count frames that are lost, from this time on [ticks].
void recover_count_lost(struct recover_found *found, uint64_t ticks, uint64_t num);

// Count the positions of samples from the first frame, mend those that are damaged, and put silence
// where samples are lost. `num_fragments` gets how many had them, about. False: out of memory.
bool recover_repair_audio(struct recover_found *found, uint64_t *num_fragments);
