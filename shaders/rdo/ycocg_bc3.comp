// SPDX-License-Identifier: MIT
// Rate-distortion optimisation of scaled YCoCg in BC3: replaces halves of blocks by halves of
// earlier ones where the least D + lambda * R is that of a copy. rdo/tile.glsl
// explains the rule; integer arithmetic.
//
// A workgroup does a tile of 32x32 blocks, see rdo/tile.glsl. Requires nothing beyond Vulkan 1.2.
//
// The squared error of a copy is a sum of squares of the copied texels, which its invocation keeps,
// of squares of the source, and of products of both. Only the products are worked out for each pair
// of blocks. Sums wrap on the way, and end below 2^31.

#define WORDS uvec4
const uint BLOCK_SIZE = 16u;
#include "rdo/interface.glsl"

#include "rdo/history.glsl"
#include "rdo/ycocg.glsl"

// A block of the batch: as its encoder made it, or, where it is held, as in the frame before.
struct Block {
    uvec4 words;
    bool is_held;
    ivec3 source_sum; // of its texels
    ivec3 decoded_sum;
    int luma, chroma; // squared lengths of its texels
    uint kept_cost;   // of what it is, without bytes
    int lambda;
    uint limit; // of a copy's error
    // The part of a copy's squared error that does not depend on what is copied.
    int rest_of_block, rest_of_chroma, rest_of_luma;
};
shared Block batch[BATCH];

// The factors of a copied texel in the squared error of its block. x, y, z: of Y, Co and Cg in a
// copy of the block, of which Co's is also that in a copy of Co and Cg; w: of Cg in such a copy.
shared ivec4 batch_factors[BATCH][16];
// Of Y in a copy of Y, for four texels.
shared ivec4 batch_luma_factors[BATCH][4];

// The parts of the squared length of a block's texels, and their sum.
struct Sums {
    int luma, chroma;
    ivec3 texels;
};
shared Sums window_sums[WEIR_RDO_WINDOW];

// Get what a squared error costs without bytes: the error of the mean counts twice.
uint cost_of(uint error, ivec3 mean_error)
{
    return error + (squared(mean_error) >> 4);
}

void begin_tile()
{
}

// Read texel `t` of block `i` of the batch.
void read_texel(uvec2 block, uint i, uint t)
{
    const uvec2 position = min(4u * block + uvec2(t & 3u, t >> 2), push.size - 1u);
    const vec4 texel = texelFetch(source, ivec3(position, 0), 0);
    const ivec3 s = texel_of_codes(ivec3(source_codes(texel.rgb, position)));
    const uvec4 words = destination.blocks[push.first_block + block.y * push.columns + block.x];
    batch_source[i][t] = pack_texel(s);
    batch_decoded[i][t] = pack_texel(decoded_texel(words, t));
    if (t == 0u)
        batch[i].words = words;
    if (STEADY) {
        const uvec4 before = history.blocks[index_in_history(block)];
        batch_before[i][t] = pack_texel(decoded_texel(before, t));
        if (t == 0u)
            batch_before_words[i] = before;
    }
}

// The error of what block `i` of the batch is, or was in the frame before.
struct Error {
    uint squares, cost;
};

Error error_of(uint i, bool is_before)
{
    uint squares = 0u;
    ivec3 mean_error = ivec3(0);
    for (uint t = 0u; t < 16u; t++) {
        const uint decoded = is_before ? batch_before[i][t] : batch_decoded[i][t];
        const ivec3 e = unpack_texel(decoded) - unpack_texel(batch_source[i][t]);
        squares += squared(e);
        mean_error += e;
    }
    return Error(squares, cost_of(squares, mean_error));
}

// Get the squared deviation of the source of block `i` of the batch from its mean.
uint activity_of(uint i, ivec3 source_sum)
{
    uint squares = 0u;
    for (uint t = 0u; t < 16u; t++)
        squares += squared(unpack_texel(batch_source[i][t]));
    return squares - (squared(source_sum) >> 4);
}

// True if block `i` of the batch is better off with the bytes of the frame before.
bool holds(uint i, Error own, int lambda, uint activity)
{
    if (!STEADY || batch_before_words[i] == uvec4(0u))
        return false;
    const Error before = error_of(i, true);
    return before.cost <= own.cost + uint(lambda) * HOLD_BLOCK &&
           before.squares <= own.squares + MAX_HELD * activity;
}

// Sum up the texels of block `i` of the batch.
void sum_up(uint i)
{
    const uint max_added = 3u;
    Block b;
    b.source_sum = b.decoded_sum = ivec3(0);
    b.luma = b.chroma = 0;
    b.rest_of_block = b.rest_of_chroma = b.rest_of_luma = 0;
    for (uint t = 0u; t < 16u; t++)
        b.source_sum += unpack_texel(batch_source[i][t]);
    const uint activity = activity_of(i, b.source_sum);
    const Error own = error_of(i, false);
    b.lambda = lambda_at(activity, 96u); // 1/8 of a squared code in each channel of a texel
    b.limit = own.squares + max_added * activity;
    b.is_held = holds(i, own, b.lambda, activity);
    b.words = b.is_held ? batch_before_words[i] : batch[i].words;
    b.kept_cost = b.is_held ? error_of(i, true).cost : own.cost;
    for (uint t = 0u; t < 16u; t++) {
        if (b.is_held)
            batch_decoded[i][t] = batch_before[i][t];
        const ivec3 s = unpack_texel(batch_source[i][t]);
        const ivec3 d = unpack_texel(batch_decoded[i][t]);
        const ivec3 e = d - s;
        b.decoded_sum += d;
        b.luma += 3 * d.x * d.x;
        b.chroma += 2 * d.y * d.y + 3 * d.z * d.z;
        b.rest_of_block += int(squared(s));
        b.rest_of_chroma += 2 * s.y * s.y + 3 * s.z * s.z + 2 * s.z * e.x + 3 * e.x * e.x;
        b.rest_of_luma += 3 * s.x * s.x + 2 * s.x * e.z + 2 * e.y * e.y + 3 * e.z * e.z;
    }
    batch[i] = b;
}

