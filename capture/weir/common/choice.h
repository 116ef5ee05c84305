// SPDX-License-Identifier: MIT
// The names that an option takes, and what is said on others.
#ifndef WEIR_CAPTURE_WEIR_COMMON_CHOICE_H
#define WEIR_CAPTURE_WEIR_COMMON_CHOICE_H

#include "capture/weir/common/options.h"

// Get the name of that index, from 0; NULL after the last.
const char *cli_choice_name(const struct cli_option *option, int index);

// Get the index of the choice that a word of `length` characters means: by its name, in whatever
// case and with whatever separators, or by an alias of it. -1: by none.
int cli_choice_find(const struct cli_option *option, const char *word, size_t length);

// Print that a word is none of the choices, and which there are.
void cli_choice_print_unknown(const char *command, const struct cli_option *option,
                              const char *word, size_t length);

// Check every word of a list. Prints the first that is none of the choices. False then.
bool cli_choice_check_list(const char *command, const struct cli_option *option, const char *list);

#endif
