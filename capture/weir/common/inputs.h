// SPDX-License-Identifier: MIT
// The inputs of a command: every argument but the last, which is the output.
#ifndef WEIR_CAPTURE_WEIR_COMMON_INPUTS_H
#define WEIR_CAPTURE_WEIR_COMMON_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

struct cli_inputs {
    char *const *paths; // borrowed
    size_t num;         // 1 at least
};

// Get the inputs, and the output, of at least two arguments, which end with NULL.
struct cli_inputs cli_inputs_get(char *const *arguments, const char **output);

// True if the inputs become files of a folder: there are several, or the one is a folder or a
// numbered sequence, or the output is said to be a folder (cli_output_is_named_folder()).
bool cli_inputs_are_several(const struct cli_inputs *inputs, const char *output);

#endif
