// SPDX-License-Identifier: MIT
// What the commands of weir-bench share: a run on a device, with a table and a JSON file.
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "capture/weir/common/options.h"
#include "capture/weir/common/program.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/gpu/gpu.h"
#include "tests/bench/report.h"

#define BENCH_COUNT(array) (sizeof(array) / sizeof((array)[0]))

// Entries of a table of options. `type` has the fields `const char *json`, `uint64_t device` and
// `bool validation`.
// clang-format off
#define BENCH_OPTIONS(type)                                                                        \
    {"json", CLI_TEXT, offsetof(type, json), "FILE",                                               \
     .help = "write the figures there too; - is standard output", .files = "json"},                \
    CLI_OPTION_DEVICE(type), CLI_OPTION_VALIDATION(type)
// clang-format on

extern const struct cli_command bench_encode_command, bench_pyramid_command, bench_palette_command,
    bench_play_command;

// The command line, which JSON files repeat.
void bench_set_command_line(int argc, char **argv);

// The run of a command on a device.
struct bench_task {
    const char *name;                 // of the command
    const char *json;                 // NULL: no JSON file
    struct weir_device_params device; // without a log: messages are printed
    const char *const *inputs;        // files that are read
    uint32_t num_inputs;
    // Print the tables, and put what the JSON file has besides the device.
    enum weir_result (*measure)(struct cli_gpu *gpu, FILE *table, struct bench_value *json,
                                void *user);
    void *user;
};

// Open the device, measure, and write the JSON file. Prints the reason of a failure.
enum cli_status bench_task_run(const struct bench_task *task);

// Print the versions, `what` is measured, and the device.
void bench_print_head(FILE *out, const struct cli_gpu *gpu, const char *what);

// Copy the next word, and go on behind its comma. False: it has no room.
bool bench_next_word(const char **list, char *word, size_t size);

// Mark each name of a list that was checked, by its index among the option's.
void bench_choose(const struct cli_option *option, const char *list, bool *chosen);

struct bench_area {
    uint32_t width, height, layers;
};
// Parse sizes: WxH, or a name as 1080p; for pyramids also WxHxLAYERS, and not 1x1, which has no
// further level. Returns how many; -1: one is wrong, and that is printed.
int bench_parse_areas(const char *command, const char *list, bool is_pyramid,
                      struct bench_area *areas, int max);
