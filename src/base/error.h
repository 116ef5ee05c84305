// SPDX-License-Identifier: MIT
// Logs the reason of a failure, as in
// `return weir_error(&log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_…, "…", …)`.
#ifndef WEIR_BASE_ERROR_H
#define WEIR_BASE_ERROR_H

#include <weir/log.h>

// Log a formatted text as an error with `code`. The value of the expression is `result`.
#define weir_error(log, result, code, ...)                                                         \
    (weir_log_printf((log), WEIR_LOG_ERROR, (code), __VA_ARGS__), (result))

#endif
