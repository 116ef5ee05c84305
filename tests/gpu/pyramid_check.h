// SPDX-License-Identifier: MIT
// Checks of a pyramid's levels that need no reference.
#ifndef WEIR_TESTS_GPU_PYRAMID_CHECK_H
#define WEIR_TESTS_GPU_PYRAMID_CHECK_H

#include "tests/gpu/pyramid_run.h"

// All judge the images that the last pyramid_run() or pyramid_run_on() of `c` left, made from their
// own first level. Each prints a failure and returns false then.

// Every texel of every level has the code of the first texel of its layer.
bool pyramid_check_constant(struct pyramid_runner *runner, const struct pyramid_case *c);

// Every texel lies between the lowest and the highest of those of the first level that lie under
// it, by its own account of which these are. MIN, MAX and MIN_MAX: it is the lowest, the highest,
// or in R and G both.
bool pyramid_check_bounds(struct pyramid_runner *runner, const struct pyramid_case *c);

#endif
