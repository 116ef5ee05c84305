// SPDX-License-Identifier: MIT
// The commands of the program weir-bench, each in a folder of its name.
#ifndef WEIR_TESTS_BENCH_COMMANDS_H
#define WEIR_TESTS_BENCH_COMMANDS_H

#include "capture/weir/common/program.h"

extern const struct cli_command bench_encode_command, bench_pyramid_command, bench_palette_command;

#endif
