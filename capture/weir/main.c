// SPDX-License-Identifier: MIT
// The program weir.
#include <string.h>

#include "capture/weir/commands.h"
#include "capture/weir/decoder/decoder.h"

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], DECODER_ARGUMENT) == 0) {
        return decoder_serve(argv[2]);
    }
    return cli_program_run(&cli_weir_program, argc, argv);
}
