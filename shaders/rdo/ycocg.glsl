// SPDX-License-Identifier: MIT
// Texels of scaled YCoCg in BC3, and their squared error. A texel is Y, Co and Cg in 1/4 code.

#include "rdo/bc4.glsl"

// Get the squared length of a difference in R, G and B, where R = Y - Cg + Co, G = Y + Cg and
// B = Y - Cg - Co. Sums of the errors of 16 texels fit too: they wrap on the way, and end below
// 2^32.
uint squared(ivec3 e)
{
    return uint(2 * e.y * e.y + 3 * e.z * e.z - 2 * e.z * e.x + 3 * e.x * e.x);
}

// Get the texel of codes of R, G and B.
ivec3 texel_of_codes(ivec3 rgb)
{
    return ivec3(rgb.r + 2 * rgb.g + rgb.b, 2 * (rgb.r - rgb.b), 2 * rgb.g - rgb.r - rgb.b);
}

// Divide, and round to the nearest, halves up.
int divide_rounded(int num, int den)
{
    const int shift = 512; // makes it positive
    return (2 * (num + shift * den) + den) / (2 * den) - shift;
}

int decoded_luma(uvec2 words, uint t)
{
    const ivec2 y = bc4_fraction(words, t);
    return divide_rounded(4 * y.x, y.y);
}

ivec2 decoded_chroma(uvec2 words, uint t)
{
    const int scale = 255 * int(words.x & 31u) + 248; // times 248
    const uint code = words.y >> 2u * t & 3u;
    const int w = code == 0u ? 3 : code == 1u ? 0 : 4 - int(code); // thirds of the first colour
    const int red = w * int(words.x >> 11 & 31u) + (3 - w) * int(words.x >> 27);
    const int green = w * int(words.x >> 5 & 63u) + (3 - w) * int(words.x >> 21 & 63u);
    return ivec2(divide_rounded(32 * (255 * red - 128 * 93), 3 * scale),
                 divide_rounded(992 * (255 * green - 128 * 189), 189 * scale));
}

// Decode texel `t` of a block by exact fractions.
ivec3 decoded_texel(uvec4 block, uint t)
{
    return ivec3(decoded_luma(block.xy, t), decoded_chroma(block.zw, t));
}

// A decoded texel in 30 bits.
const uint LUMA_BITS = 1023u;

uint pack_texel(ivec3 texel)
{
    return uint(texel.x) | uint(texel.y + 512) << 10 | uint(texel.z + 512) << 20;
}

ivec3 unpack_texel(uint bits)
{
    return ivec3(bits & 1023u, int(bits >> 10 & 1023u) - 512, int(bits >> 20) - 512);
}

// Get the squared error of a packed texel against another.
uint squared_error(uint texel, uint wanted)
{
    return squared(unpack_texel(texel) - unpack_texel(wanted));
}
