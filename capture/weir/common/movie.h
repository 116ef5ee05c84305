// SPDX-License-Identifier: MIT
// What the program reads and says of a movie, and how it writes one.
#pragma once

#include "capture/base/json.h"
#include "capture/movie/boxes.h"
#include "capture/movie/movie.h"
#include "capture/movie/read.h"
#include "capture/weir/common/report.h"

// True for a part of a movie that weir transcode made, else it is a segment of a recording.
bool cli_movie_is_part(const struct weir_segment *segment);
const char *cli_segment_name(const struct weir_segment *segment);
// Print which one a movie is, if it is one; the first segment need not have a second.
void cli_movie_print_segment(const struct weir_movie *movie);

struct cli_movie_file {
    const char *path; // borrowed
    struct weir_movie_found found;
    uint64_t size; // of the file [bytes]
};

// Read a movie of HAP with its tables, if it was closed. Finish it in any case. Prints the reason
// of a failure, in the name of a command such as "weir info".
// Errors: WEIR_ERROR_IO, WEIR_ERROR_DATA (no movie of HAP, no index), WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result cli_movie_file_read(struct cli_movie_file *movie, const char *command,
                                     const char *path);
void cli_movie_file_finish(struct cli_movie_file *movie);

// Get how long its frames last [s].
double cli_movie_seconds(const struct weir_movie *movie);

// Print a line for each track of audio, for the time code, and for each chapter.
void cli_movie_print_audio(const struct weir_movie *movie);
void cli_movie_print_timecode(const struct weir_movie *movie);
void cli_movie_print_chapters(const struct weir_movie *movie);

// Write its path, its frames as below, and whether it was closed.
void cli_movie_file_json(struct weir_json *json, const struct cli_movie_file *movie);

// Write members of the object that is open: codec (null: unknown), size, number of frames and
// seconds; which segment of a recording it is, or null (NULL, or number 0); its time code, or null;
// an array of its audio tracks; an array of its chapters.
void cli_movie_json_frames(struct weir_json *json, const struct weir_movie *movie);
void cli_movie_json_segment(struct weir_json *json, const struct weir_segment *segment);
void cli_movie_json_timecode(struct weir_json *json, const struct weir_movie *movie);
void cli_movie_json_audio(struct weir_json *json, const struct weir_movie *movie);
void cli_movie_json_chapters(struct weir_json *json, const struct weir_movie *movie);

// Get the source that a view reads such a file by. `fd` is borrowed, and read at each call.
struct weir_view_source cli_read_source(int *fd, uint64_t size);

// A plain movie of frames and samples that lie in files already, as the capture writes one: with
// the fragments that it grew by in it.
struct cli_movie_target {
    const char *path;
    // Get the descriptor of a file, and its name for messages. -1: it cannot be opened, and the
    // reason was printed.
    int (*open)(void *user, uint32_t source, const char **name);
    void *user;
    struct cli_progress *progress;
};

// Write a new file, under a temporary name until all of it is on the disk. A failure is reported,
// and leaves nothing.
enum weir_result cli_movie_write(const struct weir_movie *movie,
                                 const struct cli_movie_target *target);
