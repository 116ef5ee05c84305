// SPDX-License-Identifier: MIT
// The command line of sample_capture: what is recorded, and how.
#pragma once

#include "sample.h"

struct settings {
    const char *reference; // file of the frames as they were rendered; NULL: none
};

// Read the command line into `settings`, and run the sample. Returns the program's exit status.
int settings_run(struct sample *sample, int argc, char **argv, struct settings *settings);
