// SPDX-License-Identifier: MIT
// A program of commands: its help, and which command runs.
#pragma once

#include <limits.h>

#include <weir/result.h>

#include "capture/base/check.h"
#include "capture/weir/common/options.h"

// The exit status of a program.
enum cli_status {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
};

enum { CLI_ANY_NUMBER = INT_MAX };

struct cli_command {
    const char *name;       // one word
    const char *arguments;  // as in "INPUT OUTPUT.mov"; empty where there are none
    int num_arguments;      // the least number of them
    int max_arguments;      // the greatest, or CLI_ANY_NUMBER; 0: as many as the least
    bool has_options_first; // they stand before the arguments, which begin with -- themselves
    const char *summary;    // one line
    const char *about;      // paragraphs, a blank line between two; --help prints the first
    const char *example;    // lines, each ending in a newline; --help prints three
    const struct cli_option *options;
    size_t num_options;
    // `arguments`: the words, which end with NULL; `values`: what options were parsed into.
    enum cli_status (*run)(char **arguments, const void *values);
    const void *defaults; // values before parsing, `values_size` bytes
    size_t values_size;
    // What completion offers for the first argument and for those after it: as cli_option.files.
    const char *files[2];
};

struct cli_program {
    const char *name;
    const char *summary, *example; // one line each
    const struct cli_command *const *commands;
    size_t num_commands;
    const struct cli_hint *hints; // on words that are no command; NULL: none
};

// The git commit that Weir was built from, with "-dirty" if files were changed; "unknown" outside a
// git repository.
extern const char *const cli_build_commit;

// Get the status of a command that had this result. Prints that no memory is left if that is the
// result and no error has been printed.
enum cli_status cli_status_of(enum weir_result result);

// Return the status of a call from this function unless it is CLI_DONE.
#define CLI_TRY(call)                                                                              \
    do {                                                                                           \
        const enum cli_status cli_try_status = (call);                                             \
        if (cli_try_status != CLI_DONE) {                                                          \
            return cli_try_status;                                                                 \
        }                                                                                          \
    } while (0)

// Print what is wrong with a word of the command line, as printf does. Returns CLI_USAGE.
enum cli_status cli_usage(const char *word, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Return that from this function if a condition holds.
#define CLI_USAGE_IF(condition, ...) WEIR_RETURN_IF(condition, cli_usage(__VA_ARGS__))

// Get the command of that name. NULL: none.
const struct cli_command *cli_program_find(const struct cli_program *program, const char *name);

// Print what may stand for the last of these words behind the program's name, whatever is typed of
// it (complete.c).
void cli_program_complete(const struct cli_program *program, int num, char *const *words);

// Run the command that the command line names, or print help or what is wrong. The answer is the
// exit status.
int cli_program_run(const struct cli_program *program, int argc, char **argv);
