// SPDX-License-Identifier: MIT
// The format of a block of BC6H: modes, partitions, endpoints and the places of their bits. Khronos
// Data Format Specification 1.3, section "BC6H" of chapter "BPTC".
//
// The includer declares
//   const bool IS_SIGNED

const int NUM_TWO_SUBSET_MODES = 10;
const int NUM_ALL_MODES = 14;
const int LARGEST_VALUE = IS_SIGNED ? 0x7fff : 0xffff;

// Fields of a mode, from the lowest bit: the mode's id (5 bits), the number of bits of a channel of
// an endpoint (5 bits), the numbers of bits of the differences in R, G and B (4 bits each), and 1
// if endpoints are stored as differences.
const uint MODES[NUM_ALL_MODES] = uint[](
    0x511562u, 0x515166u, 0x55116au, 0x555540u, 0x55552eu, 0x555912u, 0x559516u,
    0x59551au, 0x5998e1u, 0x1998deu, 0x2aa943u, 0x666567u, 0x62218bu, 0x51120fu);

struct Mode {
    uint id;
    int bits;
    ivec3 delta_bits;
    bool is_transformed;
};

Mode mode_of(int index)
{
    const uint packed_mode = MODES[index];
    return Mode(packed_mode & 31u, int(packed_mode >> 5 & 31u),
                ivec3(uvec3(packed_mode) >> uvec3(10u, 14u, 18u) & 15u), packed_mode >> 22 != 0u);
}

// Places of the bits that lie apart from the rest of their endpoint, a byte each, 0: none. They are
// the upper bits of G2 and G3, the upper bits of B2 and the lower ones of B3, and the upper ones of
// B3.
const uvec3 STRAYS[NUM_TWO_SUBSET_MODES] = uvec3[](
    uvec3(0x00000000u, 0x3c320000u, 0x00004c46u), uvec3(0x0028004bu, 0x3c450000u, 0x00004c46u),
    uvec3(0x00000000u, 0x45320028u, 0x004b4c46u), uvec3(0x00280002u, 0x3c320003u, 0x00044c46u),
    uvec3(0x00280018u, 0x3c32000eu, 0x00224c46u), uvec3(0x000d0018u, 0x3c32000eu, 0x00222117u),
    uvec3(0x21281718u, 0x3c0d000eu, 0x00224c46u), uvec3(0x00280018u, 0x0d32170eu, 0x21224c46u),
    uvec3(0x04030218u, 0x0d0c160eu, 0x21222017u), uvec3(0x1f0b1518u, 0x0d0c160eu, 0x21222017u));

// The texels of the second subset, a bit each, and above them the number of its anchor.
const uint PARTITIONS[32] = uint[](
    0xfccccu, 0xf8888u, 0xfeeeeu, 0xfecc8u, 0xfc880u, 0xffeecu, 0xffec8u, 0xfec80u,
    0xfc800u, 0xfffecu, 0xffe80u, 0xfe800u, 0xfffe8u, 0xfff00u, 0xffff0u, 0xff000u,
    0xff710u, 0x2008eu, 0x87100u, 0x208ceu, 0x2008cu, 0x87310u, 0x83100u, 0xf8cceu,
    0x2088cu, 0x83110u, 0x26666u, 0x2366cu, 0x817e8u, 0x80ff0u, 0x2718eu, 0x2399cu);

bool is_second(uint mask, int texel)
{
    return (mask >> texel & 1u) != 0u;
}

// Get the least shift, not below 0, that leaves `value` at most `num_bits` bits.
int shift_to(int value, int num_bits)
{
    return max(findMSB(value) + 1 - num_bits, 0);
}

int largest_of(ivec3 v)
{
    return max(max(v.x, v.y), v.z);
}

