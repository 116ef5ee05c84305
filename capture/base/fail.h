// SPDX-License-Identifier: MIT
// A failure, told and answered in one call.
#ifndef WEIR_CAPTURE_BASE_FAIL_H
#define WEIR_CAPTURE_BASE_FAIL_H

#include <weir/log.h>
#include <weir/result.h>

// Log an error, as weir_log_printf() does, and return `result`.
enum weir_result weir_fail(const struct weir_log *log, enum weir_result result,
                           enum weir_log_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
