// SPDX-License-Identifier: MIT
// BC7: an invocation encodes one block of 4x4 texels. Several share it at high: encode/lanes.glsl.
//
//   void encode_bc7(inout Found found)
//
// takes block_texels and finds the 16 bytes of the block, in memory order, by integers, and floats
// that every device rounds alike. The format: Khronos Data Format Specification 1.3, chapter
// "BPTC".
//
// Texels and codes are in shared memory, a column an invocation, because loops index them. Only the
// tables are shared among invocations. All invocations call share_tables() and barrier() before.
//
// Requires GL_EXT_control_flow_attributes. The includer declares
//   const uint NUM_INVOCATIONS; // invocations of a workgroup, with encode/lanes.glsl
//   const uint EFFORT // encode/effort.glsl
//   layout(constant_id = N) const bool ALPHA_UNREAD = false;

#include "bptc/bc7_tables.glsl"
#include "encode/bc7/fit.glsl"
#include "encode/bc7/partition.glsl"
#include "encode/bc7/block.glsl"
#include "encode/bc7/colors.glsl"
#include "encode/bc7/lines.glsl"
#include "encode/bc7/parts.glsl"
#include "encode/bc7/search.glsl"

// Alpha varies, is 255, or may be 254 too.
const uint ALPHA_VARIES = 0u;
const uint ALPHA_ONE = 1u;
const uint ALPHA_FREE = 2u;

// Stage 0 fits lines, or a few ways where alpha varies, and is all of live and fast. Stage 1 fits
// others, and polishes the best block so far. The stages of high have a mode each. The best block
// of all is kept, so that no effort is worse than the one below. Where alpha is unread, a last
// stage has mode 6 with alphas of 254.
const uint NUM_STAGES = IS_HIGH ? 9u : HAS_POLISH ? 2u : 1u;

// The modes that are ranked where alpha varies.
const uint ALPHA_MODES = 0xb0u;
const uint MODE_7 = 0x80u;

// The modes of the stages of high from stage 2 on, and how many ways of each mode it fits. Digits,
// the lowest first.
const uint STAGE_MODES = 0x4520316u;
const uint NUM_WAYS = 0xc048c8c8u;

bool has_two_indices(uint mode)
{
    return digit(INDEX2_BITS, mode) != 0u;
}

Task task_of(Block b, uint part, uint alpha)
{
    const bool has_two = has_two_indices(b.mode);
    const bool is_second = has_two && b.selection != part;
    Task task;
    task.subset = subset_of(digit(NUM_SUBSETS, b.mode), b.partition_index, has_two ? 0u : part);
    task.p_bits = digit(P_BITS, b.mode);
    task.max_index = (1 << digit(is_second ? INDEX2_BITS : INDEX_BITS, b.mode)) - 1;
    task.bits = code_bits(b);
    if (has_two) {
        task.bits *= part == 0u ? 1 - channel_alone(b) : channel_alone(b);
    }
    if (alpha != ALPHA_VARIES) { // alpha keeps the highest code
        task.bits.a = 0;
        task.p_bits = b.mode == 6u && alpha == ALPHA_ONE ? P_ONE : task.p_bits;
    }
    task.fitted = vec4(min(task.bits, ivec4(1)));
    task.highest = vec4(max_code(task.bits));
    task.up = vec4(ivec4(256) >> task.bits);
    task.down = uintBitsToFloat(uvec4(127 + 8 - 2 * task.bits) << 23);
    task.step = task.p_bits == P_NONE ? 1.0 : 2.0;
    return task;
}

