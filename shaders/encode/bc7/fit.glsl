// SPDX-License-Identifier: MIT
// The two endpoints of one part of a BC7 block: a subset, or the colour or alpha.
//
// They start at the ends of the texels along their principal axis, and are then fitted to indices
// by least squares: S. Brown, "DXT Compression Techniques" (2006).

#include "encode/divide.glsl"

const int INT_MAX = 0x7fffffff;

// The part of a block whose endpoints are fitted. Its texels are in part_texels.
struct Task {
    uint subset; // the texels of the part, a bit each
    ivec4 bits;  // number of bits of each channel's code, with the p-bit; 0: it is not fitted
    uint p_bits; // P_NONE, P_EACH, P_SHARED or P_ONE
    int max_index; // 3, 7 or 15
};

// How far to look for better endpoints.
struct Reach {
    bool all_p_bits; // for a fit from scratch, not only those nearest to what is to be rounded
    int num_rounds;  // of polishing
    int stretch;     // in polishing, indices by which either end may go out or in
};
const Reach REACH_FAST = Reach(false, 0, 0);
const Reach REACH = Reach(false, 1, 0);
// More rounds or wider stretches come near the 65,535 rounds of all loops of an invocation, after
// which Mesa's software device ends them.
const Reach REACH_HIGH = Reach(true, 2, 1);

struct Fit {
    ivec4 first, second; // codes, with p-bits
    int error;
};

// Endpoints that are not codes yet, in quarters of 1/255.
struct Ideal {
    ivec4 first, second;
};

// The texels of each invocation's block, and the texels of the part that it fits, in which channels
// that are not fitted are 0.
shared uint block_texels[16][NUM_INVOCATIONS];
shared uint part_texels[16][NUM_INVOCATIONS];

ivec4 unpack(uint v)
{
    return ivec4(v & 255u, v >> 8 & 255u, v >> 16 & 255u, v >> 24);
}

uint pack(ivec4 v)
{
    return uint(v.r | v.g << 8 | v.b << 16 | v.a << 24);
}

ivec4 part_texel(uint t)
{
    return unpack(part_texels[t][gl_LocalInvocationIndex]);
}

