// SPDX-License-Identifier: MIT
// The path of an output: its ending, and that it is not the input.
#ifndef WEIR_CAPTURE_WEIR_COMMON_OUTPUT_H
#define WEIR_CAPTURE_WEIR_COMMON_OUTPUT_H

#include <stdbool.h>

#include <weir/result.h>

// True if a name ends in `ending`, such as ".png", in letters of either case, and is longer than
// it.
bool cli_output_ends_in(const char *path, const char *ending);

// Check that an output is not the same file as the input, whatever their names. Prints an error if
// it is.
enum weir_result cli_output_check(const char *input, const char *output);

#endif
