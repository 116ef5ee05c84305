// SPDX-License-Identifier: MIT
// Scalar reference of shaders/encode/rounding.glsl: floats that every device rounds alike.
#ifndef WEIR_TESTS_REF_ROUNDING_H
#define WEIR_TESTS_REF_ROUNDING_H

// 1 / x nearly, for x of 1/16 to 2^90.
float ref_reciprocal(float x);

#endif