// Fit all parts of a block, or polish those of the best block. Keep the block if it is better.
void try_block(Block trial, uint alpha, int num_rounds, inout Block best)
{
    const bool has_two = has_two_indices(trial.mode);
    const uint num_parts = has_two ? 2u : digit(NUM_SUBSETS, trial.mode);
    const uint highest = pack(max_code(code_bits(trial)));
    [[dont_unroll]] for (uint e = 0u; e < 6u; e++) {
        trial_codes[e][gl_LocalInvocationIndex] =
            num_rounds > 0 ? best_codes[e][gl_LocalInvocationIndex] : highest;
    }
    trial.error = 0;
    [[dont_unroll]] for (uint part = 0u; part < num_parts; part++) {
        const Task task = task_of(trial, part, alpha);
        const uint mask = mask_of(task.bits);
        if (mask == 0u) {
            continue;
        }
        const uint e = has_two ? 0u : 2u * part;
        const uint first = trial_codes[e][gl_LocalInvocationIndex];
        const uint second = trial_codes[e + 1u][gl_LocalInvocationIndex];
        Fit f = Fit(vec4(unpack(first & mask)), vec4(unpack(second & mask)), 0.0);
        fit_part(task, HAS_POLISH ? num_rounds : 0, f);
        trial_codes[e][gl_LocalInvocationIndex] = first & ~mask | pack(ivec4(f.first));
        trial_codes[e + 1u][gl_LocalInvocationIndex] = second & ~mask | pack(ivec4(f.second));
        trial.error += int(f.error);
    }
    if (trial.error < best.error) {
        best = trial;
        [[dont_unroll]] for (uint e = 0u; e < 6u; e++) {
            best_codes[e][gl_LocalInvocationIndex] = trial_codes[e][gl_LocalInvocationIndex];
        }
    }
}

// Get the block of a way in ranks[].
Block block_of(uint key)
{
    Block b = Block(key >> 6 & 7u, key & 63u, 0u, 0u, 0);
    if (has_two_indices(b.mode)) {
        b.rotation = key & 3u;
        b.selection = key >> 2 & 1u;
        b.partition_index = 0u;
    }
    return b;
}

// How many of the likeliest ways stage 1 tries. After them comes mode 6 of opaque blocks.
const uint NUM_RANKED = 3u;

// The ways that all efforts try first where alpha varies. After them comes the likeliest of mode 7.
const uint NUM_FIXED = 4u;

uint fixed_way(uint i)
{
    return i == 0u ? 6u << 6 : i == 1u ? 5u << 6 : i == 2u ? 4u << 6 : 4u << 6 | 4u;
}

uint way_of(uint stage, uint i, uint num_fixed)
{
    if (i < num_fixed) {
        return fixed_way(i);
    }
    const bool is_last = HAS_POLISH && stage == 1u && i == NUM_RANKED;
    return is_last ? 6u << 6 : ranks[i - num_fixed][gl_LocalInvocationIndex];
}

void find_ways(bool is_opaque)
{
    if (IS_LIVE) {
        ranks[0][gl_LocalInvocationIndex] = 7u << 6 | choose_partition();
    } else if (HAS_POLISH) {
        rank_ways(is_opaque ? Ranking(OPAQUE_MODES, 0u, 0u) : Ranking(ALPHA_MODES, 1u, 1u),
                  !is_opaque);
    } else {
        rank_ways(Ranking(MODE_7, 0u, 0u), true);
    }
}

// Find the ways of one mode. Returns their number.
uint find_ways_of(uint mode, uint alpha)
{
    const bool has_alpha = alpha == ALPHA_VARIES;
    if (mode == 6u) {
        ranks[0][gl_LocalInvocationIndex] = mode << 6;
        return 1u;
    }
    if (has_alpha && digit(ALPHA_BITS, mode) == 0u) {
        return 0u;
    }
    const uint num = digit(NUM_WAYS, mode);
    rank_ways(Ranking(1u << mode, 0u, 0u), has_alpha);
    return num;
}

// The keys of the first lane of each block behind stage 1, and the least of all lanes.
shared uint first_keys[BLOCKS_OF_GROUP];
shared uint least_keys[BLOCKS_OF_GROUP];

uint key_of_first_lane(uint key)
{
    if (NUM_LANES == 1u) {
        return key;
    }
    if (lane_of_block() == 0u) {
        first_keys[place_of_block()] = key;
        least_keys[place_of_block()] = key;
    }
    barrier();
    return first_keys[place_of_block()];
}

bool is_best_of_lanes(Found f)
{
    if (NUM_LANES > 1u) {
        atomicMin(least_keys[place_of_block()], f.key);
        barrier();
    }
    return NUM_LANES == 1u || f.key == least_keys[place_of_block()];
}

