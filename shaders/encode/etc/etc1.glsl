// SPDX-License-Identifier: MIT
// The modes of ETC1, which ETC2 has too. The lanes of a block (encode/lanes.glsl) divide the
// searches.
//
//   uvec2 encode_etc1(EtcTexels x)
//
// takes codes 0 to 255, see etc.glsl, and returns to lane 0 the 8 bytes of the block, in memory
// order. The result is the same on every device.
//
// Format: Khronos Data Format Specification 1.3, "ETC1" and "ETC2"; Strom and Akenine-Moller,
// iPACKMAN, 2005. The correction of a base by the mean of the modifiers is the step of k-means for
// these palettes. The search is Weir's.
//
// Requires GL_EXT_control_flow_attributes. The includer declares
//   const uint EFFORT // encode/effort.glsl

#include "encode/etc/etc1_base.glsl"

// Limits of the search by effort.
const int ETC1_NUM_STARTS = EFFORT == WEIR_ENCODE_EFFORT_FAST   ? 1
                            : EFFORT == WEIR_ENCODE_EFFORT_HIGH ? 7
                                                                : 3;
const int ETC1_NUM_NEAR = EFFORT == WEIR_ENCODE_EFFORT_HIGH ? 7 : 1; // starts of one with a rival
const int ETC1_NUM_PASSES = EFFORT == WEIR_ENCODE_EFFORT_FAST   ? 0
                            : EFFORT == WEIR_ENCODE_EFFORT_HIGH ? 8
                                                                : 1;

struct Etc1Fit {
    bool is_flipped, is_individual;
    vec3 first, second;
    int first_table, second_table;
    float error;
};

Etc1Base search_color(Etc1Half h, Etc1Base best)
{
    vec3 rgb = vec3(0.0);
    [[unroll]] for (int i = 0; i < 8; i++) {
        rgb = max(rgb, h.rgb[i]); // those that are transparent are 0
    }
    [[dont_unroll]] for (int i = 0; i < 32; i++) {
        const vec2 ms = modifiers_of(i / 4, h.all_opaque);
        const float m = ((i & 1) != 0 ? ms.y : ms.x) * ((i & 2) != 0 ? -1.0 : 1.0);
        const vec3 nearest = etc1_code_of(h, h.sum - h.count * m);
        vec3 code = nearest, least = vec3(ETC_NO_FIT);
        [[unroll]] for (int way = -1; way <= 1; way++) {
            const vec3 other = clamp(nearest + float(way), h.lo, h.hi);
            const vec3 v = clamp(etc1_value_of(other, h.is_fine) + m, 0.0, 255.0);
            const vec3 distance = abs(v - rgb);
            code = mix(code, other, lessThan(distance, least));
            least = min(least, distance);
        }
        const Etc1Base b = make_flat_base(h, rgb, code, i / 4);
        if (b.error < best.error) {
            best = b;
        }
    }
    return best;
}

Etc1Base search_table(Etc1Half h, int table, Etc1Base best)
{
    const vec2 m = h.count * ETC1_MODIFIERS[table];
    const int num_starts = h.has_rival ? ETC1_NUM_NEAR : ETC1_NUM_STARTS;
    [[dont_unroll]] for (int start = 0; start < num_starts; start++) {
        float shift = start <= 2 ? m.x : floor(0.5 * m.y);
        if (EFFORT == WEIR_ENCODE_EFFORT_HIGH && start > 4) {
            shift = m.y;
        }
        shift = start == 0 ? 0.0 : (start & 1) != 0 ? shift : -shift;
        float corrected;
        const Etc1Base first = make_base(h, etc1_code_of(h, h.sum - shift), table, corrected);
        if (first.error < best.error) {
            best = first;
        }
        const Etc1Base second = make_base(h, etc1_code_of(h, h.sum - corrected), table);
        if (second.error < best.error) {
            best = second;
        }
    }
    return best;
}

