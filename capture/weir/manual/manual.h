// SPDX-License-Identifier: MIT
// The manual of a program: its pages, and the completions of shells, from its table of commands.
#pragma once

#include <stdio.h>

#include "capture/weir/common/program.h"

// Write the page of a command, or of the program itself if that is NULL. `date` is its day, as
// "2026-11-23".
void manual_write_page(const struct cli_program *program, const struct cli_command *command,
                       const char *date, FILE *out);

// Write what completes the words of the program's commands, options, names and files.
void manual_write_bash(const struct cli_program *program, FILE *out);
void manual_write_zsh(const struct cli_program *program, FILE *out);
void manual_write_fish(const struct cli_program *program, FILE *out);

// True if the option takes names of a table.
bool manual_takes_names(const struct cli_option *option);

// Print these names with blanks between them.
void manual_print_names(const struct cli_option *option, FILE *out);

// Print text in which NAME stands for the name of the program, COMMANDS for those of its commands.
void manual_print_body(const struct cli_program *program, const char *body, FILE *out);
