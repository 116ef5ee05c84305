// SPDX-License-Identifier: MIT
// Checks the pointers that a public call was given.
#ifndef WEIR_BASE_GIVEN_H
#define WEIR_BASE_GIVEN_H

#include <stddef.h>

#include <weir/log.h>

// An argument of a call, by its name in the header.
struct weir_argument {
    const char *name;
    const void *value;
};
#define WEIR_ARGUMENT(argument)                                                                    \
    {                                                                                              \
#argument, argument                                                                        \
    }

// The table ends with an argument without a name. `log` may be NULL.
static inline enum weir_result weir_check_given(const struct weir_log *log, const char *call,
                                                const struct weir_argument *arguments)
{
    for (; arguments->name; arguments++) {
        if (!arguments->value) {
            return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                             "%s: %s is NULL and is required", call, arguments->name);
        }
    }
    return WEIR_OK;
}

// Check that none of the arguments is NULL, as in
// `WEIR_CHECK_GIVEN(log, WEIR_ARGUMENT(params), WEIR_ARGUMENT(out))`. Returns WEIR_OK, or logs the
// name of the first that is.
#define WEIR_CHECK_GIVEN(log, ...)                                                                 \
    weir_check_given((log), __func__, (const struct weir_argument[]){__VA_ARGS__, {NULL, NULL}})

#endif
