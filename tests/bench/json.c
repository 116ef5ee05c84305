// SPDX-License-Identifier: MIT
// The JSON of the commands: the file, and what all of them say first.
#include "tests/bench/json.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <weir/version.h>

#include "capture/weir/common/build.h"
#include "capture/weir/common/report.h"

static FILE *open_json(const char *path, const char *mode)
{
    FILE *out = fopen(path, mode);
    if (!out) {
        cli_report_error("cannot write %s: %s; make its folder first, or choose another path", path,
                         strerror(errno));
    }
    return out;
}

bool bench_json_can_write(const char *path)
{
    if (strcmp(path, "-") == 0) {
        return true;
    }
    const bool there = access(path, F_OK) == 0;
    FILE *out = open_json(path, "a");
    if (!out) {
        return false;
    }
    fclose(out);
    if (!there) {
        remove(path);
    }
    return true;
}

FILE *bench_json_table(const char *path)
{
    return path && strcmp(path, "-") == 0 ? stderr : stdout;
}

static bool close_json(FILE *out, const char *path)
{
    bool good = fflush(out) == 0 && !ferror(out);
    if (out != stdout) {
        good = fclose(out) == 0 && good;
    }
    if (!good) {
        cli_report_error("cannot write %s", path);
        if (out != stdout) {
            remove(path);
        }
    }
    return good;
}

bool bench_json_write(const char *path, void (*write)(struct cli_json *json, const void *result),
                      const void *result)
{
    struct cli_json json = {.out = strcmp(path, "-") == 0 ? stdout : open_json(path, "w")};
    if (!json.out) {
        return false;
    }
    write(&json, result);
    return close_json(json.out, path);
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
