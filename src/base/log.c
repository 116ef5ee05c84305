// SPDX-License-Identifier: MIT
// Sends messages to the host's log.
#include <weir/log.h>

#include <stdarg.h>
#include <stdio.h>

static void print(const struct weir_log *log, enum weir_log_severity severity,
                  enum weir_log_code code, const char *format, va_list args)
{
    if (!log || !log->print || !format) {
        return;
    }
    const enum weir_log_severity least_severity = log->least_severity ? log->least_severity
                                                                      : WEIR_LOG_INFO;
    if (severity > least_severity) {
        return;
    }
    char text[512], line[512];
    vsnprintf(text, sizeof(text), format, args);
    weir_log_escape(text, line, sizeof(line)); // names of files may hold anything
    const struct weir_log_message message = {.severity = severity, .code = code, .text = line};
    log->print(log->user, &message);
}

void weir_log_printf(const struct weir_log *log, enum weir_log_severity severity,
                     enum weir_log_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print(log, severity, code, format, args);
    va_end(args);
}

enum weir_result weir_fail(const struct weir_log *log, enum weir_result result,
                           enum weir_log_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print(log, WEIR_LOG_ERROR, code, format, args);
    va_end(args);
    return result;
}

void weir_log_print_stderr(void *user, const struct weir_log_message *message)
{
    (void)user;
    if (!message || !message->text) {
        return;
    }
    const char *name = message->severity == WEIR_LOG_ERROR     ? "error"
                       : message->severity == WEIR_LOG_WARNING ? "warning"
                                                               : "info";
    fprintf(stderr, "weir: %s %d: %s\n", name, (int)message->code, message->text);
}
