// SPDX-License-Identifier: MIT
// The T and H modes of ETC2. See etc2.glsl.

#include "encode/etc/etc.glsl"

const float ETC2_DISTANCES[8] = float[8](3.0, 6.0, 11.0, 16.0, 23.0, 32.0, 41.0, 64.0);
const int NUM_MEANS_STEPS = 4;

// Limits of the search by effort.
const int PAINT_NUM_BASES = EFFORT == WEIR_ENCODE_EFFORT_HIGH ? 2 : 1;
const int PAINT_NUM_PASSES = EFFORT == WEIR_ENCODE_EFFORT_HIGH ? 3 : 0;
const int PAINT_NUM_LAST_PASSES = EFFORT == WEIR_ENCODE_EFFORT_DEFAULT ? 2 : 0;

const uint PAINT_NUM_NEIGHBORS = 18u;

struct Paint {
    bool is_h;
    vec3 first, second;
    int distance;
    float error;
};

EtcPalette palette_of(Paint f, bool all_opaque)
{
    const vec3 a = 17.0 * f.first;
    const vec3 b = 17.0 * f.second;
    const float d = ETC2_DISTANCES[f.distance];
    const vec3 b_above = min(b + d, 255.0);
    return etc_palette(f.is_h ? min(a + d, 255.0) : a, f.is_h ? max(a - d, 0.0) : b_above,
                       f.is_h ? b_above : b, max(b - d, 0.0), !all_opaque);
}

float paint_word_of(vec3 code)
{
    return dot(code, vec3(256.0, 16.0, 1.0));
}

// Get `f` with its bases in the order that the mode requires, and with its error.
Paint with_error(EtcTexels x, Paint f)
{
    const float a = paint_word_of(f.first);
    const float b = paint_word_of(f.second);
    const bool is_ordered = !f.is_h || a >= b == ((f.distance & 1) != 0);
    if (!is_ordered) {
        f = Paint(f.is_h, f.second, f.first, f.distance, 0.0);
    }
    const EtcPalette palette = palette_of(f, x.opaque == ETC_ALL_OPAQUE);
    float sum = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        sum += is_opaque(x.opaque, t) ? etc_least(etc_distances(palette, x.rgb[t])) : 0.0;
    }
    f.error = x.square + 2.0 * sum + (is_ordered || a != b ? 0.0 : ETC_NO_FIT);
    return f;
}

vec3 paint_code_of(ivec3 sum, int count)
{
    return vec3(etc_code_of(sum, count, 4, ivec3(0), ivec3(15)));
}

Paint with_bases(EtcTexels x, Paint f)
{
    const EtcPalette palette = palette_of(f, x.opaque == ETC_ALL_OPAQUE);
    const float d = ETC2_DISTANCES[f.distance];
    vec3 first = vec3(0.0), second = vec3(0.0);
    float num_first = 0.0, num_second = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const uint code = etc_nearest(palette, x.rgb[t]);
        const bool is_second = f.is_h ? code >= 2u : code > 0u;
        const float by = f.is_h      ? ((code & 1u) != 0u ? -d : d)
                         : code == 1u ? d
                         : code == 3u ? -d
                                      : 0.0;
        const float counts = is_opaque(x.opaque, t) ? 1.0 : 0.0;
        num_first += is_second ? 0.0 : counts;
        num_second += is_second ? counts : 0.0;
        first += (is_second ? 0.0 : counts) * (x.rgb[t] - by);
        second += (is_second ? counts : 0.0) * (x.rgb[t] - by);
    }
    if (num_first > 0.0) {
        f.first = paint_code_of(ivec3(first), int(num_first));
    }
    if (num_second > 0.0) {
        f.second = paint_code_of(ivec3(second), int(num_second));
    }
    return f;
}

// Get the texel farthest from color / scale. scale is 16 at most.
vec3 farthest(EtcTexels x, float scale, vec3 color)
{
    vec3 best = x.rgb[0];
    int most = -1;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const ivec3 d = ivec3(scale * x.rgb[t] - color);
        const int distance = is_opaque(x.opaque, t) ? d.x * d.x + d.y * d.y + d.z * d.z : -1;
        best = distance > most ? x.rgb[t] : best;
        most = max(most, distance);
    }
    return best;
}

