// SPDX-License-Identifier: MIT
// The JSON of the commands: the file, and what all of them say first.
#ifndef WEIR_TESTS_BENCH_JSON_H
#define WEIR_TESTS_BENCH_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "capture/weir/common/json.h"
#include "capture/weir/gpu/gpu.h"

// Entry of a table of options. `type` has the field `const char *json`.
// clang-format off
#define BENCH_OPTION_JSON(type)                                                                    \
    {"json", CLI_TEXT, offsetof(type, json), "FILE",                                               \
     .help = "write the figures there too; - is standard output", .files = "json"}
// clang-format on

// Check that a file can be written, before minutes are spent on the measurement.
bool bench_json_can_write(const char *path);
// The stream of the table: where the JSON goes to standard output, the table is not in its way.
FILE *bench_json_table(const char *path);
// Print that the memory is used up if that is the result of a measurement. Returns the result.
enum weir_result bench_tell(enum weir_result result);

// Open the object at the top, and say which command wrote it and on what device.
void bench_json_begin(struct cli_json *json, const char *name);
void bench_json_device(struct cli_json *json, const struct cli_gpu *gpu);

#endif
