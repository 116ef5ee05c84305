// SPDX-License-Identifier: MIT
// The program weir-bench: the table of its commands.
#include <string.h>

#include "capture/weir/decoder/decoder.h"
#include "tests/bench/bench.h"

int main(int argc, char **argv)
{
    static const struct cli_command *const commands[] = {
        &bench_encode_command,
        &bench_pyramid_command,
        &bench_palette_command,
        &bench_play_command,
    };
    static const struct cli_program program = {
        .name = "weir-bench",
        .summary = "how fast Weir is against the floor of the device.",
        .example = "weir-bench encode --sizes 2160p --json bench.json",
        .commands = commands,
        .num_commands = BENCH_COUNT(commands),
    };
    if (argc == 3 && strcmp(argv[1], DECODER_ARGUMENT) == 0) {
        return decoder_serve(argv[2]);
    }
    bench_set_command_line(argc, argv);
    return cli_program_run(&program, argc, argv);
}
