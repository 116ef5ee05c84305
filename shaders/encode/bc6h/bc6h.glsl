// SPDX-License-Identifier: MIT
// BC6H: an invocation encodes one block of 4x4 texels, all by itself.
//
//   ivec3 values[16]
//   ivec3 value_of_half(ivec3 half)
//   uvec4 encode_bc6h()
//
// takes values of half floats, row-major, and returns the 16 bytes of the block, in memory order.
// Integers, and floats that every device rounds alike.
//
// The format interpolates the bits of half floats, so all is done with these as integers:
// differences are then about those of logarithms. Lines start on a principal axis and are fitted by
// least squares: S. Brown, "DXT Compression Techniques" (2006). That partitions are ranked first,
// and few are tried: K. Narkowicz, "Real-Time BC6H Compression on GPU" (GPU Pro 7, 2016).
//
// Requires GL_EXT_control_flow_attributes. The includer declares
//   const bool IS_SIGNED
//   const uint EFFORT // encode/effort.glsl
// and includes encode/bc6h/block.glsl.

const bool IS_HIGH = EFFORT == WEIR_ENCODE_EFFORT_HIGH;
const int NUM_PARTITIONS = EFFORT == WEIR_ENCODE_EFFORT_FAST ? 1 : IS_HIGH ? 8 : 4;
const int NUM_MODES = IS_HIGH ? 2 : 1;
const int NUM_STEPS = IS_HIGH ? 2 : 1;
const int NUM_REFINES = IS_HIGH ? 1 : 0;
const int NUM_LAST = IS_HIGH ? 0 : 1;
const int NUM_EARLY = IS_HIGH ? 1 : 0;
const int NUM_PASSES = EFFORT == WEIR_ENCODE_EFFORT_FAST ? 0 : IS_HIGH ? 4 : 1;

#include "encode/bc6h/line.glsl"
#include "encode/bc6h/error.glsl"
#include "encode/bc6h/partition.glsl"

struct Fit {
    int mode;
    Split split;
    Ends codes;
    uvec2 error;        // of both subsets
    uvec2 second_error; // of the second one
};

Fit fit_with(int mode, Split split, Ends codes)
{
    return Fit(mode, split, codes, MAX_ERROR, uvec2(0u));
}

ivec3 limit(Mode mode, ivec3 base, ivec3 code)
{
    const ivec3 reach = ivec3(1) << (mode.delta_bits - 1);
    return mode.is_transformed ? clamp(code, base - reach, base + reach - 1) : code;
}

Ends quantise_ends(Mode mode, Ends ends)
{
    const ivec3 base = quantise(ends.first, mode.bits);
    return Ends(base, limit(mode, base, quantise(ends.second, mode.bits)),
                limit(mode, base, quantise(ends.third, mode.bits)),
                limit(mode, base, quantise(ends.fourth, mode.bits)));
}

Ends unquantise_ends(Mode mode, Ends codes)
{
    return Ends(unquantise(codes.first, mode.bits), unquantise(codes.second, mode.bits),
                unquantise(codes.third, mode.bits), unquantise(codes.fourth, mode.bits));
}

Line choose_line(bool is_second_one, Line first, Line second)
{
    const bvec3 choice = bvec3(is_second_one);
    return Line(mix(first.start, second.start, choice), mix(first.way, second.way, choice),
                is_second_one ? second.shift : first.shift, mix(first.step, second.step, choice),
                is_second_one ? second.offset : first.offset,
                is_second_one ? second.step_shift : first.step_shift);
}

void get_lines(Fit f, out Line first, out Line second)
{
    const Ends ends = unquantise_ends(mode_of(f.mode), f.codes);
    const int largest = largest_index(f.split);
    first = line_between(ends.first, ends.second, largest);
    second = line_between(ends.third, ends.fourth, largest);
}

void set_error(inout Fit f)
{
    Line first, second;
    get_lines(f, first, second);
    f.error = uvec2(0u);
    f.second_error = uvec2(0u);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const Line l = choose_line(is_second(f.split.mask, t), first, second);
        const uvec2 error = error_of(f.split, l, t);
        f.error = add(f.error, error);
        f.second_error = add(f.second_error, error & counts_in(f.split.mask, t));
    }
}

bool keep_better(Fit moved, inout Fit best)
{
    set_error(moved);
    if (!is_less(moved.error, best.error)) {
        return false;
    }
    best = moved;
    return true;
}

// By how much a difference to the first endpoint would be clamped, squared.
uint excess_of(ivec3 difference, ivec3 reach)
{
    const ivec3 excess = clamp(abs(difference) - reach, ivec3(0), ivec3(4095));
    return uint(dot_product(excess, excess));
}

// A square of a step is what rounding costs all of two subsets in the mean.
uint rounding_cost(Mode mode, bool has_two, Ends ends)
{
    const int shift = 16 - mode.bits;
    uint cost = 1u << 2 * shift >> (has_two ? 0 : 1);
    if (mode.is_transformed) {
        const ivec3 reach = ivec3(1) << (mode.delta_bits - 1 + shift);
        cost += excess_of(ends.second - ends.first, reach);
        if (has_two) {
            cost += excess_of(ends.third - ends.first, reach) +
                    excess_of(ends.fourth - ends.first, reach);
        }
    }
    return cost;
}

