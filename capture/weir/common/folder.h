// SPDX-License-Identifier: MIT
// The pictures of a folder, or of a numbered sequence, become files of a folder.
#ifndef WEIR_CAPTURE_WEIR_COMMON_FOLDER_H
#define WEIR_CAPTURE_WEIR_COMMON_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include <weir/result.h>

#include "capture/files/source/list.h"

struct cli_folder {
    const char *output; // borrowed
    const char *ending; // of its files, without the dot; borrowed
    struct weir_source_list list;
    bool *left_out;     // by file of the list: it failed before
    bool made;          // the output was not there before
    size_t num_done;    // files of the last pass
    const char *wanted; // what the output is a folder for, in messages; borrowed
};

// Whether there is a folder or a sequence behind a path, and not one file.
bool cli_folder_is_several(const char *input);

// Find the pictures, and make the output if it is missing. Prints the reason of a failure. Close it
// in every case.
enum weir_result cli_folder_open(struct cli_folder *folder, const char *input, const char *output,
                                 const char *ending, const char *wanted);
// A folder that was made for nothing is removed again.
void cli_folder_close(struct cli_folder *folder);

// What becomes of one picture; `output` is its file. Prints the reason of a failure.
typedef enum weir_result cli_folder_file(void *user, const char *input, const char *output);

// Go through all pictures once. One that fails is told and is left out from then on, and the others
// are done all the same; a full disk, a lost device and Ctrl-C end the pass. Answers the last
// failure.
enum weir_result cli_folder_run(struct cli_folder *folder, cli_folder_file *file, void *user);

#endif
