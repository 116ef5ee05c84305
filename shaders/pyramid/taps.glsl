// SPDX-License-Identifier: MIT
// The taps of an axis: NVIDIA, "Non-Power-of-Two Mipmap Creation", 2005.

// Get the number of texels on each axis of a level of `size` texels that lie under one texel of the
// next level.
uvec2 num_taps(uvec2 size)
{
    return mix(2u + (size & 1u), uvec2(1u), equal(size, uvec2(1u)));
}

// Get the three weights of output `i` of an axis of odd size > 1. `scale` is 1 / size.
vec3 odd_weights(uint size, float scale, float i)
{
    const float n = float(size >> 1);
    return vec3(n - i, n, i + 1.0) * scale;
}

vec3 odd_weights(uint size, float i)
{
    return odd_weights(size, 1.0 / float(size), i);
}

// True for a mean of numbers that are all finite: a tap of weight 0 does not count then, whatever
// its value.
const bool FINITE = REDUCTION == WEIR_PYRAMID_REDUCTION_MEAN && !BOUNDED;

// Get the weights of three taps of an axis of any size. A tap that does not exist repeats the one
// before, or has any value if FINITE.
vec3 tap_weights(uint size, float scale, float i)
{
    const float third = FINITE ? 0.0 : 0.25;
    return size > 1u && (size & 1u) != 0u ? odd_weights(size, scale, i)
                                          : vec3(0.5, 0.5 - third, third);
}

vec3 tap_weights(uint size, float i)
{
    return tap_weights(size, 1.0 / float(size), i);
}
