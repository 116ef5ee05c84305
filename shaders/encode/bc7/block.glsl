// SPDX-License-Identifier: MIT
// Writes a BC7 block.

// The mode of a block and its fields, without the endpoints and indices.
struct Block {
    uint mode, partition_index, rotation, selection;
    int error; // the error that the block has with indices found by projection
};

// The codes of the endpoints of each invocation's block, 8 bits a channel.
shared uint best_codes[6][NUM_INVOCATIONS];
shared uint trial_codes[6][NUM_INVOCATIONS];

// Get the channel that has an index of its own in modes 4 and 5.
ivec4 channel_alone(Block b)
{
    return ivec4(equal(uvec4(b.rotation), uvec4(1u, 2u, 3u, 0u)));
}

// Get the number of bits of a code of each channel, with the p-bit.
ivec4 code_bits(Block b)
{
    const int p = int(digit(P_BITS, b.mode) != P_NONE);
    const int color = int(digit(COLOR_BITS, b.mode)) + p;
    const int alpha = int(digit(ALPHA_BITS, b.mode));
    return color + (alpha == 0 ? -color : alpha + p - color) * channel_alone(b);
}

// Get the channels to which index set `set` applies: colour, alpha, or all.
ivec4 channels_of(Block b, uint set)
{
    if (digit(INDEX2_BITS, b.mode) == 0u) {
        // Of a vector that a constant chooses Mesa 22.3 gets only the first component right.
        return ivec4(1, 1, 1, ALPHA_UNREAD ? 0 : 1);
    }
    return set == b.selection ? 1 - channel_alone(b) : channel_alone(b);
}

// Get a mask of the channels that have bits, for a packed texel or packed codes.
uint mask_of(ivec4 bits)
{
    return pack(mix(ivec4(255), ivec4(0), equal(bits, ivec4(0))));
}

// Exchange alpha with R, G or B, as the rotation says.
uint rotate(uint v, uint rotation)
{
    const uint place = rotation == 0u ? 24u : 8u * rotation - 8u;
    const uint change = (v >> place ^ v >> 24) & 255u;
    return rotation == 0u ? v : v ^ (change << place | change << 24);
}

// Get a texel, with 0 in channels that are not in the mask.
ivec4 texel_of(uint t, uint mask)
{
    return unpack(texel_word(t) & mask);
}

struct Line {
    ivec4 start, way;
    int square;
    uint scale;
};

Line line_between(ivec4 start, ivec4 end, int max_index)
{
    Line l;
    l.start = start;
    l.way = end - start;
    l.square = dot_product(l.way, l.way);
    l.scale = l.square != 0 ? (uint(max_index) << 27) / uint(l.square) : 0u;
    return l;
}

int nearest(Line l, ivec4 v)
{
    const int along = dot_product(l.way, v - l.start);
    return int(uint(clamp(along, 0, l.square)) * l.scale + (1u << 26) >> 27);
}

// Get `value` as the digit of texel `t`, among the digits of 16 texels.
uvec2 digit_at(uint value, uint t)
{
    return t < 8u ? uvec2(value << 4u * t, 0u) : uvec2(0u, value << 4u * t - 32u);
}

// Get the index of the nearest value, and its error above it, shifted by 4. It is the index by
// projection or next to that, as rounding moves values by less than a step.
uint best_index(Line l, ivec4 v, int max_index)
{
    uint best = 0xffffffffu;
    const int center = nearest(l, v);
    const int end = min(center + 1, max_index);
    [[dont_unroll]] for (int k = max(center - 1, 0); k <= end; k++) {
        const ivec4 e = v - l.start - (weight_of(max_index, k) * l.way + 32 >> 6);
        best = min(best, uint(dot_product(e, e)) << 4 | uint(k));
    }
    return best;
}

