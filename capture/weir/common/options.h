// SPDX-License-Identifier: MIT
// Options of a command line: a table says what there is, and its help comes out of the same table.
// Their values, and names as people type them: written otherwise, by an alias, or with a slip.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <weir/capture.h>

struct cli_size {
    uint32_t width, height;
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
    CLI_RATE,   // struct weir_ratio, see cli_rate_parse()
    CLI_RANGE,  // struct cli_range, see cli_range_parse()
    CLI_SCALE,  // struct cli_scale, see cli_scale_parse()
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
    const char *help;     // a phrase
    bool is_rare;         // only --help all prints it
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

// Print the common options; with `all` every option, and the alternative names of their values.
void cli_options_help(const struct cli_option *options, size_t num_options, bool all, FILE *out);

// Get the option whose name, without its dashes, is a word of `length` characters. NULL: none.
const struct cli_option *cli_options_find(const struct cli_option *options, size_t num_options,
                                          const char *name, size_t length);

// Get the name of the first option that was given in the last command line: of those among `names`,
// which ends with NULL, or else of those that are not. NULL: there is none.
const char *cli_options_find_given(const char *const *names, bool among);

// True if that option was given in the last command line.
bool cli_option_is_given(const char *name);

// Hash all option values except those named in `without`, which ends with NULL.
uint64_t cli_options_digest(const struct cli_option *options, size_t num_options,
                            const void *values, const char *const *without);

// Print the words of a text of `length` bytes in lines of 80 columns, of which all but the first
// begin at `indent`. `column`: where the first begins. Returns the column behind the last word.
int cli_print_words(const char *text, size_t length, int column, int indent, FILE *out);

// The same of names with commas between them. A name stays in one line.
void cli_print_names(const char *const *names, size_t num_names, int column, int indent, FILE *out);

// Parse one size such as "1920x1080", of sides of 1 to CLI_MAX_SIDE. False for anything else.
bool cli_parse_size(const char *text, struct cli_size *size);

// Parse the value of an option, and write it to where the type of the option says. The words of a
// list are not looked at. False for a text that is no such value.
bool cli_value_parse(const struct cli_option *option, const char *text, void *value);

// Parse "A-B", "A-" or "-B", where B is later than A. A time is S, MM:SS or HH:MM:SS in decimal
// digits, the seconds with a fraction of up to nine; parts behind a colon have two digits and are
// below 60. A missing A is 0, a missing B INT64_MAX; one is there. False for any other text.
bool cli_range_parse(const char *text, struct cli_range *range);

enum {
    CLI_MAX_RATE = 1000,
    CLI_MAX_RATE_PART = 1000000, // of a fraction: what a movie's time base holds exactly
};

// Parse a rate above 0 and at most CLI_MAX_RATE: "60", "12.347" or "30000/1001", in decimal digits.
// The fraction is in lowest terms and exact, or the nearest one where a part would be larger than
// CLI_MAX_RATE_PART. The decimals that people write of n * 1000 / 1001 mean these rates: 29.97 is
// 30000/1001. False for any other text.
bool cli_rate_parse(const char *text, struct weir_ratio *rate);

// Parse "1280x720", "1280x" or "x720", of sides of 1 to CLI_MAX_SIDE, or "50%", a share above 0 and
// up to 100 with at most six decimals. False for any other text.
bool cli_scale_parse(const char *text, struct cli_scale *scale);

// Get the size of what is scaled from this size [texels]. A side that was left out keeps the ratio
// of the sides, to the nearest texel. Sides of a share are rounded down, as those of mip levels
// are: 50% and 25% are levels. No side is below 1.
struct cli_size cli_scale_apply(const struct cli_scale *scale, struct cli_size from);

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

// Get the name of that index, from 0; NULL after the last. Other options have none.
const char *cli_choice_name(const struct cli_option *option, int index);

// Get the index of the choice that a word of `length` characters means: by its name, in whatever
// case and with whatever separators, or by an alias of it. -1: by none.
int cli_choice_find(const struct cli_option *option, const char *word, size_t length);

// Print that a word is none of the choices, and which there are.
void cli_choice_print_unknown(const char *command, const struct cli_option *option,
                              const char *word, size_t length);

// Check every word of a list. Prints the first that is none of the choices. False then.
bool cli_choice_check_list(const char *command, const struct cli_option *option, const char *list);
