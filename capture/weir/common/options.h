// SPDX-License-Identifier: MIT
// Options of a command line: a table says what there is, and its help comes out of the same table.
#ifndef WEIR_CAPTURE_WEIR_COMMON_OPTIONS_H
#define WEIR_CAPTURE_WEIR_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct cli_size {
    uint32_t width, height;
};
struct cli_rate {
    uint32_t num, den;
};
struct cli_range {
    int64_t from_ns, to_ns;
};
struct cli_scale {
    uint32_t width, height; // 0 = by the other side, or by `share`
    uint32_t share;         // in millionths of a percent; 0 = none
};

enum cli_option_type {
    CLI_FLAG,   // bool
    CLI_TEXT,   // const char *
    CLI_NUMBER, // uint64_t, in min .. max; or `word`, which is UINT64_MAX
    CLI_REAL,   // double, in real_min .. real_max
    CLI_BYTES,  // uint64_t, as 2G, 1.5G or 512M, of 1024 each; at least a mebibyte
    CLI_STREAM, // uint64_t, bytes a second, as 60M, 1.5G or 800k, of 1000 each; at least 1k
    CLI_SIZE,   // struct cli_size, as 1920x1080
    CLI_RATE,   // struct cli_rate, see value.h
    CLI_RANGE,  // struct cli_range, see value.h
    CLI_SCALE,  // struct cli_scale, see value.h
    CLI_CHOICE, // int, the index into `choices` or of `choice`
    CLI_LIST,   // const char *, some of the same names with commas between them
};

// A hint for the message about an unknown word. A table of hints ends with NULL.
struct cli_hint {
    const char *name, *text; // the unknown word, and the text of its hint
};

// Get the text on a word of `length` characters. NULL if there is none; `hints` may be NULL.
const char *cli_hint_find(const struct cli_hint *hints, const char *name, size_t length);

// Tables give the first four by their places, and the rest by name.
struct cli_option {
    const char *name; // without its dashes
    enum cli_option_type type;
    size_t offset;        // place of the value in the struct that is parsed into [bytes]
    const char *argument; // the name of its argument in the help; NULL for a flag
    const char *help;     // one line
    uint64_t min, max;
    const char *word; // of a number: a word for UINT64_MAX, as "auto"; NULL: none
    double real_min, real_max;
    const char *const *choices;       // ends with NULL
    const char *(*choice)(int index); // instead of `choices`: its names, NULL after the last
    const struct cli_hint *hints;     // on names that are no choice; NULL: none
    // Of a text that names a file: the endings, as "gpl hex"; "*": any; "/": a folder
    const char *files;
};

enum { CLI_MAX_SIDE = 65535 }; // what a QuickTime movie can say

// Parse `argv` into `values`, and the words that are no options, in their order, into `arguments`
// (room for `argc` + 1), which end with NULL. Returns how many these are. Wrong input is reported
// on standard error, as a message of `command`; -1 then.
int cli_options_parse(const char *command, const struct cli_option *options, size_t num_options,
                      int argc, char **argv, void *values, char **arguments);

// Print a line for each option, and the alternative names of their values.
void cli_options_help(const struct cli_option *options, size_t num_options, FILE *out);

// Hash all option values except those named in `without`, which ends with NULL.
uint64_t cli_options_digest(const struct cli_option *options, size_t num_options,
                            const void *values, const char *const *without);

// True if one of the options has that name for a value.
bool cli_options_take(const struct cli_option *options, size_t num_options, const char *name);

// Print names with commas between them and go on in the next line, from column `indent`, before
// column 100. `column` is where the line stands.
void cli_print_names(const char *const *names, size_t num_names, int column, int indent, FILE *out);

// Parse one size such as "1920x1080". False for anything else; 0 is parsed as it is.
bool cli_parse_size(const char *text, struct cli_size *size);

#endif
