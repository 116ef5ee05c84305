// SPDX-License-Identifier: MIT
// Inputs (of a folder, of a numbered sequence, or named one by one) become files of a folder.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <weir/result.h>

#include "capture/files/source/list.h"
#include "capture/weir/common/paths.h"

struct cli_folder {
    const char *output; // borrowed
    const char *ending; // of its files, without the dot; borrowed
    struct weir_source_list list;
    char **outputs;        // by file of the list: the file that it becomes
    bool keeps_parts;      // an input that fails may have an output, which it reports itself
    bool in_passes;        // every run goes through all files that are not left out
    bool made;             // the output folder did not exist before
    const char *wanted;    // the name for messages of the files that the folder gets; borrowed
    unsigned char *states; // by file of the list: what has become of it
};

// Find the pictures, and make the output if it is missing. Prints the reason of a failure. Close it
// in every case.
enum weir_result cli_folder_open(struct cli_folder *folder, const struct cli_inputs *inputs,
                                 const char *output, const char *ending, const char *wanted);

// The same where each input is taken as it is, for one file. It is an error if two would become the
// same file, or if one would replace an input.
enum weir_result cli_folder_open_each(struct cli_folder *folder, const struct cli_inputs *inputs,
                                      const char *output, const char *ending, const char *wanted);

// Check that no file which the folder gets is one of the inputs or another such file; nor is
// `other`, an output beside them, or NULL. Prints an error if one is.
enum weir_result cli_folder_check(const struct cli_folder *folder, const char *other);

// Removes the output folder if it was made and has stayed empty.
void cli_folder_close(struct cli_folder *folder);

// Makes the file `output` of one picture. Prints the reason of a failure.
typedef enum weir_result cli_folder_file(void *user, const char *input, const char *output);

// Call `file` once for every picture. A picture that fails is left out from now on; the run goes on
// with the others. A full disk, a lost device and Ctrl-C end the run. Returns the last failure.
enum weir_result cli_folder_run(struct cli_folder *folder, cli_folder_file *file, void *user);

// Get how many files the last run completed.
size_t cli_folder_num_done(const struct cli_folder *folder);
