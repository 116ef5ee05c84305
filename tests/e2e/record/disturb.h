// SPDX-License-Identifier: MIT
// What programs do that harms a library in them which does not expect it: they close descriptors
// that they do not know, and have signals that come at any time.
#pragma once

#include <stdbool.h>

enum closing { CLOSE_NOTHING, CLOSE_ALL, CLOSE_FOR_FILE, CLOSE_FOR_SOCKET, CLOSE_ERROR };
enum signals { SIGNALS_NONE, SIGNALS_RESTART, SIGNALS_INTERRUPT };

// Close every descriptor from 3 on but `kept`. CLOSE_ALL: a file that is opened then gets the
// lowest numbers. With the others a file or a socket gets each of them; with CLOSE_ERROR that file
// gets standard error too.
void disturb_close(enum closing closing, int kept);
// True if all descriptors that were made then are open, and nobody has used them.
bool disturb_is_untouched(void);

// A timer of a millisecond and ends of children, whose handlers let calls go on, or end them.
void disturb_by_signals(enum signals signals);
