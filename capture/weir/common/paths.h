// SPDX-License-Identifier: MIT
// The paths of a command: its inputs, of which one may be standard input, and its output. No output
// is an input, and no two outputs are one file, whatever the names by which they are called.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/result.h>

struct cli_path;

// Zero it first.
struct cli_paths {
    struct cli_path *list;
    size_t num, room;
    bool is_short; // of memory
};

// Add a file; the path is borrowed. "-" is standard input, or no file for an output. NULL is none.
void cli_paths_add_input(struct cli_paths *paths, const char *path);
void cli_paths_add_output(struct cli_paths *paths, const char *path);

// Check all of them, before anything is written, and forget them. Prints the first output that is
// an input or another output. Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result cli_paths_check(struct cli_paths *paths);

// Check one input and one output, which may be NULL.
enum weir_result cli_paths_check_pair(const char *input, const char *output);

// True if both are there and one file, whatever names it is called by.
bool cli_is_same_file(const char *input, const char *output);

struct cli_inputs {
    char *const *paths; // borrowed
    size_t num;         // 1 at least
};

// Get the inputs, and the output, of arguments that end with NULL; of a single one it is NULL.
struct cli_inputs cli_inputs_get(char *const *arguments, const char **output);

// True if the inputs become files of a folder: there are several, or the one is a folder or a
// numbered sequence, or the output is said to be a folder (cli_output_is_named_folder()).
bool cli_inputs_are_several(const struct cli_inputs *inputs, const char *output);

// True if a name ends in `ending`, such as ".png", in letters of either case, and is longer than
// it.
bool cli_output_ends_in(const char *path, const char *ending);

// True if the name of an output stands for a folder: a folder of that name is there, or it ends in
// a slash, or it has no ending. An ending is a dot and letters or digits behind it, not digits
// alone; what has one is meant to be a file.
bool cli_output_is_folder(const char *path);

// True if a folder of that name is there, or the name ends in a slash.
bool cli_output_is_named_folder(const char *path);

// Check that there is nothing of that name: a take is never replaced by another. Else prints an
// error, in which `what` ("the whole movie") is what needs another name, and returns false.
bool cli_output_check_new(const char *path, const char *what);

// Check that an output which gets several files, `what` ("the levels become files of a folder"),
// stands for a folder. Else says so as cli_usage() does, and returns false.
bool cli_output_check_folder(const char *output, const char *what);

// If the only input is "-", take all of standard input, and make "/dev/stdin" of the input: a file
// that can be opened several times and read from any place, which decoders of pictures do. What
// comes by a pipe is kept in memory, and may have `max_memory` bytes; 0 = the default.
// Prints the reason of a failure. Errors: WEIR_ERROR_IO, WEIR_ERROR_UNSUPPORTED (too large),
// WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result cli_standard_input_take(struct cli_inputs *inputs, uint64_t max_memory);
