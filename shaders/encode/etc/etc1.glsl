// SPDX-License-Identifier: MIT
// The modes of ETC1, which ETC2 has too: an invocation encodes one block of 4x4 texels, all by
// itself.
//
//   Etc1Fit fit_etc1(EtcTexels x, bool has_individual)
//   uvec2 pack_etc1(EtcTexels x, Etc1Fit f)
//
// take codes 0 to 255, see etc.glsl, and find and return the 8 bytes of the block, in memory order.
// Integer arithmetic: the result is the same on every device. tests/ref/etc1.c defines every bit of
// it; names are the same.
//
// Requires GL_EXT_control_flow_attributes and GL_GOOGLE_include_directive. The includer declares
//   const uint EFFORT // encode/effort.glsl

#include "encode/etc/etc.glsl"

const ivec2 ETC1_MODIFIERS[8] = ivec2[8](ivec2(2, 8), ivec2(5, 17), ivec2(9, 29), ivec2(13, 42),
                                         ivec2(18, 60), ivec2(24, 80), ivec2(33, 106),
                                         ivec2(47, 183));

// Limits of the search by effort.
const int ETC1_NUM_STARTS = EFFORT == WEIR_ENCODE_EFFORT_FAST   ? 1
                            : EFFORT == WEIR_ENCODE_EFFORT_HIGH ? 7
                                                                : 3;
const int ETC1_NUM_BASES = 2;
const int ETC1_NUM_PASSES = EFFORT == WEIR_ENCODE_EFFORT_FAST   ? 0
                            : EFFORT == WEIR_ENCODE_EFFORT_HIGH ? 8
                                                                : 1;

struct Etc1Half {
    ivec3 rgb[8];
    uint opaque;     // a bit for each opaque texel of this half
    bool all_opaque; // all texels of the block are opaque
    int count;       // opaque texels of this half
    ivec3 sum;
    int square;      // sum of the squares of this half's texels
    bool is_flat;    // all opaque texels have one colour
    int size;        // bits of a channel of the base
    ivec3 lo, hi;    // range of the base's codes
};

struct Etc1Base {
    ivec3 code;
    int table;
    int error;
    int shift;
};

struct Etc1Fit {
    bool is_flipped, is_individual;
    ivec3 first, second;
    int first_table, second_table;
    int error;
};

ivec4 modifiers_of(int table, bool all_opaque)
{
    const ivec2 m = ETC1_MODIFIERS[table];
    const int less = all_opaque ? m.x : 0;
    return ivec4(less, m.y, -less, -m.y);
}

EtcPalette palette_of(ivec3 code, int size, int table, bool all_opaque)
{
    const ivec3 color = etc_value_of(code, size);
    const ivec4 m = modifiers_of(table, all_opaque);
    return etc_palette(color + m.x, color + m.y, color + m.z, color + m.w, !all_opaque);
}

Etc1Base make_base(Etc1Half h, ivec3 code, int table)
{
    Etc1Base b = Etc1Base(code, table, h.square, 0);
    const EtcPalette p = palette_of(code, h.size, table, h.all_opaque);
    const ivec4 m = modifiers_of(table, h.all_opaque);
    [[unroll]] for (int i = 0; i < 8; i++) {
        const ivec4 d = etc_distances(p, h.rgb[i]);
        const int least = etc_least(d);
        const int by = d.x == least ? m.x : d.y == least ? m.y : d.z == least ? m.z : m.w;
        b.error += is_opaque(h.opaque, i) ? least : 0;
        b.shift += is_opaque(h.opaque, i) ? by : 0;
    }
    return b;
}

