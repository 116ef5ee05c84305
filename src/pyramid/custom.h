// SPDX-License-Identifier: MIT
// Checks that a program's own kernel was compiled for this version of the library.
#ifndef WEIR_PYRAMID_CUSTOM_H
#define WEIR_PYRAMID_CUSTOM_H

#include "pyramid/pyramid.h"

// Check weir_pyramid_params.kernel. Errors are logged: WEIR_ERROR_INVALID.
enum weir_result weir_pyramid_custom_check(const weir_pyramid *pyramid);

#endif
