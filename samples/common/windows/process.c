// SPDX-License-Identifier: MIT
// The process of a sample on Windows.
#include "process.h"

#include <signal.h>

void process_begin(void (*note)(int signal_number))
{
    signal(SIGINT, note);
}

void process_on_replay(void (*note)(int signal_number))
{
    (void)note;
}
