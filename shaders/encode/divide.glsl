// SPDX-License-Identifier: MIT
// Division of integers by means of floats, with the same result on every device. GPUs have no
// instruction that divides integers.
#ifndef WEIR_DIVIDE
#define WEIR_DIVIDE

// Get floor(n / d) for |n| < 2^31, 0 < d, |n / d| <= 2^19. `inverse` is 1.0 / d within 2.5 ulp, so
// the product has a relative error below 2^-21 and its floor is off by one at most. The remainder
// shows by how much.
int divide(int n, int d, float inverse)
{
    const int q = int(floor(float(n) * inverse));
    const int r = n - q * d;
    return r < 0 ? q - 1 : r >= d ? q + 1 : q;
}

// Get the integers nearest to n / d.
ivec2 divide_round(ivec2 n, int d)
{
    const float inverse = 1.0 / float(2 * d);
    return ivec2(divide(2 * n.x + d, 2 * d, inverse), divide(2 * n.y + d, 2 * d, inverse));
}

#endif
