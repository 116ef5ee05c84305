// SPDX-License-Identifier: MIT
// The error of texels on a line of BC6H.
//
// Requires encode/bc6h/block.glsl and encode/bc6h/line.glsl.

layout(constant_id = WEIR_ENCODE_CONSTANT_BC6H_LOG) const bool BC6H_LOG = false;

// An error is two words, the high word first.
const uvec2 MAX_ERROR = uvec2(0xffffffffu);

bool is_less(uvec2 a, uvec2 b)
{
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

uvec2 add(uvec2 a, uvec2 b)
{
    const uint low = a.y + b.y;
    return uvec2(a.x + b.x + uint(low < a.y), low);
}

uvec2 subtract(uvec2 a, uvec2 b)
{
    return uvec2(a.x - b.x - uint(a.y < b.y), a.y - b.y);
}

// The sum is exact for halves from 2^-13 on, and below that has no bit that counts.
ivec3 level_of(ivec3 bits)
{
    precise vec3 sum = 1.0 + uintBitsToFloat((uvec3(abs(bits)) << 13) + 0x38000000u);
    const ivec3 line = ivec3((floatBitsToUint(sum) - 0x3f800000u) >> 12);
    const ivec3 mantissa = line & 2047;
    return sign(bits) * (line + (mantissa * (2048 - mantissa) * 11 >> 16));
}

// Get the error of texel `t`, on the line of its subset.
uvec2 error_of(Split split, Line l, int t)
{
    const int factor = split.has_two ? 585 : 273; // 64 * 64 / the largest index
    // The weights of the specification.
    const int weight = (index_of(l, split, t) * factor + 32) >> 6;
    const ivec3 value = (64 * l.start + weight * l.way + 32) >> 6;
    ivec3 e = half_of_value(values[t]) - half_of_value(value);
    if (BC6H_LOG) {
        e = level_of(half_of_value(values[t])) - level_of(half_of_value(value));
    }
    if (IS_SIGNED) {
        return add(add(uvec2(0u, e.r * e.r), uvec2(0u, e.g * e.g)), uvec2(0u, e.b * e.b));
    }
    return uvec2(0u, dot_product(e, e)); // the sum of squares is below 2^32 here
}

// All bits for a texel of a mask, else none. A branch costs more than the texels that it spares, as
// every block has other masks.
uvec2 counts_in(uint mask, int t)
{
    return uvec2(uint(bitfieldExtract(int(mask), t, 1)));
}

// Get the error of the texels of a mask.
uvec2 error_of(Split split, uint mask, Line l)
{
    uvec2 error = uvec2(0u);
    [[unroll]] for (int t = 0; t < 16; t++) {
        error = add(error, error_of(split, l, t) & counts_in(mask, t));
    }
    return error;
}
