// SPDX-License-Identifier: MIT
// The sums of points: weights, and coordinates times weights.

#include "palette/memory.glsl"
#include "palette/lattice.glsl"

layout(constant_id = 2) const bool FREQUENCY = false;

struct Value {
    uint64_t l, a, b;
    uint w;
};

Value zero()
{
    return Value(uint64_t(0), uint64_t(0), uint64_t(0), 0u);
}

Value plus(Value x, Value y)
{
    return Value(x.l + y.l, x.a + y.a, x.b + y.b, x.w + y.w);
}

uint num_elements()
{
    return control.num_points;
}

Value load(uint i)
{
    const ivec3 point = unpack_point(points[i]);
    const uint w = FREQUENCY ? weights[i] : 1u;
    return Value(uint64_t(w) * uint(point.x), uint64_t(w) * uint(point.y), uint64_t(w) * uint(point.z), w);
}

void store(uint i, Value sum, Value value)
{
    const Value inclusive = plus(sum, value);
    sums_l[i] = inclusive.l;
    sums_a[i] = inclusive.a;
    sums_b[i] = inclusive.b;
    if (FREQUENCY) {
        sums_w[i] = inclusive.w; // of 32 bits: differences are right as long as an image has fewer pixels
    }
}

void save_partial(uint group, Value sum)
{
    partials[4u * group] = sum.l;
    partials[4u * group + 1u] = sum.a;
    partials[4u * group + 2u] = sum.b;
    partials[4u * group + 3u] = uint64_t(sum.w);
}

Value load_partial(uint group)
{
    return Value(partials[4u * group], partials[4u * group + 1u], partials[4u * group + 2u],
                 uint(partials[4u * group + 3u]));
}

#include "palette/scan.glsl"
