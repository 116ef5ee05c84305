// SPDX-License-Identifier: MIT
// Failing with a reason: `return weir_error(&log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_…, "…", …)`.
#ifndef WEIR_BASE_ERROR_H
#define WEIR_BASE_ERROR_H

#include <weir/log.h>

// Log the formatted reason as an error of `code`, and be `result`.
#define weir_error(log, result, code, ...)                                                         \
    (weir_log_printf((log), WEIR_LOG_ERROR, (code), __VA_ARGS__), (result))

#endif