// Get the two modes that are likely to round the endpoints least.
ivec2 choose_modes(bool has_two, Ends ends)
{
    const int first = has_two ? 0 : NUM_TWO_SUBSET_MODES;
    const int end = has_two ? NUM_TWO_SUBSET_MODES : NUM_ALL_MODES;
    uvec2 keys = uvec2(NO_KEY);
    [[dont_unroll]] for (int index = first; index < end; index++) {
        const uint key = rounding_cost(mode_of(index), has_two, ends) << 4 | uint(index);
        keys.y = min(keys.y, max(key, keys.x));
        keys.x = min(keys.x, key);
    }
    return ivec2(keys & 15u);
}

void orient_both(Split split, inout Ends ends)
{
    orient(split, 0, ends.first, ends.second);
    if (split.has_two) {
        orient(split, int(split.mask >> 16), ends.third, ends.fourth);
    }
}

// True if a mode has these codes, of which the one in `moved` was moved.
bool fits(Mode mode, Ends codes, ivec3 moved)
{
    const ivec3 most = ivec3(LARGEST_VALUE >> (16 - mode.bits));
    const ivec3 base = codes.first;
    return moved == clamp(moved, IS_SIGNED ? -most : ivec3(0), most) &&
           limit(mode, base, codes.second) == codes.second &&
           limit(mode, base, codes.third) == codes.third &&
           limit(mode, base, codes.fourth) == codes.fourth;
}

// Try the neighbours of each code. The error of the subset whose code is not moved stays.
void search_neighbours(int num_passes, inout Fit f)
{
    const Mode mode = mode_of(f.mode);
    const int largest = largest_index(f.split);
    const int num_moves = f.split.has_two ? 24 : 12;
    bool is_better = true;
    [[dont_unroll]] for (int pass = 0; pass < num_passes && is_better; pass++) {
        is_better = false;
        [[dont_unroll]] for (int i = 0; i < num_moves; i++) {
            const int end = i / 6;
            const ivec3 step = (2 * (i & 1) - 1) * ivec3(equal(ivec3(i / 2 % 3), ivec3(0, 1, 2)));
            const Ends codes = Ends(
                f.codes.first + int(end == 0) * step, f.codes.second + int(end == 1) * step,
                f.codes.third + int(end == 2) * step, f.codes.fourth + int(end == 3) * step);
            const bool is_first = end < 2;
            const ivec3 start = is_first ? codes.first : codes.third;
            const ivec3 last = is_first ? codes.second : codes.fourth;
            if (!fits(mode, codes, (end & 1) == 0 ? start : last)) {
                continue;
            }
            const Line l = line_between(unquantise(start, mode.bits), unquantise(last, mode.bits),
                                        largest);
            const uvec2 error = error_of(f.split, is_first ? ~f.split.mask : f.split.mask, l);
            const uvec2 total = add(error, is_first ? f.second_error
                                                    : subtract(f.error, f.second_error));
            if (is_less(total, f.error)) {
                f = Fit(f.mode, f.split, codes, total, is_first ? f.second_error : error);
                is_better = true;
            }
        }
    }
}

// Solve least squares again, with the indices that the rounded endpoints give the texels.
void refine(inout Fit f)
{
    const Mode mode = mode_of(f.mode);
    Ends ends = unquantise_ends(mode, f.codes);
    solve_both(f.split, ends, ends);
    orient_both(f.split, ends);
    keep_better(fit_with(f.mode, f.split, quantise_ends(mode, ends)), f);
}

void try_partition(Split split, inout Fit best)
{
    Ends ends = get_extremes(split);
    [[dont_unroll]] for (int i = 0; i < NUM_STEPS; i++) {
        solve_both(split, ends, ends);
    }
    orient_both(split, ends);
    const ivec2 modes = choose_modes(split.has_two, ends);
    Fit f = fit_with(0, split, ends);
    [[dont_unroll]] for (int i = 0; i < NUM_MODES; i++) {
        const int index = i == 0 ? modes.x : modes.y;
        keep_better(fit_with(index, split, quantise_ends(mode_of(index), ends)), f);
    }
    if (NUM_REFINES > 0) {
        refine(f);
    }
    search_neighbours(NUM_EARLY, f);
    if (is_less(f.error, best.error)) {
        best = f;
    }
}

uvec4 pack(Fit f)
{
    const Ends codes = f.codes;
    const ivec3 base = mode_of(f.mode).is_transformed ? codes.first : ivec3(0);
    uvec4 words = pack_endpoints(f.mode, codes.first, codes.second - base, codes.third - base,
                                 codes.fourth - base);
    Line first, second;
    get_lines(f, first, second);
    int at = 65;
    if (f.split.has_two) {
        put(words, f.split.index, 77);
        at = 82;
    }
    [[unroll]] for (int t = 0; t < 16; t++) {
        const Line l = choose_line(is_second(f.split.mask, t), first, second);
        const bool is_anchor = t == 0 || uint(t) == f.split.mask >> 16;
        put(words, uint(index_of(l, f.split, t)), at);
        at += (f.split.has_two ? 3 : 4) - int(is_anchor);
    }
    return words;
}

uvec4 encode_bc6h()
{
    Fit f;
    f.error = MAX_ERROR;
    uint keys[MAX_PARTITIONS];
    if (NUM_PARTITIONS > 0) {
        rank_partitions(keys);
    }
    [[dont_unroll]] for (int i = -1; i < NUM_PARTITIONS; i++) {
        Split split = Split(false, 0u, 0u);
        if (i >= 0) {
            const uint index = keys[0] & 31u;
            split = Split(true, index, PARTITIONS[index]);
            [[unroll]] for (int k = 1; k < MAX_PARTITIONS; k++) {
                keys[k - 1] = keys[k];
            }
        }
        try_partition(split, f);
    }
    if (NUM_LAST > 0) {
        refine(f);
    }
    search_neighbours(NUM_PASSES, f);
    return pack(f);
}
