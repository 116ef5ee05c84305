// SPDX-License-Identifier: MIT
// Starts a recorder for a program that was not started by one: the environment has WEIR_RECORD=1.
#ifndef WEIR_CAPTURE_LAYER_START_H
#define WEIR_CAPTURE_LAYER_START_H

// Get the path of the recorder's socket: that of the environment, or of a recorder that is started
// once for the program. NULL: none is wanted, or none can be started, which one line on standard
// error says. Thread-safe.
const char *layer_recorder_path(void);

#endif
