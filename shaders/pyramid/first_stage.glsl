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

vec4 load_value(Slice slice, ivec2 position)
{
    return load(slice, min(position, ivec2(push.size) - 1)).value;
}

// The next texel of a column of the base that is halved in y. `above` is the texel at `first`, and then that of
// the next call, where three lie under one.
vec4 halve_rows(Slice slice, ivec2 first, uint row, inout vec4 above)
{
    const uint taps = base_taps().y;
    if (taps == 1u) {
        return load_value(slice, first);
    }
    const vec4 below = load_value(slice, first + ivec2(0, 1));
    if (taps == 2u) {
        return reduce_pair(load_value(slice, first), below);
    }
    const vec4 last = load_value(slice, first + ivec2(0, 2));
    const vec4 value = weir_reduce(above, below, last, odd_weights(push.size.y, row));
    above = last;
    return value;
}

// The third column under an invocation's texel is the first of its neighbour at the right.
vec4 third_column(Slice slice, ivec2 first, uint row, vec4 left, inout vec4 above)
{
#ifdef SHUFFLE
    if (SHUFFLES) {
        vec4 value = subgroupShuffle(left, (gl_SubgroupInvocationID + 1u) % SUBGROUP_SIZE);
        if (column_of(invocation()) == TILE - 1u) {
            value = halve_rows(slice, first + ivec2(2, 0), row, above);
        }
        return value;
    }
#endif
    return halve_rows(slice, first + ivec2(2, 0), row, above);
}

void fetch_level_1(Slice slice, uvec2 position, out vec4 values[ROWS])
{
    const uvec2 taps = base_taps();
    const vec3 weights = odd_weights(push.size.x, position.x);
    const ivec2 origin = ivec2(2u * position);
    vec4 above[3];
    [[unroll]] for (int x = 0; x < 3; x++) {
        if (taps.y == 3u && x < int(taps.x)) {
            above[x] = load_value(slice, origin + ivec2(x, 0));
        }
    }
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        const ivec2 first = origin + ivec2(0, 2u * k);
        const uint row = position.y + k;
        values[k] = halve_rows(slice, first, row, above[0]);
        if (taps.x > 1u) {
            const vec4 right = halve_rows(slice, first + ivec2(1, 0), row, above[1]);
            values[k] = taps.x == 2u ? reduce_pair(values[k], right)
                                     : weir_reduce(values[k], right,
                                                   third_column(slice, first, row, values[k], above[2]), weights);
        }
    }
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
    if (IS_WEIGHTED) {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = reduce_fetched(slice, min(position + uvec2(0u, k), size_of(1u) - 1u));
        }
        return;
    }
    fetch_level_1(slice, position, values);
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
