// SPDX-License-Identifier: MIT
// Names as people type them: written otherwise, by an alias, or with a slip; and the names that an
// option takes.
#ifndef WEIR_CAPTURE_WEIR_COMMON_NAMES_H
#define WEIR_CAPTURE_WEIR_COMMON_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "capture/weir/common/options.h"

// True if a word of `length` characters is `name`. Case and the separators - _ . and blank do not
// count: Hap-Q is hap_q.
bool cli_name_is(const char *name, const char *word, size_t length);

// Another name of a codec.
struct cli_alias {
    const char *alias, *name;
};

// Get the table of all, which ends with NULLs.
const struct cli_alias *cli_alias_list(void);

// The one name that was probably meant by an unknown word.
struct cli_guess {
    const char *word;
    size_t length;    // of the word
    const char *name; // the nearest name so far; NULL: none is near, or several are as near
    size_t distance;  // edits between the two
};

// Begin to guess. Each name that the word could be is given to cli_guess_consider() then.
struct cli_guess cli_guess_begin(const char *word, size_t length);
void cli_guess_consider(struct cli_guess *guess, const char *name);

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
