// SPDX-License-Identifier: MIT
// Inputs (of a folder, of a numbered sequence, or named one by one) become files of a folder.
#pragma once

#include "capture/files/source/list.h"
#include "capture/weir/common/paths.h"

// Set the first members, and zero the rest.
struct cli_folder {
    const char *output; // borrowed, as all names
    const char *ending; // of its files, without the dot
    const char *wanted; // the name for messages of the files that the folder gets
    const char *other;  // an output beside them; NULL: none
    // Each input is taken as it is, for one file: it is an error if two would become the same. One
    // that fails may have an output, which it reports itself.
    bool takes_each;

    struct weir_source_list list;
    char **outputs;      // by file of the list: the file that it becomes
    const char **rivals; // by file of the list: the first that would become the same; NULL: none
    bool *is_left_out;   // by file of the list: it has failed
    size_t num_done;     // files that the last run completed
    bool made;           // the output folder did not exist before
};

// Find the inputs, and make the output if it is missing. No file which the folder gets may be one
// of the inputs or another such file. Prints the reason of a failure. Close it in every case.
enum weir_result cli_folder_open(struct cli_folder *folder, const struct cli_inputs *inputs);

// Removes the output folder if it was made and has stayed empty.
void cli_folder_close(struct cli_folder *folder);

// Makes the file `output` of one picture. Prints the reason of a failure.
typedef enum weir_result cli_folder_file(void *user, const char *input, const char *output);

// Call `file` once for every picture. A picture that fails is left out from now on; the run goes on
// with the others. A full disk, a lost device and Ctrl-C end the run. Returns the last failure.
enum weir_result cli_folder_run(struct cli_folder *folder, cli_folder_file *file, void *user);