int paint_dot(ivec3 a, ivec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Get 16 times the mean of a cluster. An empty cluster keeps its old value.
ivec3 mean_of(ivec3 sum, int count, ivec3 before)
{
    if (count == 0) {
        return before;
    }
    const float inverse = 1.0 / float(count);
    return ivec3(divide(16 * sum.x, count, inverse), divide(16 * sum.y, count, inverse),
                 divide(16 * sum.z, count, inverse));
}

// Divide the texels into two clusters, and get the means as the first and the second base.
Paint find_clusters(EtcTexels x)
{
    vec3 sum = vec3(0.0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        sum += x.rgb[t];
    }
    const vec3 start = farthest(x, float(bitCount(x.opaque)), sum);
    ivec3 a = 16 * ivec3(start);
    ivec3 b = 16 * ivec3(farthest(x, 1.0, start));
    [[dont_unroll]] for (int i = 0; i < NUM_MEANS_STEPS; i++) {
        ivec3 first = ivec3(0), second = ivec3(0);
        int num_first = 0, num_second = 0;
        // 16 v is nearer to b than to a where 32 v (a - b) < a a - b b.
        const ivec3 way = 32 * (a - b);
        const int limit = paint_dot(a, a) - paint_dot(b, b);
        [[unroll]] for (int t = 0; t < 16; t++) {
            const ivec3 v = ivec3(x.rgb[t]);
            const int counts = is_opaque(x.opaque, t) ? 1 : 0;
            const int is_second = paint_dot(v, way) < limit ? counts : 0;
            num_first += counts - is_second;
            num_second += is_second;
            first += (counts - is_second) * v;
            second += is_second * v;
        }
        a = mean_of(first, num_first, a);
        b = mean_of(second, num_second, b);
    }
    return Paint(false, paint_code_of(a, 16), paint_code_of(b, 16), 0, ETC_NO_FIT);
}

// Try a part of the neighbours.
Paint search_neighbors(EtcTexels x, uvec2 part, Paint center)
{
    Paint best = center;
    [[dont_unroll]] for (uint i = part.x; i < part.y; i++) {
        const int way = 2 * int(i & 1u) - 1;
        const uint what = i / 2u;
        const uint channel = what & 3u;
        const vec3 by = float(way) * vec3(channel == 0u || channel == 3u,
                                          channel == 1u || channel == 3u, channel >= 2u);
        Paint moved = center;
        moved.first += what < 4u ? by : vec3(0.0);
        moved.second += what >= 4u && what < 8u ? by : vec3(0.0);
        moved.distance += what == 8u ? way : 0;
        if (clamp(moved.first, 0.0, 15.0) == moved.first &&
            clamp(moved.second, 0.0, 15.0) == moved.second &&
            clamp(moved.distance, 0, 7) == moved.distance) {
            moved = with_error(x, moved);
            if (moved.error < best.error) {
                best = moved;
            }
        }
    }
    return best;
}

Paint search_bases(EtcTexels x, Paint best)
{
    best = with_error(x, best);
    [[dont_unroll]] for (int i = 1; i < PAINT_NUM_BASES; i++) {
        const Paint moved = with_error(x, with_bases(x, best));
        if (moved.error < best.error) {
            best = moved;
        }
    }
    float before = ETC_NO_FIT;
    [[dont_unroll]] for (int pass = 0; pass < PAINT_NUM_PASSES && best.error < before; pass++) {
        before = best.error;
        best = search_neighbors(x, uvec2(0u, PAINT_NUM_NEIGHBORS), best);
    }
    return best;
}

shared Paint etc2_paints[NUM_LANES][BLOCKS_OF_GROUP]; // of the lanes of each block

// Get the best paint that a lane of the block has.
Paint best_of_lanes(Paint f)
{
    barrier(); // what was there has been read
    etc2_paints[lane_of_block()][place_of_block()] = f;
    barrier();
    [[dont_unroll]] for (uint i = 0u; i < NUM_LANES; i++) {
        const Paint other = etc2_paints[i][place_of_block()];
        if (i == 0u || other.error < f.error) {
            f = other;
        }
    }
    return f;
}

// Each lane of a block tries a part of the starts from the clusters, in order, and then of the
// neighbours of the best.
Paint fit_paint(EtcTexels x, Paint clusters)
{
    Paint best = clusters;
    const uvec2 part = part_of_lane(24u);
    [[dont_unroll]] for (uint i = part.x; i < part.y; i++) {
        const bool is_swapped = i / 8u == 1u;
        const Paint start = Paint(i / 8u == 2u, is_swapped ? clusters.second : clusters.first,
                                  is_swapped ? clusters.first : clusters.second, int(i % 8u), 0.0);
        const Paint found = search_bases(x, start);
        if (found.error < best.error) {
            best = found;
        }
    }
    best = best_of_lanes(best);
    [[dont_unroll]] for (int pass = 0; pass < PAINT_NUM_LAST_PASSES; pass++) {
        best = best_of_lanes(search_neighbors(x, part_of_lane(PAINT_NUM_NEIGHBORS), best));
    }
    return best;
}

// Get the bits that fill up a byte so that the channel overflows, which marks the mode. `base` is
// the low bits of the channel's base, `difference` those of its difference.
uint paint_overflow(uint base, uint difference)
{
    return base + difference >= 4u ? 0xe0u : 0x04u;
}

uvec2 pack_paint(EtcTexels x, Paint f)
{
    const bool all_opaque = x.opaque == ETC_ALL_OPAQUE;
    const EtcPalette palette = palette_of(f, all_opaque);
    const uvec3 a = uvec3(f.first);
    const uvec3 b = uvec3(f.second);
    const uint d = uint(f.distance);
    const uint t_head = paint_overflow(a.r >> 2, a.r & 3u) << 24 | a.r >> 2 << 27 |
                        (a.r & 3u) << 24 | a.g << 20 | a.b << 16 | b.r << 12 | b.g << 8 | b.b << 4 |
                        d >> 1 << 2 | d & 1u;
    // R must not overflow: a negative difference needs a base in the upper half.
    const uint h_head = a.g >> 3 << 31 | a.r << 27 | a.g >> 1 << 24 |
                        paint_overflow((a.g & 1u) << 1 | a.b >> 3, a.b >> 1 & 3u) << 16 |
                        (a.g & 1u) << 20 | a.b >> 3 << 19 | (a.b & 7u) << 15 | b.r << 11 |
                        b.g << 7 | b.b << 3 | d >> 2 << 2 | d >> 1 & 1u;
    return etc_pack(x, (f.is_h ? h_head : t_head) | (all_opaque ? 2u : 0u), false, palette,
                    palette);
}
