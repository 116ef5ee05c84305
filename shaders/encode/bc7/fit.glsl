// SPDX-License-Identifier: MIT
// A part of a BC7 block, which has two endpoints: a subset, or the colour or alpha.

const int INT_MAX = 0x7fffffff;
const float ERROR_MAX = 1.0e9;

const bool IS_LIVE = EFFORT == WEIR_ENCODE_EFFORT_LIVE;
const bool IS_HIGH = EFFORT == WEIR_ENCODE_EFFORT_HIGH;
const bool HAS_POLISH = IS_HIGH || EFFORT == WEIR_ENCODE_EFFORT_DEFAULT;

// The part of a block whose endpoints are fitted.
struct Task {
    uint subset; // the texels of the part, a bit each
    ivec4 bits;  // number of bits of each channel's code, with the p-bit; 0: it is not fitted
    vec4 fitted; // 1 or 0
    vec4 highest, up, down; // the highest code; what widens codes to 0 .. 255 (values_of)
    float step; // between codes of the same p-bit
    uint p_bits; // P_NONE, P_EACH, P_SHARED or P_ONE
    int max_index; // 3, 7 or 15
};

struct Fit {
    vec4 first, second; // codes, with p-bits
    float error;
};

// The texels of each block: packed, for loops that index them, and as they are, for
// those that are unrolled. As arguments they would be copied.
shared uint block_texels[16][BLOCKS_OF_GROUP];
vec4 texels[16];

// Loops over texels are unrolled at live and fast. The search of other efforts is faster with less
// code, which a GPU has to fetch. TEXEL is a texel in such a loop. A copy of it costs NVIDIA a
// tenth of the time of fast.
#if WEIR_EFFORT == WEIR_ENCODE_EFFORT_DEFAULT || WEIR_EFFORT == WEIR_ENCODE_EFFORT_HIGH
#define UNROLL [[dont_unroll]]
#define TEXEL(t) unpacked_texel(t)
#else
#define UNROLL [[unroll]]
#define TEXEL(t) texels[t]
#endif

ivec4 unpack(uint v)
{
    return ivec4(v & 255u, v >> 8 & 255u, v >> 16 & 255u, v >> 24);
}

// Get a texel, packed.
uint texel_word(uint t)
{
    return block_texels[t][place_of_block()];
}

// Get a texel as it is.
vec4 unpacked_texel(uint t)
{
    // Conversions have a fraction of the rate of additions.
    const uvec4 bits = uvec4(unpack(texel_word(t))) | 0x4b000000u; // 2^23
    precise vec4 unpacked = uintBitsToFloat(bits) - 8388608.0;
    return unpacked;
}

uint pack(ivec4 v)
{
    return uint(v.r | v.g << 8 | v.b << 16 | v.a << 24);
}

int dot_product(ivec4 a, ivec4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

ivec4 max_code(ivec4 bits)
{
    return (ivec4(1) << bits) - 1;
}

// Widen codes to 0 .. 255. A channel without bits becomes 0.
ivec4 expand(ivec4 code, ivec4 bits)
{
    const ivec4 b = max(bits, ivec4(4));
    return code << (8 - b) | code >> (2 * b - 8);
}

int weight_of(int max_index, int index)
{
    const int multiple = max_index == 15 ? 273 : max_index == 7 ? 585 : 1365;
    return index * multiple + 32 >> 6;
}
