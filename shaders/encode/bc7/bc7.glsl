// SPDX-License-Identifier: MIT
// BC7: an invocation encodes one block of 4x4 texels, all by itself.
//
//   uvec4 encode_bc7()
//
// takes block_texels and returns the 16 bytes of the block, in memory order, of integers, and
// floats that every device rounds alike. The format: Khronos Data Format Specification 1.3, chapter
// "BPTC".
//
// Texels and codes are in shared memory, a column an invocation, because loops index them. Only the
// tables are shared among invocations. All invocations call share_tables() and barrier() before.
//
// Requires GL_EXT_control_flow_attributes. The includer declares
//   const uint NUM_INVOCATIONS; // invocations of a workgroup
//   const uint EFFORT // encode/effort.glsl
//   layout(constant_id = N) const bool ALPHA_UNREAD = false;

#include "bptc/bc7_tables.glsl"
#include "encode/bc7/fit.glsl"
#include "encode/bc7/partition.glsl"
#include "encode/bc7/block.glsl"
#include "encode/bc7/lines.glsl"

// The p-bits of mode 6 in opaque blocks.
const uint P_OPAQUE = ALPHA_UNREAD ? P_EACH : P_ONE;

// The stages of all efforts, and how many blocks each tries: hexadecimal digit m is for mode m.
// Stage 1 goes on with the best block of stage 0, which has tried the first ones.
const uint NUM_STAGES = 9u;
const uint NUM_OPAQUE[NUM_STAGES] = uint[NUM_STAGES](0x01000020u, 0x00003060u, 0x01000000u,
                                                     0x000000c0u, 0x0000c000u, 0x00000008u,
                                                     0x00000800u, 0x00080000u, 0x00400000u);
const uint NUM_OTHERS[NUM_STAGES] = uint[NUM_STAGES](0x11120000u, 0x40480000u, 0x01000000u,
                                                     0xc0000000u, 0u, 0u,
                                                     0u, 0x00080000u, 0x00400000u);
const uint TRIALS = 0x54207316u; // the modes in the order of their trials, the lowest digit first
const uint NUM_TRIALS = 8u;
// How many partitions the stage that goes on takes at most.
const uint NUM_GONE_ON = EFFORT == WEIR_ENCODE_EFFORT_FAST ? 0u : 6u;

Task task_of(Block b, uint part, bool is_opaque)
{
    const bool has_two = digit(INDEX2_BITS, b.mode) != 0u;
    const bool is_second = has_two && b.selection != part;
    Task task;
    task.subset = subset_of(digit(NUM_SUBSETS, b.mode), b.partition_index, has_two ? 0u : part);
    task.p_bits = digit(P_BITS, b.mode);
    task.max_index = (1 << digit(is_second ? INDEX2_BITS : INDEX_BITS, b.mode)) - 1;
    task.bits = code_bits(b.mode);
    if (has_two) {
        task.bits *= part == 0u ? ivec4(1, 1, 1, 0) : ivec4(0, 0, 0, 1);
    }
    if (is_opaque) { // alpha keeps the highest code, in the channel to which the rotation moves it
        const int channel = b.rotation == 0u ? 3 : int(b.rotation) - 1;
        task.bits = mix(task.bits, ivec4(0), equal(ivec4(channel), ivec4(0, 1, 2, 3)));
        task.p_bits = b.mode == 6u ? P_OPAQUE : task.p_bits;
    }
    return task;
}

// Fit all parts of a block, or polish those of the best block. Keep the block if it is better.
void try_block(Block trial, bool is_opaque, Reach reach, bool polish, inout Block best)
{
    const bool has_two = digit(INDEX2_BITS, trial.mode) != 0u;
    const uint num_parts = has_two ? 2u : digit(NUM_SUBSETS, trial.mode);
    const uint highest = pack(max_code(code_bits(trial.mode)));
    [[dont_unroll]] for (uint e = 0u; e < 6u; e++) {
        trial_codes[e][gl_LocalInvocationIndex] = polish ? best_codes[e][gl_LocalInvocationIndex]
                                                         : highest;
    }
    trial.error = 0;
    [[dont_unroll]] for (uint part = 0u; part < num_parts; part++) {
        const Task task = task_of(trial, part, is_opaque);
        const uint mask = mask_of(task.bits);
        take_texels(trial.rotation, mask);
        const uint e = has_two ? 0u : 2u * part;
        const uint first = trial_codes[e][gl_LocalInvocationIndex];
        const uint second = trial_codes[e + 1u][gl_LocalInvocationIndex];
        Fit f = Fit(unpack(first & mask), unpack(second & mask), 0);
        improve(task, reach, polish, f);
        trial_codes[e][gl_LocalInvocationIndex] = first & ~mask | pack(f.first);
        trial_codes[e + 1u][gl_LocalInvocationIndex] = second & ~mask | pack(f.second);
        trial.error += f.error;
    }
    if (trial.error < best.error) {
        best = trial;
        [[dont_unroll]] for (uint e = 0u; e < 6u; e++) {
            best_codes[e][gl_LocalInvocationIndex] = trial_codes[e][gl_LocalInvocationIndex];
        }
    }
}

