// SPDX-License-Identifier: MIT
// What the commands of weir-bench share: a run on a device, with a table and a JSON file.
#include "tests/bench/bench.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <weir/version.h>

#include "capture/base/file.h"
#include "capture/files/source/source.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/program.h"
#include "capture/weir/common/report.h"

static char command_line[4096];

void bench_set_command_line(int argc, char **argv)
{
    size_t size = 0;
    for (int i = 0; i < argc && size < sizeof(command_line); i++) {
        size += (size_t)snprintf(command_line + size, sizeof(command_line) - size, "%s%s",
                                 i > 0 ? " " : "", argv[i]);
    }
}

struct written {
    const struct bench_task *task;
    const struct cli_gpu *gpu;
    struct bench_value figures;
};

static void write_json(struct weir_json *json, const void *user)
{
    const struct written *written = user;
    const struct cli_gpu *gpu = written->gpu;
    weir_json_begin_object(json, NULL);
    weir_json_text(json, "bench", written->task->name);
    weir_json_text(json, "version", weir_version());
    weir_json_text(json, "commit", cli_build_commit);
    weir_json_text(json, "command", command_line);
    weir_json_text(json, "device", gpu->properties.deviceName);
    weir_json_text(json, "driver", gpu->driver);
    weir_json_integer(json, "queue_family", gpu->queue.family);
    weir_json_bool(json, "async", weir_context_is_async(gpu->context));
    bench_write_members(&written->figures, json);
    weir_json_end_object(json);
}

static enum weir_result measure(struct cli_gpu *gpu, struct written *written)
{
    const struct bench_task *task = written->task;
    // JSON on standard output has no table in its way.
    FILE *table = task->json && strcmp(task->json, "-") == 0 ? stderr : stdout;
    enum weir_result result = task->measure(gpu, table, &written->figures, task->user);
    fflush(table);
    if (result == WEIR_OK && !bench_is_complete()) {
        result = WEIR_ERROR_OUT_OF_MEMORY;
    }
    cli_report_no_memory(result, 0);
    if (cli_interrupted()) {
        cli_report_error("interrupted");
        return WEIR_ERROR_IO;
    }
    return result == WEIR_OK && task->json ? cli_file_write_json(task->json, write_json, written)
                                           : result;
}

// Check that a file can be written. Prints the reason if not.
static bool can_write(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return access(path, W_OK) == 0 ||
               cli_fail(false, "cannot write %s: %s", path, strerror(errno));
    }
    struct weir_log log = cli_log;
    log.least_severity = WEIR_LOG_ERROR; // that nothing is written is meant
    struct weir_file file;
    return weir_file_open(&file, path, &log) == WEIR_OK && weir_file_close(&file) == WEIR_OK;
}

// Before minutes are spent on measuring.
static bool check_files(const struct bench_task *task)
{
    struct cli_paths paths = {0};
    for (uint32_t i = 0; i < task->num_inputs; i++) {
        cli_paths_add_input(&paths, task->inputs[i]);
    }
    cli_paths_add_output(&paths, task->json);
    return cli_paths_check(&paths) == WEIR_OK &&
           (!task->json || strcmp(task->json, "-") == 0 || can_write(task->json));
}

enum cli_status bench_task_run(const struct bench_task *task)
{
    if (!check_files(task)) {
        return CLI_FAILED;
    }
    weir_source_silence_libav();
    cli_interrupt_catch();
    struct cli_gpu gpu;
    if (cli_gpu_open(&gpu, &task->device) != WEIR_OK) {
        return CLI_FAILED;
    }
    struct written written = {.task = task, .gpu = &gpu};
    const enum weir_result result = cli_gpu_close_behind(&gpu, measure(&gpu, &written));
    bench_value_finish(&written.figures);
    return result == WEIR_OK ? CLI_DONE : CLI_FAILED;
}

void bench_print_head(FILE *out, const struct cli_gpu *gpu, const char *what)
{
    fprintf(out, "weir %s (%s), %s, %s, %s\nqueue family %u, %s\n", weir_version(),
            cli_build_commit, what, gpu->properties.deviceName, gpu->driver, gpu->queue.family,
            weir_context_is_async(gpu->context) ? "asynchronous" : "shared with graphics");
}
