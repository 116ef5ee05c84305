// SPDX-License-Identifier: MIT
// Levels 1 and 2 of a tile of the first stage, in registers: 32x32 texels and 16x16.
//
// A row of 32 invocations lies along x. An invocation makes four texels of level 1, one below the
// other, and, together with its neighbours, one texel of level 2.

const uint TILE = WEIR_PYRAMID_FIRST_SIDE;
const uint ROWS = 4u;

uint column_of(uint index)
{
    return index % TILE;
}

// Get the first of an invocation's four rows of level 1.
uint row_of(uint index)
{
    return ROWS * (index / TILE);
}

// Get the first texel of level 1 of the invocation below. `first` is that of this invocation.
vec4 row_below(vec4 first)
{
    put_shared(invocation(), first);
    barrier();
    const vec4 below = get_shared(min(invocation() + TILE, GROUP_SIZE - 1u));
    barrier();
    return below;
}

// Reduce two rows in x. Invocations of even columns make a texel of the upper row, those of odd
// columns one of the lower row.
vec4 halve_pair(vec4 upper, vec4 lower, uint taps, vec3 weights)
{
    const bool is_lower = (invocation() & 1u) != 0u;
    vec4 a, b, c;
#ifdef SHUFFLE
    if (SHUFFLES) {
        const vec4 other = shuffle_xor(is_lower ? upper : lower, 1u);
        a = is_lower ? other : upper;
        b = is_lower ? lower : other;
        c = b;
        if (taps == 3u) {
            const uint next = ((gl_SubgroupInvocationID & ~1u) + 2u) % SUBGROUP_SIZE;
            const vec4 next_upper = shuffle(upper, next);
            const vec4 next_lower = shuffle(lower, next);
            c = is_lower ? next_lower : next_upper;
        }
        return reduce_taps(a, b, c, taps, weights);
    }
#endif
    put_shared(invocation(), upper);
    put_shared(GROUP_SIZE + invocation(), lower);
    barrier();
    const uint first = (is_lower ? GROUP_SIZE : 0u) + (invocation() & ~1u);
    a = get_shared(first);
    b = get_shared(first + 1u);
    c = get_shared(min(first + 2u, 2u * GROUP_SIZE - 1u));
    barrier();
    return reduce_taps(a, b, c, taps, weights);
}

// Get the place in its tile of an invocation's texel of level 2.
uvec2 square_place()
{
    return uvec2(column_of(invocation()) / 2u, row_of(invocation()) / 2u + (invocation() & 1u));
}

// Make the invocation's texel of level 2. `span` is the tile's part of level 2, `values` are the
// invocation's texels of level 1.
vec4 make_level_2(Span span, vec4 values[ROWS])
{
    const uvec2 size = size_of(1u);
    const uvec2 taps = num_taps(size);
    const uvec2 local = square_place();
    const float row = float(span.origin.y + row_of(invocation()) / 2u);
    vec4 below = values[0];
    if (taps.y == 3u) {
        below = row_below(values[0]);
    }
    const vec4 upper = reduce_taps(values[0], values[1], values[2], taps.y,
                                   odd_weights(size.y, row));
    const vec4 lower = reduce_taps(values[2], values[3], below, taps.y,
                                   odd_weights(size.y, row + 1.0));
    return halve_pair(upper, lower, taps.x, odd_weights(size.x, span.origin.x + local.x));
}
