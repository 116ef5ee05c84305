// SPDX-License-Identifier: MIT
// BC7 blocks of at most two colours, which mode 5 holds exactly.

// Get the block of one colour. Each value of 8 bits lies a third of the way between two codes of 7
// bits.
Block one_color(ivec4 texel)
{
    const ivec4 second = texel + mix(ivec4(-1), ivec4(1), lessThan(texel, ivec4(128))) >> 1;
    best_codes[0][gl_LocalInvocationIndex] = pack(ivec4(texel.rgb >> 1, texel.a));
    best_codes[1][gl_LocalInvocationIndex] = pack(ivec4(second.rgb, texel.a));
    return Block(5u, 0u, 0u, 0u, 0);
}

// Find a block of mode 5 with two colours at two of its four indices. There one channel has its
// own indices, and the others share theirs and have codes of 7 bits. Returns whether there is one.
bool find_two_colors(ivec4 first, ivec4 second, out Block b)
{
    int num_missing = 4;
    [[dont_unroll]] for (uint k = 0u; k < 6u && num_missing > 1; k++) {
        // At indices 0 and 1, 0 and 2, each in both orders, 0 and 3, and 1 and 2.
        const ivec4 p = (k & 1u) == 0u ? first : second;
        const ivec4 q = first + second - p;
        const ivec2 weights = k == 5u  ? ivec2(21, 43)
                              : k < 2u ? ivec2(0, 21)
                              : k < 4u ? ivec2(0, 43)
                                       : ivec2(0, 64);
        const int stretch = k == 5u ? 186 : k < 2u ? 195 : k < 4u ? 95 : 64; // 64^2 / their range
        const ivec4 start = p - ((q - p) * (k == 5u ? 61 : 0) + 32 >> 6);
        const ivec4 end = start + ((q - p) * stretch + 32 >> 6);
        ivec4 codes = p, other_codes = q, missing = ivec4(1);
        [[dont_unroll]] for (int n = 0; n < 9; n++) {
            const ivec4 code = clamp((start >> 1) + n / 3 - 1, ivec4(0), ivec4(127));
            const ivec4 other = clamp((end >> 1) + n % 3 - 1, ivec4(0), ivec4(127));
            const ivec4 from = expand(code, ivec4(7));
            const ivec4 way = expand(other, ivec4(7)) - from;
            const ivec4 off = abs(from + (weights.x * way + 32 >> 6) - p) +
                              abs(from + (weights.y * way + 32 >> 6) - q);
            codes = mix(codes, code, equal(off, ivec4(0)));
            other_codes = mix(other_codes, other, equal(off, ivec4(0)));
            missing = mix(missing, ivec4(0), equal(off, ivec4(0)));
        }
        num_missing = dot_product(missing, ivec4(1));
        const uint rotation = uint(dot_product(missing, ivec4(1, 2, 3, 0)));
        b = Block(5u, 0u, rotation, 0u, 0);
        if (rotation == 0u) {
            codes.a = p.a;
            other_codes.a = q.a;
        }
        best_codes[0][gl_LocalInvocationIndex] = pack(codes);
        best_codes[1][gl_LocalInvocationIndex] = pack(other_codes);
    }
    return num_missing <= 1;
}

// Put the block of two colours, which may be the same, if it is exact.
void find_colors(uint first, uint second, inout Found found)
{
    Block b = one_color(unpack(first));
    if (second == first || find_two_colors(unpack(first), unpack(second), b)) {
        int error;
        found.block = write_block(b, error);
        found.key = uint(error) << 4;
    }
}
