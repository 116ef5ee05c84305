// SPDX-License-Identifier: MIT
// A command of the program: its name, its help and what it runs.
#ifndef WEIR_CAPTURE_CLI_COMMAND_H
#define WEIR_CAPTURE_CLI_COMMAND_H

#include "capture/cli/options.h"

// What the program answers to its shell.
enum cli_status {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
};

struct cli_command {
    const char *name;      // one word, or two as in "bench encode"
    const char *arguments; // as in "INPUT OUTPUT.mov"; empty where there are none
    int num_arguments;     // exactly so many
    const char *summary;   // one line
    const char *about;     // a few lines, each ending in a newline
    const char *example;   // likewise
    const struct cli_option *options;
    size_t num_options;
    // `arguments`: num_arguments words; `values`: what the options were parsed into.
    enum cli_status (*run)(char **arguments, const void *values);
    const void *defaults; // values before parsing, `values_size` bytes
    size_t values_size;
};

extern const struct cli_command cli_info_command, cli_transcode_command, cli_bench_encode_command,
    cli_bench_pyramid_command, cli_bench_palette_command, cli_mips_command, cli_texture_command,
    cli_palette_command;

#endif
