// SPDX-License-Identifier: MIT
// Ctrl-C: the first asks the program to end well, the second ends it.
#ifndef WEIR_CAPTURE_WEIR_COMMON_INTERRUPT_H
#define WEIR_CAPTURE_WEIR_COMMON_INTERRUPT_H

#include <stdbool.h>

// Take SIGINT, SIGTERM and SIGHUP from here on.
void cli_interrupt_catch(void);

// Whether one has come.
bool cli_interrupted(void);

#endif
