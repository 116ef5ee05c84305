// SPDX-License-Identifier: MIT
// Command lines as tables: each entry is an option, with the place and the range of its value.
#ifndef SAMPLE_ARGUMENTS_H
#define SAMPLE_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct argument {
    const char *name; // as in "--frames"
    // The variable that gets the value: one of these, by the type of the value.
    bool *flag; // takes no value
    const char **text;
    uint32_t *number;
    float *real;
    uint32_t *size;             // two numbers, as in 1280x720
    int *choice;                // the index of the value in `choices`
    double min, max;            // range of a number
    const char *const *choices; // ended by NULL
};

struct argument_table {
    const struct argument *arguments;
    size_t num_arguments;
};
// Read the option `argv[*place]`, which is in one of the tables, and its value, which follows if
// the option takes one. Moves `*place` behind them. False: the reason was printed.
bool arguments_read(const struct argument_table *tables, size_t num_tables, int argc, char **argv,
                    int *place);

// Print the fault of the command line, and a pointer to the help. Always returns false.
bool arguments_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
