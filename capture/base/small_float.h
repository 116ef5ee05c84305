// SPDX-License-Identifier: MIT
// Floats of 16, 11 and 10 bits.
#pragma once

#include <stdint.h>

// Floats of 5 exponent bits and no sign (Vulkan, "11-Bit and 10-Bit Floating-Point Numbers", and
// the magnitude of a 16-bit one), from the nearest value, ties to even, as the default rounding
// does. `mantissa` is the number of its bits. Values below 0 become 0, too large ones the largest.
uint32_t weir_small_float_from(float value, int mantissa);
float weir_small_float_value(uint32_t bits, int mantissa);

// Half floats (IEEE 754 binary16).
uint16_t weir_half_from(float value);
float weir_half_value(uint16_t bits);
