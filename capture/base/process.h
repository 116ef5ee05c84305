// SPDX-License-Identifier: MIT
// The process of a program: its arguments, its standard streams, and what interrupts it.
#pragma once

// Call it first in main(). Open standard input, output and error where the process was started
// without them, so that no file of ours gets their numbers and then our messages. To read or write
// them still fails. A write to a closed pipe, or beyond a limit of the file's size, becomes a
// failure like any other instead of a signal that ends the program. The arguments become UTF-8.
void weir_process_prepare(int *argc, char ***argv);

// Call `note` on the first Ctrl-C and the like, perhaps in a signal handler; the second one ends
// the program. What was ignored when the program was started, as nohup and a shell's trap '' INT
// have it, stays ignored.
void weir_process_on_interrupt(void (*note)(void));
