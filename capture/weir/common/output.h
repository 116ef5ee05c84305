// SPDX-License-Identifier: MIT
// The path of an output: its ending, and that it is not the input.
#ifndef WEIR_CAPTURE_WEIR_COMMON_OUTPUT_H
#define WEIR_CAPTURE_WEIR_COMMON_OUTPUT_H

#include <stdbool.h>

#include <weir/result.h>

// Whether a name ends so, in letters of either case, and is more than the ending. As in ".png".
bool cli_output_ends_in(const char *path, const char *ending);

// Whether a file is another than its input, by whatever name. Prints that it is not.
enum weir_result cli_output_check(const char *input, const char *output);

#endif
