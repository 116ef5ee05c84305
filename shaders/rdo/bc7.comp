// SPDX-License-Identifier: MIT
// Rate-distortion optimisation of BC7: a block becomes one of those before it, or takes the first
// half of one of mode 6, with its endpoints, and new indices. Defined by tests/ref/rdo.c, which
// explains the rule, and tests/ref/bc7_rdo.c; integer arithmetic.
//
// A workgroup does a tile of 32x32 blocks, see rdo/tile.glsl. Requires nothing beyond Vulkan 1.2.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

#define WORDS uvec4
const uint BLOCK_SIZE = 16u;
#include "rdo/interface.glsl"

layout(constant_id = WEIR_RDO_CONSTANT_BC7_ALPHA_UNREAD) const bool ALPHA_UNREAD = false;

const bool BC4_ALPHA = false;
const ivec4 FIRST = ivec4(0, 0, 0, ALPHA_UNREAD ? 0 : 1);
const ivec4 SECOND = ivec4(1, 1, 1, 0);
const uint WORTH_BYTES = 16u; // that a block saves where it is copied
const uint NUM_INVOCATIONS = WEIR_RDO_WINDOW;

#include "rdo/bc7.glsl"

uvec4 decoded_codes(uvec4 words, uint t)
{
    return bc7_codes(words, t);
}

#include "rdo/channels.glsl"

// The line between the endpoints of a block of mode 6. `scale`: from the square of its length, in
// the channels that count, to the highest index, times 2^27; that of other modes is not used.
struct Line {
    uint first, second; // packed texels
    uint scale;
};
shared Line batch_lines[BATCH];
shared Line window_lines[WEIR_RDO_WINDOW];

bool has_line(uvec4 words)
{
    return (words.x & 127u) == 64u;
}

// Get the way from the first endpoint to the second, in the channels that count.
ivec4 way_of(Line line)
{
    return (FIRST + SECOND) * (unpack_texel(line.second) - unpack_texel(line.first));
}

Line line_of(uvec4 words)
{
    const Fields f = fields_of(words, 6u);
    Line line = Line(pack_texel(endpoint_of(words, f, 0u)), pack_texel(endpoint_of(words, f, 1u)),
                     0u);
    const ivec4 way = way_of(line);
    const uint square = uint(total(way * way));
    line.scale = square > 0u ? (15u << 27) / square : 0u;
    return line;
}

// How texels are projected onto a line.
struct Projection {
    ivec4 first, way; // of all channels
    ivec4 counted_way;
    int start, square;
    uint scale;
};

Projection projection_of(Line line)
{
    Projection p;
    p.first = unpack_texel(line.first);
    p.way = unpack_texel(line.second) - p.first;
    p.counted_way = way_of(line);
    p.start = total(p.counted_way * p.first);
    p.square = total(p.counted_way * p.counted_way);
    p.scale = line.scale;
    return p;
}

// Get the index of texel `t` of block `i` of the batch: of the value that is nearest on the line,
// but for its rounding. That of the anchor has no highest bit.
uint index_on(Projection p, uint i, uint t)
{
    const int along = (-total(p.counted_way * batch_factors[i][t]) >> 5) - p.start; // exact
    const uint index = uint(clamp(along, 0, p.square)) * p.scale + (1u << 26) >> 27;
    return t == 0u ? min(index, 7u) : index;
}

ivec4 value_on(Projection p, uint index)
{
    return p.first + (int(weight_of_index(index, 4u)) * p.way + 32 >> 6);
}

// What this invocation's block gives the one whose turn it is by its endpoints: the second half,
// and the sums of the texels.
struct Refit {
    uvec2 half_words;
    Sums sums;
};
Refit own_refit;