Etc1Base search_color(Etc1Half h, Etc1Base best)
{
    [[dont_unroll]] for (int i = 0; i < 32; i++) {
        const ivec4 ms = modifiers_of(i / 4, h.all_opaque);
        const int m = (i & 2) != 0 ? ((i & 1) != 0 ? ms.w : ms.z) : ((i & 1) != 0 ? ms.y : ms.x);
        const ivec3 nearest = etc_code_of(h.sum - h.count * m, h.count, h.size, h.lo, h.hi);
        ivec3 code = nearest, least = ivec3(ETC_NO_FIT);
        [[unroll]] for (int way = -1; way <= 1; way++) {
            const ivec3 other = clamp(nearest + way, h.lo, h.hi);
            const ivec3 v = clamp(etc_value_of(other, h.size) + m, ivec3(0), ivec3(255));
            const ivec3 distance = abs(h.count * v - h.sum);
            code = mix(code, other, lessThan(distance, least));
            least = min(least, distance);
        }
        const Etc1Base b = make_base(h, code, i / 4);
        if (b.error < best.error) {
            best = b;
        }
    }
    return best;
}

Etc1Base search_table(Etc1Half h, int table, Etc1Base best)
{
    [[dont_unroll]] for (int start = 0; start < ETC1_NUM_STARTS; start++) {
        const ivec2 m = h.count * ETC1_MODIFIERS[table];
        int shift = start <= 2 ? m.x : m.y >> 1;
        if (EFFORT == WEIR_ENCODE_EFFORT_HIGH && start > 4) {
            shift = m.y;
        }
        shift = start == 0 ? 0 : (start & 1) != 0 ? shift : -shift;
        [[dont_unroll]] for (int i = 0; i < ETC1_NUM_BASES; i++) {
            const Etc1Base b = make_base(h, etc_code_of(h.sum - shift, h.count, h.size, h.lo, h.hi),
                                         table);
            if (b.error < best.error) {
                best = b;
            }
            shift = b.shift;
        }
    }
    return best;
}

Etc1Base search_neighbors(Etc1Half h, Etc1Base best)
{
    const Etc1Base center = best;
    [[dont_unroll]] for (int i = 0; i < 8; i++) {
        const bvec3 moves = bvec3(i / 2 == 0 || i / 2 == 3, i / 2 == 1 || i / 2 == 3, i >= 4);
        const ivec3 code = center.code + ivec3(moves) * (2 * (i & 1) - 1);
        if (clamp(code, h.lo, h.hi) == code) {
            const Etc1Base b = make_base(h, code, center.table);
            if (b.error < best.error) {
                best = b;
            }
        }
    }
    return best;
}

Etc1Base search_passes(Etc1Half h, Etc1Base best)
{
    int before = ETC_NO_FIT;
    [[dont_unroll]] for (int pass = 0; pass < ETC1_NUM_PASSES && best.error < before; pass++) {
        before = best.error;
        best = search_neighbors(h, best);
    }
    return best;
}

Etc1Base search_half(Etc1Half h)
{
    if (h.count == 0) {
        return Etc1Base(h.lo, 0, 0, 0);
    }
    Etc1Base best = Etc1Base(ivec3(0), 0, ETC_NO_FIT, 0);
    if (h.is_flat) {
        return search_color(h, best);
    }
    [[dont_unroll]] for (int table = 0; table < 8; table++) {
        if (EFFORT == WEIR_ENCODE_EFFORT_HIGH) { // to its end with each table
            const Etc1Base none = Etc1Base(ivec3(0), 0, ETC_NO_FIT, 0);
            const Etc1Base b = search_passes(h, search_table(h, table, none));
            if (b.error < best.error) {
                best = b;
            }
        } else {
            best = search_table(h, table, best);
        }
    }
    return EFFORT == WEIR_ENCODE_EFFORT_HIGH ? best : search_passes(h, best);
}

