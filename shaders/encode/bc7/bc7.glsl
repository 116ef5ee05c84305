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
#include "encode/bc7/parts.glsl"

// Alpha varies, is 255, or may be 254 too.
const uint ALPHA_VARIES = 0u;
const uint ALPHA_ONE = 1u;
const uint ALPHA_FREE = 2u;

// Stage 0 fits lines, or a few ways where alpha varies, and is all of live and fast. Stage 1 fits
// others, and polishes the best block so far. The stages of high have a mode each. The best block
// of all is kept, so that no effort is worse than the one below. Where alpha is unread, a last
// stage has mode 6 with alphas of 254.
const uint NUM_STAGES = IS_HIGH ? 9u : HAS_POLISH ? 2u : 1u;

// The modes that are ranked, a bit each. Opaque blocks start with lines of modes 1 and 6.
const uint OPAQUE_MODES = 0x3du;
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
        if (HAS_POLISH && num_rounds > 0) {
            polish(task, num_rounds, f);
        } else {
            f = fit_part(task);
        }
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

// The ways that stage 1 tries: the likeliest.
const uint NUM_RANKED = 3u;

// The ways that all efforts try first where alpha varies. After them comes the likeliest of mode 7.
const uint NUM_FIXED = 4u;

uint fixed_way(uint i)
{
    return i == 0u ? 6u << 6 : i == 1u ? 5u << 6 : i == 2u ? 4u << 6 : 4u << 6 | 4u;
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

uvec4 encode_block(uint alpha)
{
    const bool is_opaque = alpha != ALPHA_VARIES;
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        texels[t] = vec4(unpack(block_texels[t][gl_LocalInvocationIndex]));
    }
    Block best = Block(0u, 0u, 0u, 0u, INT_MAX);
    if (is_opaque) {
        best = fit_lines();
    }
    if (HAS_POLISH || !is_opaque) {
        find_ways(is_opaque);
    }
    uvec4 encoded = uvec4(0u);
    int least = INT_MAX;
    const uint num_stages = NUM_STAGES + uint(ALPHA_UNREAD);
    [[dont_unroll]] for (uint stage = 0u; stage < num_stages && least > 0; stage++) {
        const bool is_free = stage == NUM_STAGES;
        const bool is_own = is_free || stage > 1u; // of one mode
        const uint num_fixed = stage > 0u || is_opaque ? 0u : NUM_FIXED;
        uint begin = stage == 0u || is_opaque ? 0u : 1u;
        uint end = stage > 0u ? NUM_RANKED : is_opaque ? 0u : NUM_FIXED + 1u;
        if (is_own) {
            const uint mode = is_free ? 6u : digit(STAGE_MODES, stage - 2u);
            begin = 0u;
            end = find_ways_of(mode == 1u && !is_opaque ? 7u : mode, alpha);
            best.error = INT_MAX;
        }
        alpha = is_free ? ALPHA_FREE : alpha;
        [[dont_unroll]] for (uint i = begin; i < end; i++) {
            const uint way = i < num_fixed ? fixed_way(i)
                                           : ranks[i - num_fixed][gl_LocalInvocationIndex];
            try_block(block_of(way), alpha, 0, best);
        }
        if (best.error <= (is_own && !is_free ? 2 * least : INT_MAX - 1)) {
            if (HAS_POLISH && stage > 0u) {
                try_block(best, alpha, is_own && IS_HIGH ? 2 : 1, best);
            }
            int error;
            const uvec4 block = write_block(best, error);
            if (error < least) {
                least = error;
                encoded = block;
            }
        }
    }
    return encoded;
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

// Find a block of mode 5 with two colours at two of its four indices. There one channel has its
// own indices, and the others share theirs and have codes of 7 bits. Returns whether there is one.
bool find_two_colors(ivec4 first, ivec4 second, out Block b)
{
    int num_missing = 4;
    [[dont_unroll]] for (uint k = 0u; k < 6u && num_missing > 1; k++) {
        // At indices 0 and 1, 0 and 2, each in both orders, 0 and 3, and 1 and 2.
        const ivec4 p = (k & 1u) == 0u ? first : second;
        const ivec4 q = first + second - p;
        const ivec2 weights = k == 5u  ? ivec2(21, 43)
                              : k < 2u ? ivec2(0, 21)
                              : k < 4u ? ivec2(0, 43)
                                       : ivec2(0, 64);
        const int stretch = k == 5u ? 186 : k < 2u ? 195 : k < 4u ? 95 : 64; // 64^2 / their range
        const ivec4 start = p - ((q - p) * (k == 5u ? 61 : 0) + 32 >> 6);
        const ivec4 end = start + ((q - p) * stretch + 32 >> 6);
        ivec4 codes = p, other_codes = q, missing = ivec4(1);
        [[dont_unroll]] for (int n = 0; n < 9; n++) {
            const ivec4 code = clamp((start >> 1) + n / 3 - 1, ivec4(0), ivec4(127));
            const ivec4 other = clamp((end >> 1) + n % 3 - 1, ivec4(0), ivec4(127));
            const ivec4 from = expand(code, ivec4(7));
            const ivec4 way = expand(other, ivec4(7)) - from;
            const ivec4 off = abs(from + (weights.x * way + 32 >> 6) - p) +
                              abs(from + (weights.y * way + 32 >> 6) - q);
            codes = mix(codes, code, equal(off, ivec4(0)));
            other_codes = mix(other_codes, other, equal(off, ivec4(0)));
            missing = mix(missing, ivec4(0), equal(off, ivec4(0)));
        }
        num_missing = dot_product(missing, ivec4(1));
        const uint rotation = uint(dot_product(missing, ivec4(1, 2, 3, 0)));
        b = Block(5u, 0u, rotation, 0u, 0);
        if (rotation == 0u) {
            codes.a = p.a;
            other_codes.a = q.a;
        }
        best_codes[0][gl_LocalInvocationIndex] = pack(codes);
        best_codes[1][gl_LocalInvocationIndex] = pack(other_codes);
    }
    return num_missing <= 1;
}

uvec4 encode_bc7()
{
    int error;
    uint all = 0xffffffffu;
    const uint first = block_texels[0][gl_LocalInvocationIndex];
    uint second = first;
    bool has_more = false;
    [[dont_unroll]] for (uint t = 0u; t < 16u; t++) {
        const uint v = block_texels[t][gl_LocalInvocationIndex];
        all &= v;
        second = second == first ? v : second;
        has_more = has_more || v != first && v != second;
    }
    if (second == first) {
        return write_block(one_color(unpack(first)), error);
    }
    Block b;
    if (!has_more && find_two_colors(unpack(first), unpack(second), b)) {
        return write_block(b, error);
    }
    return encode_block(all >> 24 == 255u ? ALPHA_ONE : ALPHA_VARIES);
}
