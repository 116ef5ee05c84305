// SPDX-License-Identifier: MIT
// Command lines as tables: an entry an option, which says where its value goes and what it may be.
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
    double min, max;            // of a number
    const char *const *choices; // ended by NULL
};

// Read `argument`s of one table or another. `argv[*place]` is an option; its value, where it takes
// one, follows. Moves `*place` behind them. False: the reason was printed.
struct argument_table {
    const struct argument *arguments;
    size_t num_arguments;
};
bool arguments_read(const struct argument_table *tables, size_t num_tables, int argc, char **argv,
                    int *place);

// Print what is wrong with the command line, and where the help is. Always false.
bool arguments_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