Block trial_of(uint mode, uint i)
{
    Block b = Block(mode, 0u, 0u, 0u, 0);
    if (digit(NUM_SUBSETS, mode) > 1u) {
        b.partition_index = ranks[i][gl_LocalInvocationIndex] & 63u;
    }
    if (mode == 4u) {
        b.rotation = i >> 1;
        b.selection = i & 1u;
    }
    if (mode == 5u) {
        b.rotation = i;
    }
    return b;
}

uint num_of_modes(uint stage, bool is_opaque)
{
    return is_opaque ? NUM_OPAQUE[stage] : NUM_OTHERS[stage];
}

// Find the best fit of a stage, polished if the stage does so, unless its error is above the bound.
void run_stage(uint stage, bool is_opaque, Reach reach, int bound, inout Block best)
{
    const bool goes_on = stage == 1u;
    best.error = goes_on ? best.error : INT_MAX;
    [[dont_unroll]] for (uint i = 0u; i <= NUM_TRIALS; i++) {
        const bool polish = i == NUM_TRIALS;
        const bool is_high = EFFORT == WEIR_ENCODE_EFFORT_HIGH;
        if (polish && (reach.num_rounds == 0 || is_high && best.error > bound)) {
            break;
        }
        const uint mode = digit(TRIALS, i & 7u);
        const uint first = goes_on && !polish ? digit(num_of_modes(0u, is_opaque), mode) : 0u;
        const uint end = polish ? 1u : digit(num_of_modes(stage, is_opaque), mode);
        // Mode 3 has the partitions of mode 1, which comes before it and has ranked them.
        if (!polish && first == 0u && end > 0u && digit(NUM_SUBSETS, mode) > 1u && mode != 3u) {
            rank_partitions(digit(NUM_SUBSETS, mode), 1u << digit(PARTITION_BITS, mode),
                            max(end, NUM_GONE_ON), !is_opaque);
        }
        [[dont_unroll]] for (uint k = first; k < end; k++) {
            Block trial = best;
            if (!polish) {
                trial = trial_of(mode, k);
            }
            try_block(trial, is_opaque, reach, polish, best);
        }
    }
}

// Run the stages of the effort and of those below in turn, and keep the best block.
uvec4 run_stages(bool is_opaque)
{
    const uint num_stages = EFFORT == WEIR_ENCODE_EFFORT_HIGH ? NUM_STAGES : 2u;
    uvec4 best = uvec4(0u);
    int least = INT_MAX;
    Block block = Block(0u, 0u, 0u, 0u, INT_MAX);
    [[dont_unroll]] for (uint i = 0u; i < num_stages && least > 0; i++) {
        const bool is_high = i >= 2u;
        const int bound = is_high ? 2 * least : INT_MAX - 1;
        const Reach reach = i == 0u ? REACH_FAST : is_high ? REACH_HIGH : REACH;
        run_stage(i, is_opaque, reach, bound, block);
        if (block.error <= bound) {
            int error;
            const uvec4 encoded = write_block(block, error);
            if (error < least) {
                least = error;
                best = encoded;
            }
        }
    }
    return best;
}

// Get the block of one colour. Each value of 8 bits lies a third of the way between two codes of 7
// bits.
Block one_color(ivec4 texel)
{
    const ivec4 second = texel + mix(ivec4(-1), ivec4(1), lessThan(texel, ivec4(128))) >> 1;
    best_codes[0][gl_LocalInvocationIndex] = pack(ivec4(texel.rgb >> 1, texel.a));
    best_codes[1][gl_LocalInvocationIndex] = pack(ivec4(second.rgb, texel.a));
    return Block(5u, 0u, 0u, 0u, 0);
}

uvec4 encode_bc7()
{
    int error;
    uint all = 0xffffffffu, differs = 0u;
    const uint first = block_texels[0][gl_LocalInvocationIndex];
    [[dont_unroll]] for (uint t = 0u; t < 16u; t++) {
        const uint v = block_texels[t][gl_LocalInvocationIndex];
        all &= v;
        differs |= v ^ first;
    }
    if (differs == 0u) {
        return write_block(one_color(unpack(first)), error);
    }
    const bool is_opaque = all >> 24 == 255u;
    if (EFFORT == WEIR_ENCODE_EFFORT_LIVE || EFFORT == WEIR_ENCODE_EFFORT_FAST && is_opaque) {
        return write_block(fit_lines(is_opaque), error);
    }
    if (EFFORT == WEIR_ENCODE_EFFORT_FAST) { // one stage, whose block nothing is compared with
        Block block = Block(0u, 0u, 0u, 0u, INT_MAX);
        run_stage(0u, is_opaque, REACH_FAST, INT_MAX, block);
        return write_block(block, error);
    }
    return run_stages(is_opaque);
}
