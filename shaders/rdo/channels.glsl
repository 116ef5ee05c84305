// SPDX-License-Identifier: MIT
// Blocks whose errors are those of channels, measured in two parts or in one: the sums of a block,
// and of those in the window. Integer arithmetic.
//
// A texel has a byte for each of four channels, those of the source and of blocks decoded and
// rounded to codes. The squared error of what is copied is the sum of squares of the copied texels,
// which its invocation keeps, and of the source, less twice the products of both. Only the products
// are worked out for each pair of blocks.
//
// The includer has the specialization constant BC4_ALPHA, and:
// - FIRST, SECOND: 1 for the channels of a part, else 0;
// - WORTH_BYTES: that may pay for what one of two parts loses;
// - IS_WHOLE: a part has no half of its own, so that a block is held whole;
// - decoded_codes(): a texel of a block.

#include "rdo/history.glsl"

const bool HAS_SECOND = BLOCK_SIZE > HALF_SIZE;
const uvec4 SHIFTS = uvec4(0u, 8u, 16u, 24u);

// Sums of channels, by parts.
int total(ivec4 v)
{
    return v.x + v.y + v.z + v.w;
}

ivec2 by_part(ivec4 v)
{
    return ivec2(total(FIRST * v), total(SECOND * v));
}

// Get the bits of channels in a packed texel.
uint bits_of(ivec4 channels)
{
    return 255u * uint(channels.x | channels.y << 8 | channels.z << 16 | channels.w << 24);
}

uint pack_texel(uvec4 codes)
{
    return codes.x | codes.y << 8 | codes.z << 16 | codes.w << 24;
}

ivec4 unpack_texel(uint bits)
{
    return ivec4(uvec4(bits) >> SHIFTS & 255u);
}

// Squared errors are in 1/16 of a squared code.
ivec2 squared(ivec4 e)
{
    return 16 * by_part(e * e);
}

uint squared_error(uint texel, uint wanted)
{
    const ivec2 squares = squared(unpack_texel(texel) - unpack_texel(wanted));
    return uint(squares.x + squares.y);
}

// Get what squared errors cost without bytes, by parts: the error of the mean counts twice.
uvec2 cost_of(ivec2 errors, ivec4 mean_error)
{
    return uvec2(errors + by_part(mean_error * mean_error));
}

// Get the bits of a packed texel that a choice copies.
uint copied_bits(uint choice)
{
    return (copies_first(choice) ? bits_of(FIRST) : 0u) |
           (copies_second(choice) ? bits_of(SECOND) : 0u);
}

// A block of the batch, as its encoder made it or, where halves are held, as in the frame before,
// with sums by parts.
struct Block {
    WORDS words;
    bvec2 is_held;
    ivec4 source_sum; // of its texels
    ivec4 decoded_sum;
    ivec2 source_squares;
    ivec2 decoded_squares;
    uvec2 kept_costs; // of what it is, without bytes
    ivec2 limits;     // of a copy's errors
    uvec2 cost_limits;
    uint lambda;
};
shared Block batch[BATCH];

// The factors of a copied texel's codes in the squared error of its block.
shared ivec4 batch_factors[BATCH][16];

// The sum of squares of a block's texels, and of the texels.
struct Sums {
    ivec2 squares;
    ivec4 texels;
};
shared Sums window_sums[WEIR_RDO_WINDOW];

// Read texel `t` of block `i` of the batch.
void read_texel(uvec2 block, uint i, uint t)
{
    const uvec2 position = min(4u * block + uvec2(t & 3u, t >> 2), push.size - 1u);
    const vec4 texel = texelFetch(source, ivec3(position, 0), 0);
    uvec4 codes = uvec4(source_codes(texel.rgb, position), source_alpha(texel.a));
    codes.r = BC4_ALPHA ? codes.a : codes.r;
    const WORDS words = destination.blocks[push.first_block + block.y * push.columns + block.x];
    batch_source[i][t] = pack_texel(codes);
    batch_decoded[i][t] = pack_texel(decoded_codes(words, t));
    if (t == 0u)
        batch[i].words = words;
    if (STEADY) {
        const WORDS before = history.blocks[index_in_history(block)];
        batch_before[i][t] = pack_texel(decoded_codes(before, t));
        if (t == 0u)
            batch_before_words[i] = before;
    }
}

// Get the weight of a byte in a part. In what is smooth it is little, but not 0, so that copies
// that lose nothing are found. An activity is measured in 1/8 of a squared code in each channel of
// each texel.
uint lambda_of(int activity, ivec4 channels)
{
    const uint unit = 32u * uint(max(total(channels), 1));
    return uint(max(lambda_at(uint(activity), unit), min(frame_lambda, 1)));
}

bvec2 both(bvec2 a, bvec2 b)
{
    return bvec2(uvec2(a) & uvec2(b));
}

// Find out which halves are equal.
bvec2 equal_halves(uvec4 a, uvec4 b)
{
    return bvec2(a.xy == b.xy, a.zw == b.zw);
}

bvec2 equal_halves(uvec2 a, uvec2 b)
{
    return bvec2(a == b, false);
}

