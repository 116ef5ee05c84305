// SPDX-License-Identifier: MIT
// What --ctl sends to a running recorder: a packet of text each way.
#ifndef WEIR_CAPTURE_WEIR_RECORD_CONTROL_H
#define WEIR_CAPTURE_WEIR_RECORD_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/weir/common/program.h"
#include "capture/weir/record/recording.h"

enum record_verb {
    RECORD_START, // or go on after a pause
    RECORD_STOP,
    RECORD_PAUSE,
    RECORD_MARK,
    RECORD_REPLAY,
    RECORD_STATUS,
    RECORD_NUM_VERBS,
};

// Get the name of a verb; NULL after the last.
const char *record_verb_name(int verb);

// Of each packet, with the 0 at its end.
enum { RECORD_REQUEST_SIZE = 8192, RECORD_ANSWER_SIZE = 65536, RECORD_MAX_ASKERS = 8 };

// Who has connected to the socket `control`.
struct record_asker {
    int socket; // -1: nobody
    uint64_t since_ns;
    bool waits; // for the movies to be closed
};

// Take a connection. One that does not fit is closed.
void record_control_accept(struct record_asker askers[RECORD_MAX_ASKERS], int listener);
// Read a request and answer it.
void record_control_read(struct record_asker *asker, struct record_recording *recording);
// Answer those that wait for movies which are closed by now; end with those that say nothing.
void record_control_tick(struct record_asker askers[RECORD_MAX_ASKERS],
                         const struct record_recording *recording);

// Send a verb to the recorder of a process, 0 = the newest, and print its answer. `argument`: a
// title or a file; NULL: none.
enum cli_status record_control_ask(enum record_verb verb, const char *argument, uint64_t process,
                                   bool json);

#endif
