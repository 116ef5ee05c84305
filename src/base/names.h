// SPDX-License-Identifier: MIT
// Lists of names, such as those of extensions.
#ifndef WEIR_BASE_NAMES_H
#define WEIR_BASE_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <weir/log.h>

static inline bool weir_has_name(const char *const *names, uint32_t num_names, const char *name)
{
    for (uint32_t i = 0; i < num_names; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// Check that each name of the field of a public struct is given. Returns WEIR_OK, or logs the first
// that is not.
static inline enum weir_result weir_check_names(const struct weir_log *log, const char *params,
                                                const char *field, const char *const *names,
                                                uint32_t num_names)
{
    for (uint32_t i = 0; i < num_names; i++) {
        if (!names || !names[i]) {
            return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                             "%s.%s[%u] is NULL, and num_%s is %u", params, field, i, field,
                             num_names);
        }
    }
    return WEIR_OK;
}

#endif
