// SPDX-License-Identifier: MIT
// Ctrl-C: the first asks the program to end well, the second ends it.
#pragma once

#include <stdbool.h>

// Catch SIGINT, SIGTERM and SIGHUP from now on. One that was ignored when the program was started,
// as nohup and a shell's trap '' INT have it, stays ignored.
void cli_interrupt_catch(void);

// True if one of these signals has come.
bool cli_interrupted(void);
