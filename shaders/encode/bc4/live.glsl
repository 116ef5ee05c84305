// SPDX-License-Identifier: MIT
// BC4 at effort live: the range of the values, a fortieth shorter at both ends. 0 and VALUE_MAX are
// exact. Takes and returns what encode_bc4() does. A part of bc4.glsl.

// Eight values, as their numbers in BC4 count.
uint live_codes(float values[16], float a0, float factor, int first)
{
    uint numbers = 0u;
    [[unroll]] for (int t = first + 7; t >= first; t--) {
        // scale_of() says why the last summand decides ties.
        precise float way = clamp(fma(a0 - values[t], factor, factor * (0.25 / 7.0)), 0.0, 1.0);
        precise float sum = fma(way, 7.0, LARGE);
        numbers = 8u * numbers + floatBitsToUint(sum);
    }
    return bc4_codes(numbers - LARGE_BITS * 0x249249u);
}

uvec2 encode_bc4_live(float values[16])
{
    float lo = VALUE_MAX, hi = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        lo = min(lo, values[t]);
        hi = max(hi, values[t]);
    }
    const float inset = nearest(3.0 / 128.0 * (hi - lo) + 1.0 / 256.0);
    const float a0 = hi < VALUE_MAX ? hi - inset : hi, a1 = lo > 0.0 ? lo + inset : lo;
    const float factor = a0 > a1 ? 1.0 / (a0 - a1) : 0.0;
    const uvec2 codes = uvec2(live_codes(values, a0, factor, 0), live_codes(values, a0, factor, 8));
    const uvec2 ends = uvec2(ivec2(vec2(a0, a1)) + LOWEST) & 255u;
    return uvec2(ends.x | ends.y << 8 | codes.x << 16, codes.x >> 16 | codes.y << 8);
}
