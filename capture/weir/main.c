// SPDX-License-Identifier: MIT
// The program weir.
#include "capture/weir/commands.h"

int main(int argc, char **argv)
{
    return cli_program_run(&cli_weir_program, argc, argv);
}
