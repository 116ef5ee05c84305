// SPDX-License-Identifier: MIT
// Decodes a channel of BC4.

// Get texel `t` in codes, as a numerator and a denominator, 7 or 5.
ivec2 bc4_fraction(uvec2 words, uint t)
{
    const int a0 = int(words.x & 255u), a1 = int(words.x >> 8 & 255u);
    const uint codes = t < 8u ? words.x >> 16 | words.y << 16 : words.y >> 8;
    const int code = int(codes >> 3u * (t & 7u)) & 7;
    const int steps = a0 > a1 ? 7 : 5;
    const int weight = code == 0 ? steps : code == 1 ? 0 : steps + 1 - code; // of a0
    const int sum = code > steps ? (code == 6 ? 0 : 255 * steps)
                                 : weight * a0 + (steps - weight) * a1;
    return ivec2(sum, steps);
}

// Get texel `t` as the nearest code, of two the larger.
uint bc4_code(uvec2 words, uint t)
{
    const ivec2 fraction = bc4_fraction(words, t);
    return uint(2 * fraction.x + fraction.y) / uint(2 * fraction.y);
}
