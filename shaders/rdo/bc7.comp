// SPDX-License-Identifier: MIT
// Rate-distortion optimisation of BC7: a block becomes one of those before it, or takes the
// endpoints of one of mode 6 with new indices, or its indices with new endpoints. rdo/tile.glsl
// explains the rule; integer arithmetic.
//
// A workgroup does a tile of 32x32 blocks, see rdo/tile.glsl. Requires nothing beyond Vulkan 1.2.

#define WORDS uvec4
const uint BLOCK_SIZE = 16u;
#include "rdo/interface.glsl"

layout(constant_id = WEIR_RDO_CONSTANT_BC7_ALPHA_UNREAD) const bool ALPHA_UNREAD = false;

const bool BC4_ALPHA = false;
const ivec4 FIRST = ivec4(0, 0, 0, ALPHA_UNREAD ? 0 : 1);
const ivec4 SECOND = ivec4(1, 1, 1, 0);
const uint WORTH_BYTES = 16u; // that a block saves where it is copied
const bool IS_WHOLE = true;
const uint NUM_INVOCATIONS = WEIR_RDO_WINDOW;

#include "rdo/bc7.glsl"

uvec4 decoded_codes(uvec4 words, uint t)
{
    return bc7_codes(words, t);
}

#include "rdo/channels.glsl"

#include "rdo/bc7_line.glsl"

// What the block of this invocation gives the one whose turn it is by its endpoints.
struct Refit {
    uvec2 half_words; // the second half
    Sums sums;
};
Refit own_refit;

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

// Get the key of a copy of the block at `place` with that loss. One of a half leaves no error in
// what had none, where it would show as steps.
uint key_of_loss(uint i, uint place, Loss loss, uint bytes, uint choice, uint distance)
{
    const bvec2 stays = bvec2(uvec2(equal(loss.costs, uvec2(0u))) |
                              uvec2(notEqual(batch[i].kept_costs, uvec2(0u))));
    bool is_allowed = all(loss.is_allowed) && (choice == COPY_BLOCK || all(stays));
    if (STEADY && batch[i].is_held.x) {
        const bool same = choice == COPY_BLOCK && batch[i].words == window_words[place];
        bytes += same ? 0u : 2u * CHANGE_BYTES;
        is_allowed = is_allowed || same;
    }
    const uint cost = loss.costs.x + loss.costs.y + batch[i].lambda * bytes;
    return is_allowed ? key_of(cost, choice, distance) : ~0u;
}

// Get the key of a copy of the endpoints of the block at `place` in the window.
uint key_of_endpoints(uint i, uint place, uint bytes, uint distance)
{
    Fit fit;
    own_refit.half_words = fit_indices(i, window_lines[place], fit);
    own_refit.sums = sums_of(fit);
    const Loss loss = loss_of(i, fit.products, own_refit.sums);
    return key_of_loss(i, place, loss, bytes, COPY_FIRST, distance);
}

// Get the key of a copy of its indices.
uint key_of_indices(uint i, uint place, uint bytes, uint distance)
{
    const uvec2 half_words = window_words[place].zw;
    Line line;
    if (!fit_line(i, half_words, line))
        return ~0u;
    const Fit fit = fit_of(i, line, half_words);
    const Loss loss = loss_of(i, fit.products, sums_of(fit));
    return key_of_loss(i, place, loss, bytes, COPY_SECOND, distance);
}

// Get the least key of the copies of the block at `place` in the window.
uint least_key_of_copies(uint i, uint place, uint offset, uint distance, Stream stream)
{
    const uint bytes = copy_rate(stream, offset);
    const uint next_bytes = copy_rate(after_copy(stream, offset), offset);
    const Loss copied = loss_of(i, products_of(i, place), window_sums[place]);
    const uint key = key_of_loss(i, place, copied, bytes + next_bytes, COPY_BLOCK,
                                 distance);
    if (!has_line(window_words[place]))
        return key;
    const uint indices_bytes = literal_rate(stream) + copy_rate(LITERAL, offset);
    return min(min(key, key_of_endpoints(i, place, bytes + HALF_SIZE + 1u, distance)),
               key_of_indices(i, place, indices_bytes, distance));
}

// Write a block's words into the window at `place` and, where they are new, into the buffer.
void put_words(uint i, uint place, uint choice, uint index, uvec4 words)
{
    window_words[place] = words;
    if (choice != KEEP || batch[i].is_held.x)
        destination.blocks[index] = words;
    put_history(index, words);
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

// Put a block that takes the indices at this invocation's place, with endpoints of its own.
void put_line(uint i, uint place, uint choice, uint index)
{
    const uvec2 half_words = window_words[gl_LocalInvocationIndex].zw;
    Line line;
    fit_line(i, half_words, line);
    const Projection p = projection_of(line);
    [[unroll]] for (uint q = 0u; q < 4u; q++) {
        [[unroll]] for (uint t = 0u; t < 4u; t++)
            window_texels[q][place][t] = pack_texel(
                uvec4(value_on(p, index_in(half_words, 4u * q + t))));
    }
    put_words(i, place, choice, index, uvec4(first_half_of(line), half_words));
    window_lines[place] = line;
    window_sums[place] = sums_of(fit_of(i, line, half_words));
}

// Put a block that is kept, or a copy of a block: a part of it.
void put_whole(uint i, uint place, uint from, uint choice, uint index, uint part)
{
    const bool is_copy = choice == COPY_BLOCK;
    if (part < 4u) {
        uvec4 own;
        [[unroll]] for (uint t = 0u; t < 4u; t++)
            own[t] = batch_decoded[i][4u * part + t];
        window_texels[part][place] = is_copy ? window_texels[part][from] : own;
    } else if (part == 4u) {
        put_words(i, place, choice, index, is_copy ? window_words[from] : batch[i].words);
        window_lines[place] = is_copy ? window_lines[from] : batch_lines[i];
    } else if (part == 5u) {
        const Sums own = Sums(batch[i].decoded_squares, batch[i].decoded_sum);
        window_sums[place] = is_copy ? window_sums[from] : own;
    }
}

// Put a block into the window at `place`, with what it copies from place `from`, and write it: each
// of the first six invocations does a part, or that of the block which is copied what it has worked
// out.
void put(uint i, uint place, uint from, uint choice, uint index)
{
    const uint lane = gl_LocalInvocationIndex;
    if (choice == KEEP || choice == COPY_BLOCK) {
        put_whole(i, place, from, choice, index, lane);
        return;
    }
    if (choice == COPY_SECOND) {
        if (lane == from)
            put_line(i, place, choice, index);
        return;
    }
    if (lane < 4u)
        window_texels[lane][place] = refitted_texels(i, from, lane);
    if (lane == from) {
        put_words(i, place, choice, index, uvec4(window_words[from].xy, own_refit.half_words));
        window_sums[place] = own_refit.sums;
        if (from != place) // which others read meanwhile
            window_lines[place] = window_lines[from];
    }
}

#include "rdo/tile.glsl"
