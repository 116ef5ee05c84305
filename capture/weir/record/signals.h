// SPDX-License-Identifier: MIT
// The signals that the recorder listens to, as a file that can be polled.
#ifndef WEIR_CAPTURE_WEIR_RECORD_SIGNALS_H
#define WEIR_CAPTURE_WEIR_RECORD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

// Block SIGCHLD, SIGUSR1, SIGINT, SIGTERM and SIGHUP, and get a file descriptor that they come
// from; -1 with errno. Of the last three one that was ignored when the program was started stays
// so. `*before` is for a program that is started.
int record_signals_open(sigset_t *before);

// Get a signal that has come; 0: none. `*by_terminal`: the terminal sent it to all processes of
// its foreground group.
int record_signals_read(int fd, bool *by_terminal);

#endif
