// SPDX-License-Identifier: MIT
// Checks of a pyramid's levels that need no reference.
#pragma once

#include "tests/gpu/pyramid_run.h"

// The functions check the images of the last pyramid_run() or pyramid_run_on() of `c`, whose levels
// were made from their own first level. Each prints a failure and returns false then.

// Check that every texel of every level has the code of the first texel of its layer.
bool pyramid_check_constant(struct pyramid_runner *runner, const struct pyramid_case *c);

// Check that every texel lies between the lowest and the highest texel of the first level under it.
// The check computes by itself which these are. For MIN and MAX the texel must be the lowest or the
// highest, and for MIN_MAX both, in R and G.
bool pyramid_check_bounds(struct pyramid_runner *runner, const struct pyramid_case *c);