ivec3 quantise(ivec3 value, int bits)
{
    if (bits == 16) {
        return value;
    }
    const int shift = 16 - bits;
    const int quarter = 1 << shift >> 2;
    const int largest = LARGEST_VALUE >> shift;
    const ivec3 magnitude = abs(value);
    const ivec3 code = magnitude >> shift;
    const ivec3 up = ivec3(equal(code, ivec3(0))) *
                     ivec3(greaterThan(magnitude, ivec3(3 * quarter)));
    const ivec3 down = ivec3(equal(code, ivec3(largest))) *
                       ivec3(lessThan(magnitude, ivec3((largest << shift) + quarter)));
    return sign(value) * (code + up - down);
}

ivec3 unquantise(ivec3 code, int bits)
{
    if (bits == 16) {
        return code;
    }
    const ivec3 magnitude = abs(code);
    const ivec3 middle = (2 * magnitude + 1) << (15 - bits);
    return sign(code) * mix(middle, ivec3(LARGEST_VALUE),
                            equal(magnitude, ivec3(LARGEST_VALUE >> (16 - bits))));
}

ivec3 half_of_value(ivec3 value)
{
    if (!IS_SIGNED) {
        return value * 31 >> 6;
    }
    return sign(value) * (abs(value) * 31 >> 5);
}

ivec3 value_of_half(ivec3 bits)
{
    if (!IS_SIGNED) {
        return (64 * bits + 30) / 31;
    }
    return sign(bits) * ((32 * abs(bits) + 30) / 31);
}

// Put the bits of `value` into `words` from bit `at` on. Bits above the field must be 0.
void put(inout uvec4 words, uint value, int at)
{
    const uint word = uint(at) >> 5;
    const uint shift = uint(at) & 31u;
    const uvec4 here = uvec4(equal(uvec4(word), uvec4(0u, 1u, 2u, 3u)));
    const uvec4 next = uvec4(equal(uvec4(word + 1u), uvec4(0u, 1u, 2u, 3u)));
    words |= here * (value << shift);
    words |= next * (value >> 1 >> (31u - shift));
}

uint low_bits(int value, int num_bits)
{
    return uint(value) & ((1u << num_bits) - 1u);
}

// Put the four bits of `bits`, each at the place that a byte of `places` names. 0: no bit.
void put_strays(inout uvec4 words, uint bits, uint places)
{
    [[dont_unroll]] for (int i = 0; i < 4; i++) {
        const int at = int(places >> 8 * i & 0xffu);
        put(words, at == 0 ? 0u : bits >> i & 1u, at);
    }
}

// Put the fields of the endpoints. The second, third and fourth are differences to the first in
// modes that have them.
uvec4 pack_endpoints(int mode_index, ivec3 first, ivec3 second, ivec3 third, ivec3 fourth)
{
    const Mode mode = mode_of(mode_index);
    uvec4 words = uvec4(mode.id, 0u, 0u, 0u);
    const int num_upper = max(mode.bits - 10, 0);
    [[unroll]] for (int c = 0; c < 3; c++) {
        put(words, low_bits(first[c], min(mode.bits, 10)), 5 + 10 * c);
        // The first endpoint's bits above the lowest 10 follow the second endpoint, in reverse.
        const uint upper = bitfieldReverse(low_bits(first[c] >> 10, num_upper)) >> 1 >>
                           (31 - num_upper);
        put(words, low_bits(second[c], mode.delta_bits[c]) | upper << mode.delta_bits[c],
            35 + 10 * c);
    }
    if (mode_index < NUM_TWO_SUBSET_MODES) {
        put(words, low_bits(third.r, mode.delta_bits.r), 65);
        put(words, low_bits(fourth.r, mode.delta_bits.r), 71);
        put(words, low_bits(third.g, 4), 41);
        put(words, low_bits(fourth.g, 4), 51);
        put(words, low_bits(third.b, 4), 61);
        const uvec3 strays = STRAYS[mode_index];
        put_strays(words, low_bits(third.g >> 4, 2) | low_bits(fourth.g >> 4, 2) << 2, strays.x);
        put_strays(words, low_bits(third.b >> 4, 2) | low_bits(fourth.b, 2) << 2, strays.y);
        put_strays(words, low_bits(fourth.b >> 2, 4), strays.z);
    }
    return words;
}
