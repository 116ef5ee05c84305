// SPDX-License-Identifier: MIT
// The loop of the recorder: sockets of layers and of --ctl, signals, times.
#ifndef WEIR_CAPTURE_WEIR_RECORD_SERVER_H
#define WEIR_CAPTURE_WEIR_RECORD_SERVER_H

#include "capture/weir/record/settings.h"

// Start the program of `arguments` and record it until it has ended. The answer is the exit status:
// the program's if there is a movie and all of it is well, else CLI_FAILED.
int record_run(const struct record_settings *settings, char **arguments);

#endif
