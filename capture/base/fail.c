// SPDX-License-Identifier: MIT
// A failure, told and answered in one call.
#include "capture/base/fail.h"

#include <stdarg.h>
#include <stdio.h>

enum weir_result weir_fail(const struct weir_log *log, enum weir_result result,
                           enum weir_log_code code, const char *format, ...)
{
    char text[512]; // as long as a message of weir_log_printf()
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    weir_log_printf(log, WEIR_LOG_ERROR, code, "%s", text);
    return result;
}
