// SPDX-License-Identifier: MIT
// Rate-distortion optimisation of BC1, BC3 (alpha in the first half), BC4 and BC5: of blocks whose
// halves of eight bytes hold different channels, or that are one such half. rdo/tile.glsl
// explains the rule; integer arithmetic.
//
// A workgroup does a tile of 32x32 blocks, see rdo/tile.glsl. Requires nothing beyond Vulkan 1.2.
//
// BC1, BC3, BC4 or BC5: the codec. WORDS, BLOCK_SIZE: the type and the bytes of a block.

#include "rdo/interface.glsl"

#ifdef BC4
layout(constant_id = WEIR_RDO_CONSTANT_BC4_ALPHA) const bool BC4_ALPHA = false;
#else
const bool BC4_ALPHA = false;
#endif

// The channels of the halves, and texel `t` of a block.
#if defined(BC1)
#include "rdo/bc1.glsl"
const ivec4 FIRST = ivec4(1, 1, 1, 0), SECOND = ivec4(0);
uvec4 decoded_codes(uvec2 words, uint t)
{
    return uvec4(bc1_codes(words, t, false), 0u);
}
#elif defined(BC3)
#include "rdo/bc1.glsl"
#include "rdo/bc4.glsl"
const ivec4 FIRST = ivec4(0, 0, 0, 1), SECOND = ivec4(1, 1, 1, 0);
uvec4 decoded_codes(uvec4 words, uint t)
{
    return uvec4(bc1_codes(words.zw, t, true), bc4_code(words.xy, t));
}
#elif defined(BC4)
#include "rdo/bc4.glsl"
const ivec4 FIRST = ivec4(1, 0, 0, 0), SECOND = ivec4(0);
uvec4 decoded_codes(uvec2 words, uint t)
{
    return uvec4(bc4_code(words, t), 0u, 0u, 0u);
}
#elif defined(BC5)
#include "rdo/bc4.glsl"
const ivec4 FIRST = ivec4(1, 0, 0, 0), SECOND = ivec4(0, 1, 0, 0);
uvec4 decoded_codes(uvec4 words, uint t)
{
    return uvec4(bc4_code(words.xy, t), bc4_code(words.zw, t), 0u, 0u);
}
#endif

const uint WORTH_BYTES = 6u; // that a half saves where it is copied
const bool IS_WHOLE = false;

#include "rdo/channels.glsl"
#ifdef BC1
#include "rdo/bc1_ends.glsl"
#endif

void begin_tile()
{
}

// Work out the factors of texel `t` of block `i` of the batch.
void make_factors(uint i, uint t)
{
    batch_factors[i][t] = factors_of(i, t);
#ifdef BC1
    if (TEXTURE && t < 4u)
        batch_colors[i][t] = color_of(batch[i].words, t);
#endif
}

// Get the least key of the copies of the block at `place` in the window.
uint least_key_of_copies(uint i, uint place, uint offset, uint distance, Stream stream)
{
    const Loss loss = loss_of(i, products_of(i, place), window_sums[place]);
    const uvec2 kept = batch[i].kept_costs;
    const uint lambda = batch[i].lambda;
    uvec2 costs = loss.costs;
    bvec2 is_allowed = loss.is_allowed;
    if (STEADY) {
        const bvec2 held = batch[i].is_held;
        const bvec2 same = both(held, equal_halves(batch[i].words, window_words[place]));
        costs += lambda * CHANGE_BYTES * uvec2(both(held, not(same)));
        is_allowed = bvec2(uvec2(is_allowed) | uvec2(same));
    }

    const uint bytes = copy_rate(stream, offset);
    const uint whole = is_allowed.x ? key_of(costs.x + lambda * bytes, COPY_BLOCK, distance) : ~0u;
#ifdef BC1
    if (TEXTURE)
        return min(whole, key_of_ends(i, place, bytes + CODES_RATE, distance));
#endif
    if (!HAS_SECOND)
        return whole;
    const uint next_bytes = copy_rate(after_copy(stream, offset), offset);
    const uint block = costs.x + costs.y + lambda * (bytes + next_bytes);
    const uint first = costs.x + kept.y + lambda * (bytes + HALF_SIZE + 1u);
    const uint second = kept.x + costs.y +
                        lambda * (literal_rate(stream) + copy_rate(LITERAL, offset));
    uint key = all(is_allowed) ? key_of(block, COPY_BLOCK, distance) : ~0u;
    key = is_allowed.y ? min(key, key_of(second, COPY_SECOND, distance)) : key;
    return is_allowed.x ? min(key, key_of(first, COPY_FIRST, distance)) : key;
}

// Put a block into the window at `place`, with what it copies from place `from`, and write it: each
// of the first invocations does a part.
void put(uint i, uint place, uint from, uint choice, uint index)
{
    const bool first = copies_first(choice), second = copies_second(choice);
    const uint part = gl_LocalInvocationIndex;
#ifdef BC1
    if (TEXTURE && part == 6u)
        window_colors[place] = choice == KEEP ? batch_colors[i] : window_colors[from];
    if (takes_ends(choice)) {
        if (part == from)
            put_codes(place, index);
        return;
    }
#endif
    if (part < 4u) {
        const uint copied = copied_bits(choice);
        uvec4 bits;
        [[unroll]] for (uint t = 0u; t < 4u; t++)
            bits[t] = batch_decoded[i][4u * part + t];
        window_texels[part][place] = (window_texels[part][from] & copied) | (bits & ~copied);
    } else if (part == 4u) {
        const WORDS words = merged(batch[i].words, window_words[from], choice);
        window_words[place] = words;
        if (choice != KEEP || any(batch[i].is_held))
            destination.blocks[index] = words;
        put_history(index, words);
    } else if (part == 5u) {
        const Sums other = window_sums[from];
        const ivec2 copied = ivec2(first, second);
        const ivec4 channels = copied.x * FIRST + copied.y * SECOND;
        window_sums[place] = Sums(copied * other.squares + (1 - copied) * batch[i].decoded_squares,
                                  channels * other.texels + (1 - channels) * batch[i].decoded_sum);
    }
}

#include "rdo/tile.glsl"