int dot_product(ivec4 a, ivec4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

ivec4 max_code(ivec4 bits)
{
    return (ivec4(1) << bits) - 1;
}

// Widen codes to 0 .. 255. A channel without bits becomes 0.
ivec4 expand(ivec4 code, ivec4 bits)
{
    const ivec4 b = max(bits, ivec4(4));
    return code << (8 - b) | code >> (2 * b - 8);
}

int weight_of(int max_index, int index)
{
    const int multiple = max_index == 15 ? 273 : max_index == 7 ? 585 : 1365;
    return index * multiple + 32 >> 6;
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

Line line_of(Task task, Fit f)
{
    return line_between(expand(f.first, task.bits), expand(f.second, task.bits), task.max_index);
}

int nearest(Line l, ivec4 v)
{
    const int along = dot_product(l.way, v - l.start);
    return int(uint(clamp(along, 0, l.square)) * l.scale + (1u << 26) >> 27);
}

void keep_better(Task task, Fit moved, inout Fit f)
{
    const Line l = line_of(task, moved);
    moved.error = 0;
    [[dont_unroll]] for (uint rest = task.subset; rest != 0u; rest &= rest - 1u) {
        const ivec4 v = part_texel(findLSB(rest));
        const int weight = weight_of(task.max_index, nearest(l, v));
        const ivec4 e = v - l.start - (weight * l.way + 32 >> 6);
        moved.error += dot_product(e, e);
    }
    if (moved.error < f.error) {
        f = moved;
    }
}

ivec4 codes_of(Task task, ivec4 value, int p)
{
    const ivec4 max = max_code(task.bits);
    const int has_p = int(task.p_bits != P_NONE);
    const ivec4 code = (value * max - 1020 * p + (510 << has_p)) / 1020 >> has_p;
    return mix((clamp(code, ivec4(0), max >> has_p) << has_p) + p, ivec4(0),
               equal(task.bits, ivec4(0)));
}

int code_error(Task task, ivec4 value, int p)
{
    const ivec4 e = 4 * expand(codes_of(task, value, p), task.bits) - value;
    return dot_product(e, e);
}

int nearest_p_bits(Task task, Ideal ideal)
{
    if (task.p_bits == P_NONE || task.p_bits == P_ONE) {
        return task.p_bits == P_ONE ? 3 : 0;
    }
    const int first = code_error(task, ideal.first, 1) - code_error(task, ideal.first, 0);
    const int second = code_error(task, ideal.second, 1) - code_error(task, ideal.second, 0);
    if (task.p_bits == P_SHARED) {
        return first + second < 0 ? 3 : 0;
    }
    return int(first < 0) | int(second < 0) << 1;
}

void keep_best_of(Task task, Ideal ideal, bool all, inout Fit f)
{
    const int p_bits = nearest_p_bits(task, ideal);
    const int last = all && (task.p_bits == P_EACH || task.p_bits == P_SHARED) ? 3 : 0;
    const int step = task.p_bits == P_SHARED ? 3 : 1;
    [[dont_unroll]] for (int i = 0; i <= last; i += step) {
        const int p = p_bits ^ i;
        keep_better(
            task, Fit(codes_of(task, ideal.first, p & 1), codes_of(task, ideal.second, p >> 1), 0),
            f);
    }
}

// Get n * times / d, clamped to 0 .. 255, in quarters, rounded. `inverse` is 1.0 / d within
// 2.5 ulp: the float rounded down is off by one at most, and the remainder shows by how much.
int quarters_of(int n, int times, int d, float inverse)
{
    const uint whole = n <= 0 ? 0u : min(uint(n) * uint(times), 255u * uint(d));
    const uint fours = 4u * whole + uint(d) / 2u;
    const int q = int(float(fours) * inverse);
    const int r = int(fours - uint(q) * uint(d));
    return r < 0 ? q - 1 : r >= d ? q + 1 : q;
}

ivec4 quarters_of(ivec4 n, int times, int d)
{
    const float inverse = 1.0 / float(d);
    return ivec4(quarters_of(n.x, times, d, inverse), quarters_of(n.y, times, d, inverse),
                 quarters_of(n.z, times, d, inverse), quarters_of(n.w, times, d, inverse));
}

// Get the factor of stretched indices, times 2^16. 0 where none are left.
int stretch_scale(int max_index, ivec2 stretch)
{
    const int size = max_index + stretch.x + stretch.y;
    return size > 0 ? (max_index << 16) / size : 0;
}

bool solve(Task task, Fit f, ivec2 stretch, inout Ideal ideal)
{
    const Line l = line_of(task, f);
    const int max = task.max_index;
    const int scale = stretch_scale(max, stretch);
    if (EFFORT == WEIR_ENCODE_EFFORT_HIGH && scale == 0) {
        return false;
    }
    int sk = 0, skk = 0;
    ivec4 sv = ivec4(0), skv = ivec4(0);
    [[dont_unroll]] for (uint rest = task.subset; rest != 0u; rest &= rest - 1u) {
        const ivec4 v = part_texel(findLSB(rest));
        int k = nearest(l, v);
        if (EFFORT == WEIR_ENCODE_EFFORT_HIGH) {
            k = clamp((k + stretch.x) * scale + (1 << 15), 0, max << 16) >> 16;
        }
        sk += k;
        skk += k * k;
        sv += v;
        skv += k * v;
    }
    const int aa = bitCount(task.subset) * max * max - 2 * max * sk + skk;
    const int ab = max * sk - skk;
    const int bb = skk;
    const int d = aa * bb - ab * ab;
    if (d == 0) {
        return false;
    }
    const ivec4 av = max * sv - skv;
    const ivec4 bv = skv;
    ideal.first = quarters_of(av * bb - bv * ab, max, d);
    ideal.second = quarters_of(bv * aa - av * ab, max, d);
    return true;
}

void search(Task task, inout Fit f)
{
    const int size = task.p_bits == P_NONE ? 1 : 2;
    const ivec4 max = max_code(task.bits);
    [[dont_unroll]] for (int c = 0; c < 4; c++) {
        const ivec4 axis = ivec4(equal(ivec4(c), ivec4(0, 1, 2, 3)));
        if (dot_product(axis, max) == 0) {
            continue;
        }
        const Fit center = f;
        [[dont_unroll]] for (int i = 0; i < 9; i++) {
            if (i == 4 && center.error < INT_MAX) {
                continue; // known
            }
            const Fit moved = Fit(center.first + size * (i / 3 - 1) * axis,
                                  center.second + size * (i % 3 - 1) * axis, 0);
            if (clamp(moved.first, ivec4(0), max) == moved.first &&
                clamp(moved.second, ivec4(0), max) == moved.second) {
                keep_better(task, moved, f);
            }
        }
    }
}

ivec4 scale_to(int bit, ivec4 axis)
{
    const ivec4 magnitude = abs(axis);
    const int shift = findMSB(magnitude.x | magnitude.y | magnitude.z | magnitude.w) - bit;
    return shift < 0 ? axis * (1 << -shift) : axis >> shift;
}

ivec4 find_axis(Task task, ivec4 sum, int n)
{
    ivec4 row0 = ivec4(0), row1 = ivec4(0), row2 = ivec4(0), row3 = ivec4(0); // of the covariance
    [[dont_unroll]] for (uint rest = task.subset; rest != 0u; rest &= rest - 1u) {
        const ivec4 v = part_texel(findLSB(rest));
        row0 += v.x * v;
        row1 += v.y * v;
        row2 += v.z * v;
        row3 += v.w * v;
    }
    row0 = n * row0 - sum.x * sum;
    row1 = n * row1 - sum.y * sum;
    row2 = n * row2 - sum.z * sum;
    row3 = n * row3 - sum.w * sum;
    ivec4 axis = row0;
    int largest = row0.x;
    if (row1.y > largest) {
        axis = row1;
        largest = row1.y;
    }
    if (row2.z > largest) {
        axis = row2;
        largest = row2.z;
    }
    if (row3.w > largest) {
        axis = row3;
        largest = row3.w;
    }
    if (largest == 0) {
        return ivec4(0);
    }
    const int shift = max(findMSB(largest) - 13, 0);
    row0 >>= shift;
    row1 >>= shift;
    row2 >>= shift;
    row3 >>= shift;
    axis >>= shift;
    [[dont_unroll]] for (int pass = 0; pass < 4; pass++) {
        const ivec4 old = scale_to(11, axis);
        axis = row0 * old.x + row1 * old.y + row2 * old.z + row3 * old.w;
    }
    return scale_to(7, axis);
}

ivec4 divide(ivec4 n, int d)
{
    const float inverse = 1.0 / float(d);
    return ivec4(divide(n.x, d, inverse), divide(n.y, d, inverse), divide(n.z, d, inverse),
                 divide(n.w, d, inverse));
}

ivec4 parts_of(ivec4 a, int b, int square)
{
    const ivec4 n = a * b;
    return sign(n) * divide(4 * abs(n) + square / 2, square);
}

Ideal start(Task task)
{
    const int n = bitCount(task.subset);
    ivec4 sum = ivec4(0);
    [[dont_unroll]] for (uint rest = task.subset; rest != 0u; rest &= rest - 1u) {
        sum += part_texel(findLSB(rest));
    }
    const ivec4 axis = find_axis(task, sum, n);
    int first = INT_MAX, last = -INT_MAX;
    [[dont_unroll]] for (uint rest = task.subset; rest != 0u; rest &= rest - 1u) {
        const int along = dot_product(axis, part_texel(findLSB(rest)));
        first = min(along, first);
        last = max(along, last);
    }
    const int square = max(dot_product(axis, axis), 1);
    const int mean = divide(dot_product(axis, sum), n, 1.0 / float(n));
    const ivec4 center = divide(4 * sum, n);
    return Ideal(clamp(center + parts_of(axis, first - mean, square), 0, 1020),
                 clamp(center + parts_of(axis, last - mean, square), 0, 1020));
}

// Try the ends of the texels on their line, or the endpoints that fit the indices of `center`.
void try_step(Task task, bool is_start, bool all_p_bits, Fit center, ivec2 stretch,
              inout Ideal ideal, inout Fit f)
{
    bool is_solved = true;
    if (is_start) {
        ideal = start(task);
    } else {
        is_solved = solve(task, center, stretch, ideal);
    }
    if (is_solved) {
        keep_best_of(task, ideal, all_p_bits, f);
    }
}

// Fit a part, or polish the fit that it has. Fast has no part without channels.
void improve(Task task, Reach reach, bool polish, inout Fit f)
{
    const bool is_none = EFFORT != WEIR_ENCODE_EFFORT_FAST && task.bits == ivec4(0);
    f.error = is_none ? 0 : INT_MAX;
    Ideal ideal = Ideal(ivec4(0), ivec4(0));
    const int num_steps = polish ? reach.num_rounds : 2;
    const int most = polish ? reach.stretch : 0;
    [[dont_unroll]] for (int i = 0; i < num_steps; i++) {
        const int before = f.error;
        if (polish) {
            search(task, f);
        }
        const bool is_start = !polish && i == 0;
        const bool all_p_bits = polish || reach.all_p_bits;
        if (EFFORT != WEIR_ENCODE_EFFORT_HIGH) {
            try_step(task, is_start, all_p_bits, f, ivec2(0), ideal, f);
        } else {
            const Fit center = f;
            const int size = 2 * most + 1;
            [[dont_unroll]] for (int k = 0; k < size * size; k++) {
                const ivec2 stretch = ivec2(k / size, k % size) - most;
                try_step(task, is_start, all_p_bits, center, stretch, ideal, f);
            }
        }
        if (f.error == before) {
            break;
        }
    }
}
