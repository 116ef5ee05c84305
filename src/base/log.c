// SPDX-License-Identifier: MIT
// Sends messages to the host's log, each one line that a terminal shows and does nothing else with.
#include <weir/log.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

// Get the number of bytes of the character at `text`; 0 if it is a control character or no UTF-8
// (Unicode 15, table 3-7: well-formed byte sequences).
static size_t character_size(const uint8_t *text)
{
    static const struct {
        uint8_t first, last;               // of the first byte
        uint8_t second_first, second_last; // of the second one
        size_t size;
    } sequences[] = {
        {0xc2, 0xc2, 0xa0, 0xbf, 2}, // from U+00A0 on: those before are control characters
        {0xc3, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    if (text[0] < 0x80) {
        return text[0] >= 0x20 && text[0] != 0x7f;
    }
    size_t size = 0;
    for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
        if (text[0] >= sequences[i].first && text[0] <= sequences[i].last &&
            text[1] >= sequences[i].second_first && text[1] <= sequences[i].second_last) {
            size = sequences[i].size;
        }
    }
    for (size_t i = 2; i < size; i++) {
        if (text[i] < 0x80 || text[i] > 0xbf) {
            return 0;
        }
    }
    return size;
}

void weir_log_escape(const char *text, char *line, size_t line_size)
{
    static const char digits[] = "0123456789abcdef";
    if (!line || line_size == 0) {
        return;
    }
    const uint8_t *from = (const uint8_t *)(text ? text : "");
    while (*from != 0) {
        const size_t size = character_size(from);
        const char escape[4] = {'\\', 'x', digits[*from >> 4], digits[*from & 15]};
        const size_t written = size > 0 ? size : sizeof(escape);
        if (written >= line_size) {
            break;
        }
        memcpy(line, size > 0 ? (const void *)from : escape, written);
        line += written;
        line_size -= written;
        from += size > 0 ? size : 1;
    }
    *line = 0;
}