Etc1Base search_neighbors(Etc1Half h, Etc1Base best)
{
    const Etc1Base center = best;
    [[dont_unroll]] for (int i = 0; i < 8; i++) {
        const bvec3 moves = bvec3(i / 2 == 0 || i / 2 == 3, i / 2 == 1 || i / 2 == 3, i >= 4);
        const vec3 code = center.code + vec3(moves) * float(2 * (i & 1) - 1);
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
    float before = ETC_NO_FIT;
    [[dont_unroll]] for (int pass = 0; pass < ETC1_NUM_PASSES && best.error < before; pass++) {
        before = best.error;
        best = search_neighbors(h, best);
    }
    return best;
}

Etc1Base search_half(Etc1Half h)
{
    if (h.count == 0.0) {
        return Etc1Base(h.lo, 0, 0.0);
    }
    const Etc1Base none = Etc1Base(vec3(0.0), 0, ETC_NO_FIT);
    Etc1Base best = none;
    if (h.is_flat) {
        return search_color(h, best);
    }
    [[dont_unroll]] for (int table = 0; table < 8; table++) {
        if (EFFORT == WEIR_ENCODE_EFFORT_HIGH) { // to its end with each table
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

Etc1Half half_of(EtcTexels x, bool is_flipped, bool is_second, bool is_fine)
{
    Etc1Half h;
    h.opaque = 0u;
    h.all_opaque = x.opaque == ETC_ALL_OPAQUE;
    h.count = 0.0;
    h.sum = vec3(0.0);
    h.square = 0.0;
    h.is_fine = is_fine;
    h.has_rival = false;
    h.lo = vec3(0.0);
    h.hi = vec3(is_fine ? 31.0 : 15.0);
    [[unroll]] for (int i = 0; i < 8; i++) {
        const int left = i / 2 * 4 + i % 2;
        h.rgb[i] = is_flipped ? (is_second ? x.rgb[8 + i] : x.rgb[i])
                              : (is_second ? x.rgb[left + 2] : x.rgb[left]);
        const uint bit = x.opaque >> (is_flipped  ? (is_second ? 8 + i : i)
                                      : is_second ? left + 2
                                                  : left) &
                         1u;
        h.opaque |= bit << i;
        h.sum += h.rgb[i];
        h.square += dot(h.rgb[i], h.rgb[i]);
    }
    if (h.all_opaque) {
        h.opaque = 0xffu;
    }
    h.count = float(bitCount(h.opaque));
    h.is_flat = true;
    [[unroll]] for (int i = 0; i < 8; i++) {
        h.is_flat = h.is_flat && (!is_opaque(h.opaque, i) || h.count * h.rgb[i] == h.sum);
    }
    return h;
}

Etc1Fit keep_better(Etc1Base first, Etc1Base second, bool is_flipped, bool is_individual, Etc1Fit f)
{
    const float error = first.error + second.error;
    if (error < f.error) {
        return Etc1Fit(is_flipped, is_individual, first.code, second.code, first.table,
                       second.table, error);
    }
    return f;
}

// What the searches of each block found: the code and the table, and the error.
const uint ETC1_NUM_SEARCHES = 12u;
shared uvec2 etc1_bases[ETC1_NUM_SEARCHES][BLOCKS_OF_GROUP];

Etc1Base etc1_base_of(uint number)
{
    const uvec2 found = etc1_bases[number][place_of_block()];
    return Etc1Base(vec3(uvec3(found.x) >> uvec3(0u, 5u, 10u) & 31u), int(found.x >> 15),
                    float(found.y));
}

// True if the differential mode can hold the best bases of both halves.
bool is_difference(uint flip)
{
    const vec3 d = etc1_base_of(2u * flip + 1u).code - etc1_base_of(2u * flip).code;
    return clamp(d, -4.0, 3.0) == d;
}

// Fit a half. The searches are the first and the second half of each flip: 0 to 3 for the
// differential mode, 4 to 7 near the other half if these are no difference, and 8 to 11 for the
// individual mode.
void search_etc1(EtcTexels x, bool has_individual, uint number)
{
    const bool is_near = number / 4u == 1u, is_second = (number & 1u) != 0u;
    const uint flip = number >> 1 & 1u;
    if (is_near && is_difference(flip)) {
        return;
    }
    Etc1Half h = half_of(x, flip == 1u, is_second, number < 8u);
    if (is_near) {
        h.has_rival = has_individual;
        const vec3 near = etc1_base_of(2u * flip + (is_second ? 0u : 1u)).code -
                          (is_second ? 4.0 : 3.0);
        h.lo = max(near, 0.0);
        h.hi = min(near + 7.0, 31.0);
    }
    const Etc1Base b = search_half(h);
    const uvec3 code = uvec3(b.code) << uvec3(0u, 5u, 10u);
    etc1_bases[number][place_of_block()] = uvec2(
        code.r | code.g | code.b | uint(b.table) << 15, uint(b.error));
}

// Get the best of what all searches found.
Etc1Fit best_etc1(bool has_individual)
{
    Etc1Fit f = Etc1Fit(false, false, vec3(0.0), vec3(0.0), 0, 0, ETC_NO_FIT);
    [[dont_unroll]] for (uint flip = 0u; flip < 2u; flip++) {
        const bool is_flipped = flip == 1u;
        const uint i = 2u * flip;
        const Etc1Base first = etc1_base_of(i), second = etc1_base_of(i + 1u);
        if (has_individual) {
            f = keep_better(etc1_base_of(i + 8u), etc1_base_of(i + 9u), is_flipped, true, f);
        }
        if (is_difference(flip)) {
            f = keep_better(first, second, is_flipped, false, f);
        } else {
            f = keep_better(first, etc1_base_of(i + 5u), is_flipped, false, f);
            f = keep_better(etc1_base_of(i + 4u), second, is_flipped, false, f);
        }
    }
    return f;
}

uvec2 pack_etc1(EtcTexels x, Etc1Fit f)
{
    const bool all_opaque = x.opaque == ETC_ALL_OPAQUE;
    const ivec3 first = ivec3(f.first);
    const ivec3 second = ivec3(f.second);
    const ivec3 bytes = f.is_individual ? first << 4 | second : first << 3 | (second - first) & 7;
    const uint head = uint(bytes.r << 24 | bytes.g << 16 | bytes.b << 8 | f.first_table << 5 |
                           f.second_table << 2);
    const uint bits = (!f.is_individual && all_opaque ? 2u : 0u) | (f.is_flipped ? 1u : 0u);
    return etc_pack(x, head | bits, f.is_flipped,
                    palette_of(f.first, !f.is_individual, modifiers_of(f.first_table, all_opaque),
                               all_opaque),
                    palette_of(f.second, !f.is_individual,
                               modifiers_of(f.second_table, all_opaque), all_opaque));
}

uvec2 encode_etc1(EtcTexels x)
{
    [[dont_unroll]] for (uint i = 0u; i < ETC1_NUM_SEARCHES; i += NUM_LANES) {
        search_etc1(x, true, i + lane_of_block());
        barrier();
    }
    return lane_of_block() == 0u ? pack_etc1(x, best_etc1(true)) : uvec2(0u);
}
