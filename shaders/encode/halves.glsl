// SPDX-License-Identifier: MIT
// Texels as half floats, for codecs that keep their range.
//
//   ivec3 fetch_halves(uvec2 block, uint i, bool is_signed)
//
// gets R, G and B of texel `i` of a block, row-major, as integers that grow by one from each half
// to the next: the bits of the magnitude, negative where the value is. Values beyond 65504 become
// 65504, NaN becomes 0, and values below 0 become 0 unless is_signed. The conversion uses integers,
// because packHalf2x16 may round as it likes.
//
// Requires encode/texture.glsl.

const uint HALF_MAX = 0x7bffu;

uint shift_round(uint value, uint shift)
{
    return (value + (1u << (shift - 1u)) - 1u + (value >> shift & 1u)) >> shift;
}

int half_of_float(float value, bool is_signed)
{
    const uint bits = floatBitsToUint(value);
    const uint magnitude = bits & 0x7fffffffu;
    const bool is_negative = bits != magnitude;
    if (magnitude > INFINITY_BITS || (is_negative && !is_signed)) {
        return 0;
    }
    const uint exponent = magnitude >> 23;
    uint bits_of_half = 0u;
    if (exponent >= 143u) { // 2^16 and more
        bits_of_half = HALF_MAX;
    } else if (exponent >= 113u) { // 2^-14 and more: normal halves
        bits_of_half = shift_round(magnitude - (112u << 23), 13u);
    } else if (exponent >= 102u) { // 2^-25 and more
        bits_of_half = shift_round((magnitude & 0x7fffffu) | 0x800000u, 126u - exponent);
    }
    const int rounded = int(min(bits_of_half, HALF_MAX));
    return is_negative ? -rounded : rounded;
}

ivec3 fetch_halves(uvec2 block, uint i, bool is_signed)
{
    const vec3 texel = fetch_texel(texel_position(block, i)).rgb;
    return ivec3(half_of_float(texel.r, is_signed), half_of_float(texel.g, is_signed),
                 half_of_float(texel.b, is_signed));
}