// Get the indices of `set`, a digit each. Exchange the endpoints of a subset if its anchor's index
// is in the upper half. Add the error that is left.
uvec2 choose_indices(Block b, uint set, inout int error)
{
    const ivec4 bits = code_bits(b) * channels_of(b, set);
    const uint mask = mask_of(bits);
    const int max_index = (1 << digit(set == 0u ? INDEX_BITS : INDEX2_BITS, b.mode)) - 1;
    const uint num_subsets = digit(NUM_SUBSETS, b.mode);
    uvec2 indices = uvec2(0u);
    [[dont_unroll]] for (uint s = 0u; s < num_subsets; s++) {
        const uint first = best_codes[2u * s][gl_LocalInvocationIndex];
        const uint second = best_codes[2u * s + 1u][gl_LocalInvocationIndex];
        const Line l = line_between(expand(unpack(first & mask), bits),
                                    expand(unpack(second & mask), bits), max_index);
        uvec2 found = uvec2(0u), highest = uvec2(0u);
        [[dont_unroll]] for (uint rest = subset_of(num_subsets, b.partition_index, s); rest != 0u;
                             rest &= rest - 1u) {
            const uint t = findLSB(rest);
            const uint best = best_index(l, texel_of(t, mask), max_index);
            found |= digit_at(best & 15u, t);
            error += int(best >> 4);
            highest |= digit_at(uint(max_index), t);
        }
        const uvec2 anchor = digit_at(uint(max_index + 1) / 2u,
                                      anchor_of(num_subsets, b.partition_index, s));
        if ((found & anchor) != uvec2(0u)) {
            found = highest - found;
            best_codes[2u * s][gl_LocalInvocationIndex] = first & ~mask | second & mask;
            best_codes[2u * s + 1u][gl_LocalInvocationIndex] = second & ~mask | first & mask;
        }
        indices |= found;
    }
    return indices;
}

// Shift the lowest `num_bits` bits of `value` into the 128 bits of the block from above. Call it
// from the lowest field to the highest, until all 128 bits are put.
void put(inout uvec4 block, uint num_bits, uint value)
{
    if (num_bits != 0u) {
        block = block >> num_bits | uvec4(block.yzw, value) << 32u - num_bits;
    }
}

void put_header(inout uvec4 block, Block b)
{
    const uint partition_place = b.mode + 1u;
    const uint rotation_place = partition_place + digit(PARTITION_BITS, b.mode);
    const uint selection_place = rotation_place + digit(ROTATION_BITS, b.mode);
    put(block, selection_place + digit(SELECTION_BITS, b.mode),
        1u << b.mode | b.partition_index << partition_place | b.rotation << rotation_place |
            b.selection << selection_place);
}

void put_endpoints(inout uvec4 block, Block b)
{
    const uint mode = b.mode;
    const uint p_bits = digit(P_BITS, mode);
    const uint num_endpoints = 2u * digit(NUM_SUBSETS, mode);
    [[dont_unroll]] for (uint c = 0u; c < 4u; c++) {
        const uint num_bits = digit(c < 3u ? COLOR_BITS : ALPHA_BITS, mode);
        [[dont_unroll]] for (uint e = 0u; e < num_endpoints; e++) {
            const uint codes = rotate(best_codes[e][gl_LocalInvocationIndex], b.rotation);
            put(block, num_bits, codes >> 8u * c + uint(p_bits != P_NONE));
        }
    }
    uint bits = 0u, num_bits = 0u;
    [[dont_unroll]] for (uint e = 0u; p_bits != P_NONE && e < num_endpoints;
                         e += p_bits == P_SHARED ? 2u : 1u) {
        bits |= (best_codes[e][gl_LocalInvocationIndex] & 1u) << num_bits++;
    }
    put(block, num_bits, bits);
}

void put_indices(inout uvec4 block, Block b, uint num_bits, uvec2 indices)
{
    const uint num_subsets = digit(NUM_SUBSETS, b.mode);
    uint anchors = 0u;
    [[dont_unroll]] for (uint s = 0u; s < num_subsets; s++) {
        anchors |= 1u << anchor_of(num_subsets, b.partition_index, s);
    }
    [[dont_unroll]] for (uint t = 0u; t < 16u; t++) {
        const uint index = (t < 8u ? indices.x : indices.y) >> 4u * (t & 7u);
        put(block, num_bits - (anchors >> t & 1u), index);
    }
}

// Get the 16 bytes of a block, in memory order, and the error that a decoder has.
uvec4 write_block(Block b, out int error)
{
    error = 0;
    const uint num_sets = digit(INDEX2_BITS, b.mode) == 0u ? 1u : 2u;
    uvec4 indices = uvec4(0u);
    [[dont_unroll]] for (uint set = 0u; set < num_sets; set++) {
        indices = uvec4(indices.zw, choose_indices(b, set, error));
    }
    if (num_sets == 1u) {
        indices = indices.zwxy;
    }
    uvec4 block = uvec4(0u);
    put_header(block, b);
    put_endpoints(block, b);
    [[dont_unroll]] for (uint set = 0u; set < num_sets; set++) {
        put_indices(block, b, digit(set == 0u ? INDEX_BITS : INDEX2_BITS, b.mode), indices.xy);
        indices = indices.zwxy;
    }
    return block;
}

// What an invocation found: the error of a block, 16 times, and its stage, and the block. Nothing
// is better than a key of 0.
const uint NOT_FOUND = 0xffffffffu;
struct Found {
    uint key;
    uvec4 block;
};
