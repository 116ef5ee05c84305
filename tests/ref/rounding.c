// SPDX-License-Identifier: MIT
// Scalar reference of shaders/encode/rounding.glsl: floats that every device rounds alike.
#include "tests/ref/rounding.h"

#include <stdint.h>
#include <string.h>

float ref_reciprocal(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    bits = 0x7ef311c3 - bits;
    float y;
    memcpy(&y, &bits, sizeof(y));
    for (int i = 0; i < 3; i++) {
        const float product = x * y;
        y = y * (2 - product);
    }
    return y;
}
