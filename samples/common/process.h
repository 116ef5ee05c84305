// SPDX-License-Identifier: MIT
// What a sample makes of the process that it was started in: its standard streams, and signals.
#ifndef SAMPLE_PROCESS_H
#define SAMPLE_PROCESS_H

#include <stdbool.h>

// Call it first in main(). Opens those of standard input, output and error that are closed, so that
// no file gets their numbers and then our messages. A write to a closed pipe or beyond a limit of
// the file's size becomes an error instead of a signal. SIGINT, SIGTERM and SIGHUP are noted, the
// first of each, unless they are ignored already, as by nohup.
void process_begin(void);

// True if one of these signals has come: end well.
bool process_interrupted(void);

// Note SIGUSR1 from now on, which asks for a replay. True if it has come since the last call.
void process_note_replay(void);
bool process_wants_replay(void);

// Return true if all that was printed has been written. Otherwise print an error.
bool process_has_printed(void);

#endif
