// SPDX-License-Identifier: MIT
// The process of a sample, which differs between systems.
#pragma once

// Opens those of standard input, output and error that are closed, so that no file gets their
// numbers and then our messages. A write to a closed pipe or beyond a limit of the file's size
// becomes an error instead of a signal. SIGINT, SIGTERM and SIGHUP are noted, the first of each,
// unless they are ignored already, as by nohup. Of these Windows has Ctrl-C, which is SIGINT.
void process_begin(void (*note)(int signal_number));

// Note SIGUSR1, each time. Windows has no such signal.
void process_on_replay(void (*note)(int signal_number));
