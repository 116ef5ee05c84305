// SPDX-License-Identifier: MIT
// The JSON of the commands: the file, and what all of them say first.
#include "tests/bench/json.h"

#include <string.h>

#include <weir/version.h>

#include "capture/weir/common/file.h"
#include "capture/weir/common/program.h"
#include "capture/weir/common/report.h"

bool bench_json_can_write(const char *path)
{
    return strcmp(path, "-") == 0 || cli_file_check(path) == WEIR_OK;
}

FILE *bench_json_table(const char *path)
{
    return path && strcmp(path, "-") == 0 ? stderr : stdout;
}

enum weir_result bench_tell(enum weir_result result)
{
    cli_report_no_memory(result, 0);
    return result;
}

void bench_json_begin(struct cli_json *json, const char *name)
{
    cli_json_begin_object(json, NULL);
    cli_json_text(json, "bench", name);
    cli_json_text(json, "version", weir_version());
    cli_json_text(json, "commit", cli_build_commit);
}

void bench_json_device(struct cli_json *json, const struct cli_gpu *gpu)
{
    cli_json_text(json, "device", gpu->properties.deviceName);
    cli_json_text(json, "driver", gpu->driver);
    cli_json_integer(json, "queue_family", gpu->queue.family);
    cli_json_bool(json, "async", weir_context_is_async(gpu->context));
}
