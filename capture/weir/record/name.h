// SPDX-License-Identifier: MIT
// The names of movies: where they are not given, and where one is there already.
#ifndef WEIR_CAPTURE_WEIR_RECORD_NAME_H
#define WEIR_CAPTURE_WEIR_RECORD_NAME_H

#include <stdint.h>
#include <time.h>

// Get the folder of the user's videos, as user-dirs.dirs of XDG names it, if it is there. NULL: it
// is not. The caller frees it.
char *record_name_videos(void);

// Get the path of the first movie. `output`: a movie, or a folder; NULL: the folder of videos, else
// the current one. In a folder it is PROGRAM-YYYY-MM-DD-HHMMSS.mov, by local time. NULL: no memory.
// The caller frees it.
char *record_name_first(const char *output, const char *program, time_t now);

// Get a path at which no movie is, no segment of one and no sidecar: `first` itself, or with -2, -3
// and so on before its ending, from `*number` on, which becomes that of the next one to try.
// NULL: no memory. The caller frees it.
char *record_name_free(const char *first, uint32_t *number);

// The same, and hold the path by an empty file in the place of the first segment, so that no other
// recorder takes it. The capture replaces that file.
char *record_name_hold(const char *first, uint32_t *number);
// Remove that file if it is still empty.
void record_name_drop(const char *path);

// Get the name of the first segment of a movie. NULL: no memory. The caller frees it.
char *record_name_segment(const char *path);

#endif
