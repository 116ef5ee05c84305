// SPDX-License-Identifier: MIT
// Runs weir record as its command line says: a recording, or a word to one that runs.
#ifndef WEIR_CAPTURE_WEIR_RECORD_RUN_H
#define WEIR_CAPTURE_WEIR_RECORD_RUN_H

#include "capture/weir/common/program.h"

// As cli_command.run: `values` is a struct record_options.
enum cli_status record_command_run(char **arguments, const void *values);

#endif
