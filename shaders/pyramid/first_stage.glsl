// SPDX-License-Identifier: MIT
// Levels 1 and 2 of a tile of the base, in registers: 32x32 texels and 16x16.
//
// A row of 32 invocations lies along x; an invocation makes four texels of level 1 in a column, with its
// neighbours one of level 2.

layout(constant_id = 8) const bool EVEN_BASE = false; // both sides of the base are

const uint TILE = 32u;
const uint ROWS = 4u;

uint column_of(uint index)
{
    return index % TILE;
}

// The first of an invocation's rows of level 1.
uint row_of(uint index)
{
    return ROWS * (index / TILE);
}

uvec2 base_taps()
{
    return EVEN_BASE ? uvec2(2u) : num_taps(push.size);
}

// Nine rows of a column of the base to four of level 1.
void halve_column(vec4 texels[2u * ROWS + 1u], uint row, out vec4 values[ROWS])
{
    const uint taps = base_taps().y;
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        if (taps == 3u) {
            values[k] = weir_reduce(texels[2u * k], texels[2u * k + 1u], texels[2u * k + 2u],
                                    odd_weights(push.size.y, row + k));
        } else {
            values[k] = reduce_pair(texels[2u * k], texels[2u * k + 1u]);
        }
    }
}

// One texel high: the row is level 1's.
void repeat_row(vec4 texel, out vec4 values[ROWS])
{
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        values[k] = texel;
    }
}

vec4 load_value(Slice slice, ivec2 position)
{
    return load(slice, min(position, ivec2(push.size) - 1)).value;
}

// Nine rows of a column of the base, halved.
void fetch_column(Slice slice, ivec2 first, uint row, out vec4 values[ROWS])
{
    vec4 texels[2u * ROWS + 1u];
    [[unroll]] for (uint k = 0u; k < 2u * ROWS; k++) {
        texels[k] = load_value(slice, first + ivec2(0, k));
    }
    if (base_taps().y == 3u) {
        texels[2u * ROWS] = load_value(slice, first + ivec2(0, 2u * ROWS));
    }
    if (base_taps().y == 1u) {
        repeat_row(texels[0], values);
    } else {
        halve_column(texels, row, values);
    }
}

// The third column under an invocation's texels, which is the first of its neighbour at the right.
void third_column(Slice slice, ivec2 first, uint row, vec4 left[ROWS], out vec4 values[ROWS])
{
#ifdef SHUFFLE
    if (SHUFFLES) {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = subgroupShuffle(left[k], (gl_SubgroupInvocationID + 1u) % SUBGROUP_SIZE);
        }
        if (column_of(invocation()) < TILE - 1u) {
            return;
        }
    }
#endif
    fetch_column(slice, first + ivec2(2, 0), row, values);
}

// May the sampler average? At an odd size only where it is large enough to be near.
bool is_filtered()
{
    return FILTERED && (EVEN_BASE || all(greaterThanEqual(push.size, uvec2(512u))));
}

// By the sampler: at even sizes one tap is four texels. At odd ones two taps an axis average texels 0 and 1,
// 1 and 2 of the three; weighted as below they give the middle one 1/2, which is 1 / (2 size) more than its
// share: less than 1/8 of a code where is_filtered() allows it.
void filter_level_1(Slice slice, uvec2 position, out vec4 values[ROWS])
{
    const vec2 texel = 1.0 / vec2(push.size);
    const vec2 corner = vec2(2u * position + 1u) * texel;
    const vec2 scale = 1.0 / vec2((push.size >> 1) + 1u);
    const vec2 share = vec2(position + 1u) * scale;
    const bvec2 is_odd = equal(base_taps(), uvec2(3u));
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        const vec2 here = corner + vec2(0.0, float(2u * k) * texel.y);
        values[k] = filter_base(slice, here);
        if (is_odd.x) {
            values[k] = mix(values[k], filter_base(slice, here + vec2(texel.x, 0.0)), share.x);
        }
        if (is_odd.y) {
            vec4 below = filter_base(slice, here + vec2(0.0, texel.y));
            if (is_odd.x) {
                below = mix(below, filter_base(slice, here + texel), share.x);
            }
            values[k] = mix(values[k], below, share.y + float(k) * scale.y);
        }
    }
}

