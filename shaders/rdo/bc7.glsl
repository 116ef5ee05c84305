// SPDX-License-Identifier: MIT
// Decodes BC7: Khronos Data Format Specification 1.3, chapter "BPTC".
//
// All invocations call share_tables() and barrier() before.

#include "bptc/bc7_tables.glsl"

// Get `num` bits of a block, below 32, from bit `at` on.
uint bits_at(uvec4 words, uint at, uint num)
{
    const uint word = at >> 5, shift = at & 31u;
    const uint low = words[word] >> shift;
    const uint high = shift + num > 32u ? words[word + 1u] << 32u - shift : 0u;
    return (low | high) & (1u << num) - 1u;
}

// Widen a code of at least four bits to eight.
uint expand_code(uint code, uint num_bits)
{
    return code << 8u - num_bits | code >> 2u * num_bits - 8u;
}

// Get 64 index / max_index, rounded.
uint weight_of_index(uint index, uint num_bits)
{
    const uint multiple = num_bits == 4u ? 273u : num_bits == 3u ? 585u : 1365u;
    return index * multiple + 32u >> 6;
}

// Get the subset of texel `t`.
uint subset_with(uint num_subsets, uint partition_index, uint t)
{
    if (num_subsets == 1u)
        return 0u;
    if (num_subsets == 2u)
        return pairs[partition_index] >> t & 1u;
    return (triples[partition_index] >> t & 1u) + 2u * (triples[partition_index] >> t + 16u & 1u);
}

// Get the weight of texel `t` in indices of `num_bits` bits, which begin at bit `at`. An index is a
// bit shorter at the anchor of each subset.
uint weight_at(uvec4 words, uint at, uint num_bits, uint num_subsets, uint partition_index, uint t)
{
    uint num_before = 0u, is_anchor = 0u;
    for (uint s = 0u; s < num_subsets; s++) {
        const uint anchor = anchor_of(num_subsets, partition_index, s);
        num_before += anchor < t ? 1u : 0u;
        is_anchor += anchor == t ? 1u : 0u;
    }
    const uint index = bits_at(words, at + t * num_bits - num_before, num_bits - is_anchor);
    return weight_of_index(index, num_bits);
}

// Where the fields of a block begin.
struct Fields {
    uint mode, num_subsets, partition_index, rotation, selection;
    uint endpoints, p_bits, indices, indices2;
};

Fields fields_of(uvec4 words, uint mode)
{
    Fields f;
    const uint partition_bits = digit(PARTITION_BITS, mode);
    const uint rotation_bits = digit(ROTATION_BITS, mode);
    const uint selection_bits = digit(SELECTION_BITS, mode);
    f.mode = mode;
    f.num_subsets = digit(NUM_SUBSETS, mode);
    uint at = mode + 1u;
    f.partition_index = bits_at(words, at, partition_bits);
    at += partition_bits;
    f.rotation = bits_at(words, at, rotation_bits);
    at += rotation_bits;
    f.selection = bits_at(words, at, selection_bits);
    f.endpoints = at + selection_bits;
    const uint num = 2u * f.num_subsets;
    f.p_bits = f.endpoints + num * (3u * digit(COLOR_BITS, mode) + digit(ALPHA_BITS, mode));
    const uint has_p = digit(P_BITS, mode);
    f.indices = f.p_bits + (has_p == P_EACH ? num : has_p == P_SHARED ? f.num_subsets : 0u);
    f.indices2 = f.indices + 16u * digit(INDEX_BITS, mode) - f.num_subsets;
    return f;
}

// Get an endpoint in codes.
uvec4 endpoint_of(uvec4 words, Fields f, uint endpoint)
{
    const uint color_bits = digit(COLOR_BITS, f.mode), alpha_bits = digit(ALPHA_BITS, f.mode);
    const uint has_p = digit(P_BITS, f.mode);
    const uint p_shift = has_p == P_NONE ? 0u : 1u;
    const uint p_place = f.p_bits + (has_p == P_SHARED ? endpoint >> 1 : endpoint);
    const uint p = bits_at(words, p_place, p_shift);
    uvec4 codes = uvec4(255u);
    [[unroll]] for (uint c = 0u; c < 4u; c++) {
        const uint num_bits = c < 3u ? color_bits : alpha_bits;
        const uint at = f.endpoints + c * 2u * f.num_subsets * color_bits + endpoint * num_bits;
        if (num_bits > 0u)
            codes[c] = expand_code(bits_at(words, at, num_bits) << p_shift | p, num_bits + p_shift);
    }
    return codes;
}

// Get texel `t` as codes. A block of no mode is 0 in all channels.
uvec4 bc7_codes(uvec4 words, uint t)
{
    if ((words.x & 255u) == 0u)
        return uvec4(0u);
    const Fields f = fields_of(words, uint(findLSB(words.x)));
    const uint index_bits = digit(INDEX_BITS, f.mode), index2_bits = digit(INDEX2_BITS, f.mode);
    const uint weight = weight_at(words, f.indices, index_bits, f.num_subsets, f.partition_index,
                                  t);
    uvec2 weights = uvec2(weight); // of colour and of alpha
    if (index2_bits > 0u) {
        const uint weight2 = weight_at(words, f.indices2, index2_bits, 1u, 0u, t);
        weights = f.selection == 0u ? uvec2(weight, weight2) : uvec2(weight2, weight);
    }
    const uint subset = subset_with(f.num_subsets, f.partition_index, t);
    const uvec4 first = endpoint_of(words, f, 2u * subset);
    const uvec4 second = endpoint_of(words, f, 2u * subset + 1u);
    const uvec4 w = weights.xxxy;
    const uvec4 codes = (64u - w) * first + w * second + 32u >> 6;
    return f.rotation == 0u   ? codes
           : f.rotation == 1u ? codes.agbr
           : f.rotation == 2u ? codes.rabg
                              : codes.rgab;
}
