// SPDX-License-Identifier: MIT
// Results, the version and the ready-made log: every name is right, and a message is one line on
// stderr.
#include <weir/log.h>
#include <weir/result.h>
#include <weir/version.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int num_failures;

static void expect_text(const char *what, const char *got, const char *want)
{
    if (!got || strcmp(got, want) != 0) {
        printf("%s: got \"%s\", want \"%s\"\n", what, got ? got : "NULL", want);
        num_failures++;
    }
}

static void test_names(void)
{
    // The values are part of the contract: programs store them.
    static const struct {
        int value;
        const char *name;
    } results[] = {
        {0, "WEIR_OK"},
        {1, "WEIR_NOT_READY"},
        {2, "WEIR_DROPPED"},
        {-1, "WEIR_ERROR_INVALID"},
        {-2, "WEIR_ERROR_OUT_OF_MEMORY"},
        {-3, "WEIR_ERROR_UNSUPPORTED"},
        {-4, "WEIR_ERROR_DEVICE_LOST"},
        {-5, "WEIR_ERROR_VULKAN"},
        {-6, "WEIR_ERROR_IO"},
        {-7, "WEIR_ERROR_DISK_FULL"},
        {-8, "WEIR_ERROR_DATA"},
    };
    for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
        expect_text("weir_result_name", weir_result_name((enum weir_result)results[i].value),
                    results[i].name);
    }
    expect_text("weir_result_name", weir_result_name((enum weir_result) - 1000),
                "unknown weir_result");
}

static void test_version(void)
{
    char want[64];
    snprintf(want, sizeof(want), "%d.%d.%d", WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR,
             WEIR_VERSION_PATCH);
    expect_text("weir_version", weir_version(), want);
    expect_text("WEIR_VERSION_STRING", WEIR_VERSION_STRING, want);
}

// Check the line that weir_log_print_stderr() writes for a message. A file takes the place of
// stderr.
static void expect_line(enum weir_log_severity severity, enum weir_log_code code, const char *want)
{
    FILE *file = tmpfile();
    const int saved = dup(STDERR_FILENO);
    if (!file || saved < 0 || dup2(fileno(file), STDERR_FILENO) < 0) {
        perror("cannot replace stderr");
        exit(1);
    }
    weir_log_print_stderr(
        NULL, &(struct weir_log_message){.severity = severity, .code = code, .text = "a reason"});
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    char got[256];
    rewind(file);
    const size_t size = fread(got, 1, sizeof(got) - 1, file);
    got[size] = '\0';
    fclose(file);
    expect_text("weir_log_print_stderr", got, want);
}

int main(void)
{
    test_names();
    test_version();
    expect_line(WEIR_LOG_ERROR, WEIR_LOG_CODE_OPEN_FAILED, "weir: error 400: a reason\n");
    expect_line(WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK, "weir: warning 116: a reason\n");
    expect_line(WEIR_LOG_INFO, WEIR_LOG_CODE_FRAME_DROPPED, "weir: info 300: a reason\n");
    return num_failures != 0;
}
