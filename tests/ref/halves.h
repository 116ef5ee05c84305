// SPDX-License-Identifier: MIT
// Scalar reference of shaders/encode/halves.glsl: from texels to half floats as integers.
#ifndef WEIR_TESTS_REF_HALVES_H
#define WEIR_TESTS_REF_HALVES_H

#include <stdbool.h>

// The largest finite half float, 65504, as an integer.
enum { REF_HALF_MAX = 0x7bff };

// The half float nearest to a value, ties to even, as an integer that grows by one from each half
// to the next: its magnitude's bits, negative where it is. Beyond 65504 is 65504, NaN is 0; below 0
// is 0 unless signed.
int ref_half_of(float value, bool is_signed);

#endif