uint choice_of(bvec2 halves)
{
    return halves.x ? (halves.y || !HAS_SECOND ? COPY_BLOCK : COPY_FIRST)
                    : halves.y ? COPY_SECOND : KEEP;
}

// Give block `i` of the batch the halves of the frame before that it is better off with. `errors`:
// of what it is.
void hold(uint i, uvec2 lambdas, ivec2 errors, ivec2 activity, inout Block b)
{
    ivec2 before_errors = ivec2(0);
    ivec4 mean_error = ivec4(0);
    for (uint t = 0u; t < 16u; t++) {
        const ivec4 e = unpack_texel(batch_before[i][t]) - unpack_texel(batch_source[i][t]);
        before_errors += squared(e);
        mean_error += e;
    }
    const uvec2 costs = cost_of(before_errors, mean_error);
    const bvec2 is_cheap = lessThanEqual(costs, b.kept_costs + lambdas * HOLD_HALF);
    const bvec2 is_close = lessThanEqual(before_errors, errors + int(MAX_HELD) * activity);
    const bvec2 is_there = not(equal_halves(batch_before_words[i], WORDS(0u)));
    b.is_held = both(is_cheap, is_close);
    if (IS_WHOLE)
        b.is_held = bvec2(all(b.is_held) && any(is_there));
    else
        b.is_held = both(b.is_held, bvec2(is_there.x, is_there.y && HAS_SECOND));
    b.kept_costs = mix(b.kept_costs, costs, b.is_held);
    const uint choice = choice_of(b.is_held), bits = copied_bits(choice);
    b.words = merged(b.words, batch_before_words[i], choice);
    b.decoded_sum = ivec4(0);
    b.decoded_squares = ivec2(0);
    for (uint t = 0u; t < 16u; t++) {
        batch_decoded[i][t] = (batch_before[i][t] & bits) | (batch_decoded[i][t] & ~bits);
        const ivec4 d = unpack_texel(batch_decoded[i][t]);
        b.decoded_sum += d;
        b.decoded_squares += squared(d);
    }
}

// Sum up the texels of block `i` of the batch.
void sum_up(uint i)
{
    const int max_added = 3;
    Block b;
    b.words = batch[i].words;
    b.is_held = bvec2(false);
    b.source_sum = b.decoded_sum = ivec4(0);
    b.source_squares = b.decoded_squares = ivec2(0);
    ivec2 errors = ivec2(0);
    for (uint t = 0u; t < 16u; t++) {
        const ivec4 s = unpack_texel(batch_source[i][t]), d = unpack_texel(batch_decoded[i][t]);
        b.source_sum += s;
        b.decoded_sum += d;
        b.source_squares += squared(s);
        b.decoded_squares += squared(d);
        errors += squared(d - s);
    }
    const ivec2 activity = b.source_squares - by_part(b.source_sum * b.source_sum);
    b.kept_costs = cost_of(errors, b.decoded_sum - b.source_sum);
    b.limits = errors + max_added * activity;
    const uvec2 lambdas = uvec2(lambda_of(activity.x, FIRST),
                                HAS_SECOND ? lambda_of(activity.y, SECOND) : 0u);
    b.lambda = max(lambdas.x, lambdas.y);
    b.cost_limits = HAS_SECOND ? b.kept_costs + lambdas * WORTH_BYTES : uvec2(~0u);
    if (STEADY)
        hold(i, lambdas, errors, activity, b);
    batch[i] = b;
}

// Get the factors of the codes of a copied texel `t` in the squared error of block `i`.
ivec4 factors_of(uint i, uint t)
{
    return -32 * unpack_texel(batch_source[i][t]);
}

// Get the sums of the products of the texels of block `i` of the batch and of that at `place` in
// the window.
ivec4 products_of(uint i, uint place)
{
    ivec4 products = ivec4(0);
    [[unroll]] for (uint q = 0u; q < 4u; q++) {
        const uvec4 texels = window_texels[q][place];
        [[unroll]] for (uint t = 0u; t < 4u; t++)
            products += batch_factors[i][4u * q + t] * unpack_texel(texels[t]);
    }
    return products;
}

// What block `i` of the batch loses with texels of these sums, by parts.
struct Loss {
    uvec2 costs; // without bytes
    bvec2 is_allowed;
};

Loss loss_of(uint i, ivec4 products, Sums sums)
{
    const ivec2 errors = by_part(products) + sums.squares + batch[i].source_squares;
    const uvec2 costs = cost_of(errors, sums.texels - batch[i].source_sum);
    return Loss(costs, both(lessThanEqual(errors, batch[i].limits),
                            lessThanEqual(costs, batch[i].cost_limits)));
}

bool is_open(uint i)
{
    return frame_lambda > 0;
}

uint key_of_keeping(uint i, Stream stream)
{
    const uvec2 kept = batch[i].kept_costs;
    const uint cost = HAS_SECOND ? kept.x + kept.y : kept.x;
    const uint bytes = literal_rate(stream) + (HAS_SECOND ? HALF_SIZE : 0u);
    return key_of(cost + batch[i].lambda * bytes, KEEP, 1u);
}
