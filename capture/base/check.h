// SPDX-License-Identifier: MIT
// A check as one statement, for functions that are lists of checks.
#pragma once

// Return a value, which says what is wrong, from this function if a condition holds.
#define WEIR_RETURN_IF(condition, value)                                                           \
    do {                                                                                           \
        if (condition) {                                                                           \
            return (value);                                                                        \
        }                                                                                          \
    } while (0)
