// SPDX-License-Identifier: MIT
// Checks the pointers and names that a public call was given.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <weir/log.h>

// An argument of a call, by its name in the header: a pointer, or a handle of Vulkan, which may be
// a number of 64 bits.
struct weir_argument {
    const char *name;
    bool is_given;
};
// clang-format off
#define WEIR_ARGUMENTS_1(a) {#a, (a) != 0}
#define WEIR_ARGUMENTS_2(a, ...) {#a, (a) != 0}, WEIR_ARGUMENTS_1(__VA_ARGS__)
#define WEIR_ARGUMENTS_3(a, ...) {#a, (a) != 0}, WEIR_ARGUMENTS_2(__VA_ARGS__)
#define WEIR_ARGUMENTS_4(a, ...) {#a, (a) != 0}, WEIR_ARGUMENTS_3(__VA_ARGS__)
#define WEIR_ARGUMENTS_5(a, ...) {#a, (a) != 0}, WEIR_ARGUMENTS_4(__VA_ARGS__)
#define WEIR_ARGUMENTS_6(a, ...) {#a, (a) != 0}, WEIR_ARGUMENTS_5(__VA_ARGS__)
#define WEIR_SEVENTH(a, b, c, d, e, f, seventh, ...) seventh
#define WEIR_ARGUMENTS(...)                                                                        \
    WEIR_SEVENTH(__VA_ARGS__, WEIR_ARGUMENTS_6, WEIR_ARGUMENTS_5, WEIR_ARGUMENTS_4,                \
                 WEIR_ARGUMENTS_3, WEIR_ARGUMENTS_2, WEIR_ARGUMENTS_1, 0)(__VA_ARGS__)
// clang-format on

// The table ends with an argument without a name. `log` may be NULL.
static inline enum weir_result weir_check_given(const struct weir_log *log, const char *call,
                                                const struct weir_argument *arguments)
{
    for (; arguments->name; arguments++) {
        if (!arguments->is_given) {
            return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                             "%s: %s is NULL and is required", call, arguments->name);
        }
    }
    return WEIR_OK;
}

// Check that none of the arguments, six at most, is NULL, as in WEIR_CHECK_GIVEN(log, params, out).
// Returns WEIR_OK, or logs the name of the first that is.
#define WEIR_CHECK_GIVEN(log, ...)                                                                 \
    weir_check_given((log), __func__,                                                              \
                     (const struct weir_argument[]){WEIR_ARGUMENTS(__VA_ARGS__), {NULL, false}})

// Do the same for a call that makes `*out`, which is required too, and clear that first.
#define WEIR_CHECK_OUT(log, out, ...)                                                              \
    ((out) ? (void)memset((out), 0, sizeof(*(out))) : (void)0,                                     \
     WEIR_CHECK_GIVEN(log, __VA_ARGS__, out))

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

// Return the failure from the calling function, as weir_fail() logs it, if a condition holds.
#define WEIR_FAIL_IF(condition, log, result, code, ...)                                            \
    do {                                                                                           \
        if (condition) {                                                                           \
            return weir_fail((log), (result), (code), __VA_ARGS__);                                \
        }                                                                                          \
    } while (0)