Etc1Half half_of(EtcTexels x, bool is_flipped, bool is_second, int size)
{
    Etc1Half h;
    h.opaque = 0u;
    h.all_opaque = x.opaque == ETC_ALL_OPAQUE;
    h.count = 0;
    h.sum = ivec3(0);
    h.square = 0;
    h.size = size;
    h.lo = ivec3(0);
    h.hi = ivec3((1 << size) - 1);
    [[unroll]] for (int i = 0; i < 8; i++) {
        const int left = i / 2 * 4 + i % 2;
        h.rgb[i] = is_flipped ? (is_second ? x.rgb[8 + i] : x.rgb[i])
                              : (is_second ? x.rgb[left + 2] : x.rgb[left]);
        const uint bit = x.opaque >> (is_flipped  ? (is_second ? 8 + i : i)
                                      : is_second ? left + 2
                                                  : left) &
                         1u;
        h.opaque |= bit << i;
        h.count += int(bit);
        h.sum += h.rgb[i];
        h.square += etc_dot(h.rgb[i], h.rgb[i]);
    }
    h.is_flat = true;
    [[unroll]] for (int i = 0; i < 8; i++) {
        h.is_flat = h.is_flat && (!is_opaque(h.opaque, i) || h.count * h.rgb[i] == h.sum);
    }
    return h;
}

Etc1Fit keep_better(Etc1Base first, Etc1Base second, bool is_flipped, bool is_individual, Etc1Fit f)
{
    const int error = first.error + second.error;
    if (error < f.error) {
        return Etc1Fit(is_flipped, is_individual, first.code, second.code, first.table,
                       second.table, error);
    }
    return f;
}

bool is_difference(Etc1Base first, Etc1Base second)
{
    const ivec3 d = second.code - first.code;
    return clamp(d, ivec3(-4), ivec3(3)) == d;
}

// Fit both flips. Steps of each: fit both halves for the individual mode, then both for the
// differential mode. If the difference of the latter is too large, fit the second half again near
// the first, and the first near the second.
Etc1Fit fit_etc1(EtcTexels x, bool has_individual)
{
    Etc1Fit f = Etc1Fit(false, false, ivec3(0), ivec3(0), 0, 0, ETC_NO_FIT);
    [[dont_unroll]] for (int flip = 0; flip < 2; flip++) {
        const bool is_flipped = flip == 1;
        Etc1Base first = Etc1Base(ivec3(0), 0, ETC_NO_FIT, 0);
        Etc1Base second = first;
        [[dont_unroll]] for (int i = has_individual ? 0 : 2; i < 6; i++) {
            Etc1Half h = half_of(x, is_flipped, i == 1 || i == 3 || i == 4, i < 2 ? 4 : 5);
            if (i >= 4) {
                const ivec3 near = i == 4 ? first.code - 4 : second.code - 3;
                h.lo = max(near, ivec3(0));
                h.hi = min(near + 7, ivec3(31));
            }
            const Etc1Base b = search_half(h);
            if (i == 0 || i == 2) {
                first = b;
            } else if (i == 1) {
                f = keep_better(first, b, is_flipped, true, f);
            } else if (i == 4) {
                f = keep_better(first, b, is_flipped, false, f);
            } else if (i == 5) {
                f = keep_better(b, second, is_flipped, false, f);
            } else {
                second = b;
                if (is_difference(first, second)) {
                    f = keep_better(first, second, is_flipped, false, f);
                    break;
                }
            }
        }
    }
    return f;
}

uvec2 pack_etc1(EtcTexels x, Etc1Fit f)
{
    const bool all_opaque = x.opaque == ETC_ALL_OPAQUE;
    const ivec3 bytes = f.is_individual ? f.first << 4 | f.second
                                        : f.first << 3 | (f.second - f.first) & 7;
    const uint head = uint(bytes.r << 24 | bytes.g << 16 | bytes.b << 8 | f.first_table << 5 |
                           f.second_table << 2);
    const uint bits = (!f.is_individual && all_opaque ? 2u : 0u) | (f.is_flipped ? 1u : 0u);
    const int size = f.is_individual ? 4 : 5;
    return etc_pack(x, head | bits, f.is_flipped,
                    palette_of(f.first, size, f.first_table, all_opaque),
                    palette_of(f.second, size, f.second_table, all_opaque));
}
