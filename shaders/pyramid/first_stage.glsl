// SPDX-License-Identifier: MIT
// Makes level 1 of a tile of the first stage from the base.

vec4 load_value(Slice slice, ivec2 position)
{
    return load(slice, min(position, ivec2(push.size) - 1)).value;
}

// Reduce a column of three texels in y, those under texel `row` of level 1.
vec4 reduce_column(vec4 above, vec4 middle, vec4 below, float row)
{
    return weir_reduce(above, middle, FINITE || num_taps(push.size).y == 3u ? below : middle,
                       tap_weights(push.size.y, row));
}

// Reduce in y the texels of a column of the base that lie under texel `row` of level 1. `above` is
// the column's texel at `first`; it becomes the one that the call for the next row takes.
vec4 fetch_column(Slice slice, ivec2 first, float row, inout vec4 above)
{
    const vec4 middle = load_value(slice, first + ivec2(0, 1));
    const vec4 below = load_value(slice, first + ivec2(0, 2));
    const vec4 value = reduce_column(above, middle, below, row);
    above = below;
    return value;
}

#ifdef SHUFFLE
// Get the third column under an invocation's texel, reduced in y, for an odd size, if SHUFFLES. It
// is the first column of the neighbour at the right, `left` there. The last invocation of a row has
// no such neighbour, but tiles of an odd base do not use the texels that it makes.
vec4 next_column(vec4 left)
{
    return shuffle(left, (gl_SubgroupInvocationID + 1u) % SUBGROUP_SIZE);
}
#else
vec4 next_column(vec4 left)
{
    return left;
}
#endif

// Store a texel of level 1, unless another tile stores it. Called as soon as the texel is made:
// encoding it then fills the time that the fetches of the next texel take.
void store_level_1(Slice slice, uvec2 position, uvec2 end, vec4 value)
{
    if (all(lessThan(position, end))) {
        store(slice, 1u, ivec2(position), value);
    }
}

// Reduce the three columns under a texel of level 1, and store it.
vec4 make_odd_texel(Slice slice, uvec2 position, uvec2 end, vec4 a, vec4 b, vec4 c, vec3 weights)
{
    const vec4 value = weir_reduce(a, b, FINITE || num_taps(push.size).x == 3u ? c : b, weights);
    store_level_1(slice, position, end, value);
    return value;
}

void fetch_odd_level_1(Slice slice, uvec2 position, uvec2 end, out vec4 values[ROWS])
{
    const vec3 weights = tap_weights(push.size.x, float(position.x));
    const ivec2 origin = ivec2(2u * position);
    vec4 above[3];
    above[0] = load_value(slice, origin);
    above[1] = load_value(slice, origin + ivec2(1, 0));
    above[2] = SHUFFLES ? vec4(0.0) : load_value(slice, origin + ivec2(2, 0));
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        const ivec2 first = origin + ivec2(0, 2u * k);
        const float row = float(position.y) + float(k);
        const vec4 a = fetch_column(slice, first, row, above[0]);
        const vec4 b = fetch_column(slice, first + ivec2(1, 0), row, above[1]);
        vec4 c;
        if (SHUFFLES) {
            c = next_column(a);
        } else {
            c = fetch_column(slice, first + ivec2(2, 0), row, above[2]);
        }
        values[k] = make_odd_texel(slice, position + uvec2(0u, k), end, a, b, c, weights);
    }
}

// Reduce in y a column of a quad and the first row of the quad below.
vec4 reduce_quad_column(Quad quad, Quad below, uint column, float row)
{
    return reduce_column(quad_value(quad, column), quad_value(quad, 2u + column),
                         quad_value(below, column), row);
}

// Do the same by gathers of two rows of two columns, and of a third column where no invocation can
// be asked for it.
void gather_odd_level_1(Slice slice, uvec2 position, uvec2 end, out vec4 values[ROWS])
{
    const vec3 weights = tap_weights(push.size.x, float(position.x));
    const ivec2 origin = ivec2(2u * position);
    Quad quad = gather(slice, origin);
    Quad third = quad;
    if (!SHUFFLES) {
        third = gather(slice, origin + ivec2(2, 0));
    }
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        const ivec2 below = origin + ivec2(0, 2u * k + 2u);
        const float row = float(position.y) + float(k);
        const Quad next = gather(slice, below);
        const vec4 a = reduce_quad_column(quad, next, 0u, row);
        const vec4 b = reduce_quad_column(quad, next, 1u, row);
        vec4 c;
        if (SHUFFLES) {
            c = next_column(a);
        } else {
            const Quad next_third = gather(slice, below + ivec2(2, 0));
            c = reduce_quad_column(third, next_third, 0u, row);
            third = next_third;
        }
        values[k] = make_odd_texel(slice, position + uvec2(0u, k), end, a, b, c, weights);
        quad = next;
    }
}

vec4 fetch_quad(Slice slice, ivec2 first)
{
    const vec4 upper = reduce_pair(load_value(slice, first),
                                   load_value(slice, first + ivec2(1, 0)));
    const vec4 lower = reduce_pair(load_value(slice, first + ivec2(0, 1)),
                                   load_value(slice, first + 1));
    return reduce_pair(upper, lower);
}

void load_even_level_1(Slice slice, uvec2 position, uvec2 end, out vec4 values[ROWS])
{
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        const ivec2 first = ivec2(2u * position) + ivec2(0, 2u * k);
        if (GATHERED) {
            values[k] = reduce_quad(gather(slice, first));
        } else {
            values[k] = fetch_quad(slice, first);
        }
        store_level_1(slice, position + uvec2(0u, k), end, values[k]);
    }
}

// Make the four texels of level 1 of an invocation, and store those before `end`. Texels outside
// the image may have any value. A pipeline is FILTERED only if the sampler may average its bases.
void make_level_1(Slice slice, uvec2 position, uvec2 end, out vec4 values[ROWS])
{
    if (FILTERED) {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = reduce_filtered(slice, position + uvec2(0u, k));
            store_level_1(slice, position + uvec2(0u, k), end, values[k]);
        }
    } else if (IS_WEIGHTED) {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = reduce_fetched(slice, min(position + uvec2(0u, k), size_of(1u) - 1u));
            store_level_1(slice, position + uvec2(0u, k), end, values[k]);
        }
    } else if (EVEN_BASE) {
        load_even_level_1(slice, position, end, values);
    } else if (GATHERED) {
        gather_odd_level_1(slice, position, end, values);
    } else {
        fetch_odd_level_1(slice, position, end, values);
    }
}
