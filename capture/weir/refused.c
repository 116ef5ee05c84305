// SPDX-License-Identifier: MIT
// The commands that this system cannot have.
#include "capture/weir/commands.h"
#include "capture/weir/common/report.h"

static enum cli_status refuse(char **arguments, const void *values)
{
    (void)arguments;
    (void)values;
    return cli_fail(CLI_USAGE, "this command works on Linux only; its --help names another way");
}

const struct cli_command cli_record_command = {
    .name = "record",
    .arguments = "",
    .max_arguments = CLI_ANY_NUMBER,
    .summary = "works on Linux only, and records programs of Windows there",
    .about = "On Linux it records programs, those of Windows by Wine.\n",
    .example = "  weir record -- wine game.exe\n",
    .run = refuse,
    .defaults = "",
    .values_size = 1,
};

const struct cli_command cli_play_command = {
    .name = "play",
    .arguments = "",
    .max_arguments = CLI_ANY_NUMBER,
    .summary = "works on Linux only",
    .about = "On Linux it plays HAP movies; here mpv and HAP players do.\n",
    .example = "  mpv clip.mov\n",
    .run = refuse,
    .defaults = "",
    .values_size = 1,
};
