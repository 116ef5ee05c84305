// SPDX-License-Identifier: MIT
// Ctrl-C: the first asks the program to end well, the second ends it.
#pragma once

#include <stdbool.h>

// Catch SIGINT, SIGTERM and SIGHUP from now on. One that was ignored when the program was started,
// as nohup and a shell's trap '' INT have it, stays ignored.
void cli_interrupt_catch(void);

// Pass these signals on to a child process too from now on; 0: to none.
void cli_interrupt_pass_on(int process);

// In a child process: any number of these signals is noted. It gets each of a terminal's twice,
// once from the parent; the second that somebody sends ends the parent, and with it the child.
void cli_interrupt_only_note(void);

// True if one of these signals has come.
bool cli_interrupted(void);