// Level 1: the four texels of an invocation. Outside the image they are any.
void make_level_1(Slice slice, uvec2 position, out vec4 values[ROWS])
{
    if (is_filtered()) {
        filter_level_1(slice, position, values);
        return;
    }
    if (FILTERED || IS_WEIGHTED) {
        // Small, or rare: the code that takes few registers.
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = reduce_fetched(slice, min(position + uvec2(0u, k), size_of(1u) - 1u));
        }
        return;
    }
    const ivec2 first = ivec2(2u * position);
    const uint taps = base_taps().x;
    vec4 right[ROWS];
    fetch_column(slice, first, position.y, values);
    if (taps > 1u) {
        fetch_column(slice, first + ivec2(1, 0), position.y, right);
    }
    if (taps == 2u) {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = reduce_pair(values[k], right[k]);
        }
    } else if (taps == 3u) {
        const vec3 weights = odd_weights(push.size.x, position.x);
        vec4 further[ROWS];
        third_column(slice, first, position.y, values, further);
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = weir_reduce(values[k], right[k], further[k], weights);
        }
    }
}

void store_level_1(Slice slice, Span span, vec4 values[ROWS])
{
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        const uvec2 local = uvec2(column_of(invocation()), row_of(invocation()) + k);
        if (all(lessThan(local, span.owned))) {
            store(slice, 1u, ivec2(span.origin + local), values[k]);
        }
    }
}

// The first row of the invocation below, in its column.
vec4 row_below(vec4 first)
{
    square[invocation()] = first;
    barrier();
    const vec4 below = square[min(invocation() + TILE, GROUP_SIZE - 1u)];
    barrier();
    return below;
}

// The columns of two rows: invocations of even columns make a texel of the upper, those of odd columns one of
// the lower.
vec4 halve_pair(vec4 upper, vec4 lower, uint taps, vec3 weights)
{
    const bool is_lower = (invocation() & 1u) != 0u;
    vec4 a, b, c;
#ifdef SHUFFLE
    if (SHUFFLES) {
        const vec4 other = subgroupShuffleXor(is_lower ? upper : lower, 1u);
        a = is_lower ? other : upper;
        b = is_lower ? lower : other;
        c = b;
        if (taps == 3u) {
            const uint next = ((gl_SubgroupInvocationID & ~1u) + 2u) % SUBGROUP_SIZE;
            const vec4 next_upper = subgroupShuffle(upper, next);
            const vec4 next_lower = subgroupShuffle(lower, next);
            c = is_lower ? next_lower : next_upper;
        }
        return reduce_taps(a, b, c, taps, weights);
    }
#endif
    square[invocation()] = upper;
    square[GROUP_SIZE + invocation()] = lower;
    barrier();
    const uint first = (is_lower ? GROUP_SIZE : 0u) + (invocation() & ~1u);
    a = square[first];
    b = square[first + 1u];
    c = square[min(first + 2u, 2u * GROUP_SIZE - 1u)];
    barrier();
    return reduce_taps(a, b, c, taps, weights);
}

// Where an invocation's texel of level 2 lies in its tile.
uvec2 square_place()
{
    return uvec2(column_of(invocation()) / 2u, row_of(invocation()) / 2u + (invocation() & 1u));
}

vec4 make_level_2(Span span, vec4 values[ROWS])
{
    const uvec2 size = size_of(1u);
    const uvec2 taps = num_taps(size);
    const uvec2 local = square_place();
    const uint row = span.origin.y + row_of(invocation()) / 2u;
    vec4 below = values[0];
    if (taps.y == 3u) {
        below = row_below(values[0]);
    }
    const vec4 upper = reduce_taps(values[0], values[1], values[2], taps.y, odd_weights(size.y, row));
    const vec4 lower = reduce_taps(values[2], values[3], below, taps.y, odd_weights(size.y, row + 1u));
    return halve_pair(upper, lower, taps.x, odd_weights(size.x, span.origin.x + local.x));
}
