// SPDX-License-Identifier: MIT
// Level 1 of a tile of the first stage, from the base.

layout(constant_id = 8) const bool EVEN_BASE = false; // both sides of the base are

vec4 load_value(Slice slice, ivec2 position)
{
    return load(slice, min(position, ivec2(push.size) - 1)).value;
}

// At an odd size the third column under an invocation's texel is the first of its neighbour at the right. A
// row's last invocation has no such neighbour: tiles of an odd base have no use for what it makes.
vec4 third_of_row(Slice slice, ivec2 first, vec4 left)
{
#ifdef SHUFFLE
    if (SHUFFLES) {
        return subgroupShuffle(left, (gl_SubgroupInvocationID + 1u) % SUBGROUP_SIZE);
    }
#endif
    return load_value(slice, first + ivec2(2, 0));
}

void fetch_odd_level_1(Slice slice, uvec2 position, out vec4 values[ROWS])
{
    const uvec2 taps = num_taps(push.size);
    const vec3 weights = tap_weights(push.size.x, position.x);
    const ivec2 origin = ivec2(2u * position);
    const int second = int(min(taps.x, 2u)) - 1;
    vec4 rows[2u * ROWS + 1u];
    [[unroll]] for (uint r = 0u; r < 2u * ROWS + 1u; r++) {
        const ivec2 first = origin + ivec2(0, r);
        const vec4 a = load_value(slice, first);
        const vec4 b = load_value(slice, first + ivec2(second, 0));
        const vec4 c = third_of_row(slice, first, a);
        rows[r] = weir_reduce(a, b, taps.x == 3u ? c : b, weights);
    }
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        const vec4 middle = taps.y == 1u ? rows[2u * k] : rows[2u * k + 1u];
        values[k] = weir_reduce(rows[2u * k], middle, taps.y == 3u ? rows[2u * k + 2u] : middle,
                                tap_weights(push.size.y, position.y + k));
    }
}

void fetch_even_level_1(Slice slice, uvec2 position, out vec4 values[ROWS])
{
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        const ivec2 first = ivec2(2u * position) + ivec2(0, 2u * k);
        const vec4 upper = reduce_pair(load_value(slice, first), load_value(slice, first + ivec2(1, 0)));
        const vec4 lower = reduce_pair(load_value(slice, first + ivec2(0, 1)), load_value(slice, first + 1));
        values[k] = reduce_pair(upper, lower);
    }
}

// Level 1: the four texels of an invocation. Outside the image they are any. A pipeline is FILTERED only for bases
// that are.
void make_level_1(Slice slice, uvec2 position, out vec4 values[ROWS])
{
    if (FILTERED) {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = reduce_filtered(slice, position + uvec2(0u, k));
        }
    } else if (IS_WEIGHTED) {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = reduce_fetched(slice, min(position + uvec2(0u, k), size_of(1u) - 1u));
        }
    } else if (EVEN_BASE) {
        fetch_even_level_1(slice, position, values);
    } else {
        fetch_odd_level_1(slice, position, values);
    }
}
