// SPDX-License-Identifier: MIT
// The program's messages on standard error, which do not tear the progress line.
#include "capture/weir/common/report.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "capture/weir/common/progress.h"

static void print(const char *word, const char *text)
{
    // One write a message: several threads may report at a time.
    fprintf(stderr, "%sweir: %s%s%s\n", cli_progress_erase(), word, word[0] != 0 ? ": " : "", text);
}

static void print_message(void *user, const struct weir_log_message *message)
{
    (void)user;
    // A device is lost once, and all that waits for it finds that out.
    static atomic_bool has_told_loss;
    if (message->code == WEIR_LOG_CODE_DEVICE_LOST && atomic_exchange(&has_told_loss, true)) {
        return;
    }
    static const char *const words[] = {
        [WEIR_LOG_ERROR] = "error", [WEIR_LOG_WARNING] = "warning", [WEIR_LOG_INFO] = ""};
    print(message->severity <= WEIR_LOG_INFO ? words[message->severity] : "", message->text);
}

struct weir_log cli_report_log(void)
{
    return (struct weir_log){.print = print_message, .least_severity = WEIR_LOG_WARNING};
}

void cli_report_error(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    print("error", text);
}
