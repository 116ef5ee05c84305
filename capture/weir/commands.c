// SPDX-License-Identifier: MIT
// The program weir as data: what it says of itself, and the table of its commands.
#include "capture/weir/commands.h"

static const struct cli_command *const commands[] = {
    &cli_record_command,  &cli_transcode_command, &cli_mips_command,
    &cli_texture_command, &cli_palette_command,   &cli_recover_command,
    &cli_join_command,    &cli_play_command,      &cli_info_command,
};

static const struct cli_hint hints[] = {
    {"bench", "weir-bench is a program of its own"},
    {NULL, NULL},
};

const struct cli_program cli_weir_program = {
    .name = "weir",
    .summary = "turns rendered frames, pictures and movies into HAP movies on the GPU.",
    .example = "weir transcode clip.mp4 clip.mov",
    .commands = commands,
    .num_commands = sizeof(commands) / sizeof(commands[0]),
    .hints = hints,
};