// Work out the factors of texel `t` of block `i` of the batch.
void make_factors(uint i, uint t)
{
    const ivec3 s = unpack_texel(batch_source[i][t]);
    const ivec3 error = unpack_texel(batch_decoded[i][t]) - s;
    batch_factors[i][t] = ivec4(2 * s.z - 6 * s.x, -4 * s.y, 2 * s.x - 6 * s.z,
                                -6 * s.z - 2 * error.x);
    batch_luma_factors[i][t / 4u][t % 4u] = -6 * s.x - 2 * error.z;
}

bool is_open(uint i)
{
    return batch[i].lambda > 0;
}

// True if a copy gives a block the bytes that it has.
bool is_same(uvec4 own, uvec4 other, uint choice)
{
    return (!copies_first(choice) || own.xy == other.xy) &&
           (!copies_second(choice) || own.zw == other.zw);
}

// Get the key of a copy of the block at `place`, or of none where its error is too large.
uint key_of_copy(uint i, uint place, uint error, ivec3 mean_error, uint bytes, uint choice,
                 uint distance)
{
    bool is_allowed = error <= batch[i].limit;
    if (STEADY && batch[i].is_held) {
        const bool same = is_same(batch[i].words, window_words[place], choice);
        bytes += same ? 0u : CHANGE_BYTES;
        is_allowed = is_allowed || same;
    }
    const uint cost = cost_of(error, mean_error) + uint(batch[i].lambda) * bytes;
    return is_allowed ? key_of(cost, choice, distance) : ~0u;
}

// Get the least key of the copies of the block at `place` in the window.
uint least_key_of_copies(uint i, uint place, uint offset, uint distance, Stream stream)
{
    int block = 0, chroma = 0, luma = 0;
    [[unroll]] for (uint q = 0u; q < 4u; q++) {
        const uvec4 texels = window_texels[q][place];
        const ivec4 luma_factors = batch_luma_factors[i][q];
        [[unroll]] for (uint t = 0u; t < 4u; t++) {
            const ivec3 texel = unpack_texel(texels[t]);
            const ivec4 f = batch_factors[i][4u * q + t];
            const int of_co = f.y * texel.y;
            block += (f.x - 2 * texel.z) * texel.x + of_co + f.z * texel.z;
            chroma += of_co + f.w * texel.z;
            luma += luma_factors[t] * texel.x;
        }
    }
    const Sums sums = window_sums[place];
    block += sums.luma + sums.chroma + batch[i].rest_of_block;
    chroma += sums.chroma + batch[i].rest_of_chroma;
    luma += sums.luma + batch[i].rest_of_luma;
    const ivec3 mean = sums.texels - batch[i].source_sum;
    const ivec3 own_mean = batch[i].decoded_sum - batch[i].source_sum;

    const uint luma_bytes = copy_rate(stream, offset);
    const uint block_bytes = luma_bytes + copy_rate(after_copy(stream, offset), offset);
    const uint chroma_bytes = literal_rate(stream) + copy_rate(LITERAL, offset);
    const uint key = key_of_copy(i, place, uint(block), mean, block_bytes, COPY_BLOCK, distance);
    return min(min(key, key_of_copy(i, place, uint(chroma), ivec3(own_mean.x, mean.yz),
                                    chroma_bytes, COPY_SECOND, distance)),
               key_of_copy(i, place, uint(luma), ivec3(mean.x, own_mean.yz),
                           luma_bytes + HALF_SIZE + 1u, COPY_FIRST, distance));
}

uint key_of_keeping(uint i, Stream stream)
{
    const uint bytes = literal_rate(stream) + HALF_SIZE;
    return key_of(batch[i].kept_cost + uint(batch[i].lambda) * bytes, KEEP, 1u);
}

// Put a block into the window at `place`, with what it copies from place `from`, and write it: each
// of the first six invocations does a part.
void put(uint i, uint place, uint from, uint choice, uint index)
{
    const bool luma = copies_first(choice), chroma = copies_second(choice);
    const uint part = gl_LocalInvocationIndex;
    if (part < 4u) {
        const uint copied = (luma ? LUMA_BITS : 0u) | (chroma ? ~LUMA_BITS : 0u);
        uvec4 bits;
        [[unroll]] for (uint t = 0u; t < 4u; t++)
            bits[t] = batch_decoded[i][4u * part + t];
        window_texels[part][place] = (window_texels[part][from] & copied) | (bits & ~copied);
    } else if (part == 4u) {
        const uvec4 words = merged(batch[i].words, window_words[from], choice);
        window_words[place] = words;
        if (choice != KEEP || batch[i].is_held)
            destination.blocks[index] = words;
        put_history(index, words);
    } else if (part == 5u) {
        Sums sums = window_sums[from];
        if (!luma) {
            sums.luma = batch[i].luma;
            sums.texels.x = batch[i].decoded_sum.x;
        }
        if (!chroma) {
            sums.chroma = batch[i].chroma;
            sums.texels.yz = batch[i].decoded_sum.yz;
        }
        window_sums[place] = sums;
    }
}

#include "rdo/tile.glsl"
