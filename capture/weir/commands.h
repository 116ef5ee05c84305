// SPDX-License-Identifier: MIT
// The commands of the program weir, each in a folder of its name.
#pragma once

#include "capture/weir/common/program.h"

extern const struct cli_command cli_info_command, cli_transcode_command, cli_mips_command,
    cli_texture_command, cli_palette_command, cli_recover_command, cli_join_command,
    cli_record_command, cli_play_command;

extern const struct cli_program cli_weir_program;