// Fit the indices of block `i` of the batch to the line at `place` in the window. Returns what it
// loses.
Loss refit(uint i, uint place)
{
    const Projection p = projection_of(window_lines[place]);
    const uint p_bit = uint(p.first.x + p.way.x) & 1u; // the second one, which begins the half
    ivec4 products = ivec4(0), squares = ivec4(0), texels = ivec4(0);
    uvec2 half_words = uvec2(0u);
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        const uint index = index_on(p, i, t);
        const ivec4 value = value_on(p, index);
        half_words[t >> 3] |= (t == 0u ? index << 1 | p_bit : index) << 4u * (t & 7u);
        products += batch_factors[i][t] * value;
        squares += value * value;
        texels += value;
    }
    own_refit = Refit(half_words, Sums(16 * by_part(squares), texels));
    return loss_of(i, products, own_refit.sums);
}

void begin_tile()
{
    share_tables();
}

// Work out the factors of texel `t` of block `i` of the batch, and its line.
void make_factors(uint i, uint t)
{
    batch_factors[i][t] = factors_of(i, t);
    if (t == 0u && has_line(batch[i].words))
        batch_lines[i] = line_of(batch[i].words);
}

uint key_of_loss(uint i, Loss loss, uint bytes, uint choice, uint distance)
{
    const uint cost = loss.costs.x + loss.costs.y + batch[i].lambda * bytes;
    return all(loss.is_allowed) ? key_of(cost, choice, distance) : ~0u;
}

// Get the least key of the copies of the block at `place` in the window.
uint least_key_of_copies(uint i, uint place, uint offset, uint distance, Stream stream)
{
    const uint bytes = copy_bytes(stream, offset);
    const uint next_bytes = copy_bytes(after_copy(stream, offset), offset);
    const Loss copied = loss_of(i, products_of(i, place), window_sums[place]);
    const uint key = key_of_loss(i, copied, bytes + next_bytes, COPY_BLOCK, distance);
    if (!has_line(window_words[place]))
        return key;
    return min(key, key_of_loss(i, refit(i, place), bytes + HALF_SIZE + 1u, COPY_FIRST, distance));
}

// Write a block's words into the window at `place` and, where they are new, into the buffer.
void put_words(uint place, uint choice, uint index, uvec4 words)
{
    window_words[place] = words;
    if (choice != KEEP)
        destination.blocks[index] = words;
}

// Get four texels of a block that takes the endpoints at place `from` in the window.
uvec4 refitted_texels(uint i, uint from, uint quarter)
{
    const Projection p = projection_of(window_lines[from]);
    uvec4 texels;
    [[unroll]] for (uint t = 0u; t < 4u; t++)
        texels[t] = pack_texel(uvec4(value_on(p, index_on(p, i, 4u * quarter + t))));
    return texels;
}

// Put a block into the window at `place`, with what it copies from place `from`, and write it: each
// of the first six invocations does a part, and that of the place what it has worked out.
void put(uint i, uint place, uint from, uint choice, uint index)
{
    const bool is_refitted = choice == COPY_FIRST;
    const uint part = gl_LocalInvocationIndex;
    if (part < 4u) {
        uvec4 own;
        [[unroll]] for (uint t = 0u; t < 4u; t++)
            own[t] = batch_decoded[i][4u * part + t];
        window_texels[part][place] = is_refitted            ? refitted_texels(i, from, part)
                                     : choice == COPY_BLOCK ? window_texels[part][from]
                                                            : own;
    } else if (part == 4u) {
        if (!is_refitted)
            put_words(place, choice, index,
                      choice == COPY_BLOCK ? window_words[from] : batch[i].words);
        if (choice == KEEP)
            window_lines[place] = batch_lines[i];
        else if (from != place)
            window_lines[place] = window_lines[from];
    } else if (part == 5u && !is_refitted) {
        window_sums[place] = choice == COPY_BLOCK
                                 ? window_sums[from]
                                 : Sums(batch[i].decoded_squares, batch[i].decoded_sum);
    }
    if (is_refitted && gl_LocalInvocationIndex == from) {
        put_words(place, choice, index, uvec4(window_words[from].xy, own_refit.half_words));
        window_sums[place] = own_refit.sums;
    }
}

#include "rdo/tile.glsl"
