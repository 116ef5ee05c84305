// SPDX-License-Identifier: MIT
// What the recorder says while the program runs, which has standard output for itself.
#include "capture/weir/record/tell.h"

#include <stdarg.h>
#include <stdio.h>

#include "capture/weir/common/progress.h"
#include "capture/weir/common/report.h"

enum { TEXT_SIZE = 8192 }; // for a path of any length

void record_warn(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    const struct weir_log log = cli_report_log();
    weir_log_printf(&log, WEIR_LOG_WARNING, WEIR_LOG_CODE_NONE, "%s", text);
}

void record_tell(bool quiet, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (!quiet) {
        fputs(cli_progress_erase(), stderr);
        cli_print(stderr, "weir: %s\n", text);
    }
}
