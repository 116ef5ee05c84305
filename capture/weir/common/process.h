// SPDX-License-Identifier: MIT
// What a program makes of the process that it was started in, before anything else.
#ifndef WEIR_CAPTURE_WEIR_COMMON_PROCESS_H
#define WEIR_CAPTURE_WEIR_COMMON_PROCESS_H

// Open standard input, output and error where the process was started without them, so that no file
// of ours gets their numbers and then our messages. To read or write them still fails. A write to a
// closed pipe, or beyond a limit of the file's size, becomes a failure like any other instead of a
// signal that ends the program.
void cli_process_begin(void);

#endif
