// SPDX-License-Identifier: MIT
// The path of an output: its ending, and whether it is a folder.
#ifndef WEIR_CAPTURE_WEIR_COMMON_OUTPUT_H
#define WEIR_CAPTURE_WEIR_COMMON_OUTPUT_H

#include <stdbool.h>

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

#endif
