// SPDX-License-Identifier: MIT
// Which movies are recovered, and where each goes.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_INPUTS_H
#define WEIR_CAPTURE_WEIR_RECOVER_INPUTS_H

#include <weir/result.h>

#include <stdbool.h>
#include <stddef.h>

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

#endif
