// SPDX-License-Identifier: MIT
// The program's messages on standard error, which do not tear the progress line.
#ifndef WEIR_CAPTURE_WEIR_COMMON_REPORT_H
#define WEIR_CAPTURE_WEIR_COMMON_REPORT_H

#include <weir/log.h>

// A log for Weir's libraries that prints warnings and errors as "weir: error: text".
struct weir_log cli_report_log(void);

// Print an error of the program itself, as printf does, in the same form.
void cli_report_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
