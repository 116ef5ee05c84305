// SPDX-License-Identifier: MIT
// A part of the program in a child process, which may crash without the rest.
#ifndef WEIR_CAPTURE_WEIR_COMMON_CHILD_H
#define WEIR_CAPTURE_WEIR_COMMON_CHILD_H

#include <sys/types.h>

#include <weir/result.h>

// How a child process ended.
struct cli_child_end {
    pid_t id;                // its number, which may be that of another process by now
    enum weir_result result; // of the function; WEIR_ERROR_IO if a signal killed it
    int signal;              // the signal; 0: none
};

// Run `function` in a child process and wait for its end. No other thread may run. What the
// function prints and writes stays, what it changes in memory does not. Signals that ask the
// program to end are passed on to the child, and if this process is killed, so is the child.
// Errors: WEIR_ERROR_OUT_OF_MEMORY, the system gave no process; the reason is printed.
enum weir_result cli_child_run(enum weir_result (*function)(void *user), void *user,
                               struct cli_child_end *end);

#endif
