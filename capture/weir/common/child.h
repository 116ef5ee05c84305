// SPDX-License-Identifier: MIT
// A part of the program in a child process, which may crash without the rest.
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include <weir/result.h>

// How a child process ended.
struct cli_child_end {
    pid_t id;                // its number, which may be that of another process by now
    enum weir_result result; // of the function; WEIR_ERROR_IO if a signal killed it
    int signal;              // the signal; 0: none
};

// Run `function` in a child process and wait for its end. No other thread may run. What the
// function prints and writes stays, what it changes in memory does not. It prints the reason of a
// failure, but need not where memory failed. Signals that ask the program to end are passed on to
// the child, and if this process is killed, so is the child.
// Errors: WEIR_ERROR_OUT_OF_MEMORY, the system gave no process; the reason is printed.
enum weir_result cli_child_run(enum weir_result (*function)(void *user), void *user,
                               struct cli_child_end *end);

// The same for a function that makes the file `output` of one picture; a signal that kills it is
// reported as below.
// Errors: those of the function; WEIR_ERROR_IO if it was killed; WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result cli_child_make(enum weir_result (*function)(void *user), void *user,
                                const char *input, const char *output);

// Get memory of zeros that child processes share with this one. NULL: there is none.
void *cli_child_share(size_t size);
// Give it back. NULL is allowed.
void cli_child_unshare(void *memory, size_t size);

// Print that a signal killed the process that worked on `input`, and why that may be. What it has
// written of the file `output` under another name is removed; NULL: nothing of the kind.
void cli_child_report(const struct cli_child_end *end, const char *input, const char *output);