// Rank the ways of stages 0 and 1. Get the best block of lines, if all texels are opaque.
Block start_block(bool is_opaque)
{
    Block best = Block(0u, 0u, 0u, 0u, INT_MAX);
    if (HAS_POLISH) {
        find_ways(is_opaque);
    }
    if (is_opaque) {
        best = fit_lines();
    } else if (!HAS_POLISH) {
        find_ways(is_opaque);
    }
    return best;
}

// Try the ways of a stage, and polish the best block, if its error is not above `limit`.
void try_stage(uint stage, uint alpha, int limit, inout Block best, inout Found found)
{
    const bool is_opaque = alpha != ALPHA_VARIES;
    const bool is_own = stage > 1u || alpha == ALPHA_FREE; // of one mode
    const uint num_fixed = stage > 0u || is_opaque ? 0u : NUM_FIXED;
    uint begin = stage == 0u || is_opaque ? 0u : 1u;
    uint end = stage > 0u ? NUM_RANKED + uint(HAS_POLISH && is_opaque)
               : is_opaque ? 0u : NUM_FIXED + 1u;
    if (is_own) {
        const uint mode = alpha == ALPHA_FREE ? 6u : digit(STAGE_MODES, stage - 2u);
        begin = 0u;
        end = find_ways_of(mode == 1u && !is_opaque ? 7u : mode, alpha);
        best.error = INT_MAX;
    }
    const uint polish = end;
    end += uint(HAS_POLISH && stage > 0u);
    [[dont_unroll]] for (uint i = begin; i < end; i++) {
        const bool is_polish = HAS_POLISH && i == polish;
        Block trial = best;
        if (!is_polish) {
            trial = block_of(way_of(stage, i, num_fixed));
        } else if (best.error > limit) {
            continue;
        }
        try_block(trial, alpha, !is_polish ? 0 : is_own && IS_HIGH ? 2 : 1, best);
    }
    if (best.error <= limit) {
        int error;
        const uvec4 block = write_block(best, error);
        const uint key = uint(error) << 4 | stage;
        if (key < found.key) {
            found = Found(key, block);
        }
    }
}

// Find a better block. The first lane has stages 0 and 1, and all lanes divide those of high.
void encode_block(uint alpha, inout Found found)
{
    const bool is_opaque = alpha != ALPHA_VARIES;
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        texels[t] = vec4(unpack(texel_word(t)));
    }
    Block best = Block(0u, 0u, 0u, 0u, INT_MAX);
    if (NUM_LANES == 1u || lane_of_block() == 0u && found.key >= 16u) {
        best = start_block(is_opaque);
    }
    uint first_key = found.key;
    const uint num_stages = NUM_STAGES + uint(ALPHA_UNREAD);
    const uint num_turns = NUM_LANES == 1u ? num_stages
                                           : 2u + (num_stages + NUM_LANES - 3u) / NUM_LANES;
    [[dont_unroll]] for (uint turn = 0u; turn < num_turns; turn++) {
        if (IS_HIGH && turn == 2u) {
            first_key = key_of_first_lane(found.key);
        }
        const uint lane = lane_of_block();
        const uint stage = turn < 2u ? turn : 2u + (turn - 2u) * NUM_LANES + lane;
        const uint least = min(first_key, found.key) >> 4;
        if (turn < 2u && lane > 0u || stage >= num_stages || least == 0u) {
            continue;
        }
        const bool is_free = stage == NUM_STAGES;
        const int limit = IS_HIGH && stage > 1u && !is_free ? 2 * int(first_key >> 4)
                                                            : INT_MAX - 1;
        try_stage(stage, is_free ? ALPHA_FREE : alpha, limit, best, found);
    }
}

void encode_bc7(inout Found found)
{
    const uint first = texel_word(0u);
    uint all = first, second = first;
    bool has_more = false;
    [[dont_unroll]] for (uint t = 1u; t < 16u; t++) {
        const uint v = texel_word(t);
        all &= v;
        second = second == first ? v : second;
        has_more = has_more || v != first && v != second;
    }
    if (lane_of_block() == 0u && !has_more) {
        find_colors(first, second, found);
    }
    if (NUM_LANES > 1u || found.key != 0u) {
        encode_block(all >> 24 == 255u ? ALPHA_ONE : ALPHA_VARIES, found);
    }
}
