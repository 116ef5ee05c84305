// SPDX-License-Identifier: MIT
// What a process does besides presenting: forks, and ends of all kinds.
#ifndef WEIR_TESTS_E2E_RECORD_PROCESS_H
#define WEIR_TESTS_E2E_RECORD_PROCESS_H

#include "options.h"

// Fork: one child becomes another program, the other stays for a moment, with all that the process
// has open.
void process_fork(bool becomes_other);

// Wait for the children, so that none is left.
void process_wait(void);

// End in any way but END_EXIT and END_LEAK, which return.
void process_end(enum end end);

#endif
